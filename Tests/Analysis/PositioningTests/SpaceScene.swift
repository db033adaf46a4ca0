import Foundation
import Geometry
import Positioning
import TestSupport

/// A made-up hall of 20 m by 20 m by 6 m with one target, and the levels it would be heard at.
struct SpaceScene {
  var truth: SpacePoint
  var observations: [Observation]

  static let surroundings: Surroundings = {
    var surroundings = Surroundings()
    surroundings.dimensions = .space
    return surroundings
  }()

  /// - Parameters:
  ///   - noise: standard deviation of the levels about the path-loss curve, in dB.
  ///   - ceiling: the height of all anchors in metres; nil for a height of its own each.
  static func random(
    anchors: Int, noise: Double = 0, ceiling: Double? = nil, using generator: inout SeededGenerator
  ) -> SpaceScene {
    func place(heights: Range<Double>) -> SpacePoint {
      SpacePoint(
        x: Double.random(in: 0..<20, using: &generator),
        y: Double.random(in: 0..<20, using: &generator),
        z: Double.random(in: heights, using: &generator))
    }
    let truth = place(heights: 0..<2)
    let observations = (0..<anchors).map { _ in
      var anchor = place(heights: 0..<6)
      if let ceiling { anchor.z = ceiling }
      let slant = distance(anchor, truth)
      let exponent = Double.random(in: 1.6..<3, using: &generator)
      let power = Double.random(in: -65 ..< -55, using: &generator)
      return Observation(
        anchor: anchor.planar, heightDifference: anchor.z,
        rssi: power - 10 * exponent * log10(slant) + noise * generator.gaussian(),
        measuredPower: power, exponent: exponent, sigma: Double.random(in: 2..<6, using: &generator)
      )
    }
    return SpaceScene(truth: truth, observations: observations)
  }
}

func distance(_ a: SpacePoint, _ b: SpacePoint) -> Double {
  (pow(a.x - b.x, 2) + pow(a.y - b.y, 2) + pow(a.z - b.z, 2)).squareRoot()
}

extension Estimate {
  /// The position with its height; nil in the plane.
  var spacePosition: SpacePoint? { height.map { SpacePoint(position, z: $0) } }
}

extension EpochAlgorithm {
  /// The covariance that central differences of the answer in the levels give, in m².
  func propagatedCovariance(
    of observations: [Observation], in surroundings: Surroundings
  ) throws -> Covariance {
    var sum = Covariance(xx: 0, xy: 0, yy: 0, vertical: Covariance.Vertical(xz: 0, yz: 0, zz: 0))
    let step = 1e-5
    for index in observations.indices {
      func moved(_ by: Double) throws -> SpacePoint {
        var observations = observations
        observations[index].rssi += by
        let estimate = try estimate(observations, in: surroundings)
        return SpacePoint(estimate.position, z: estimate.height ?? 0)
      }
      let (up, down) = (try moved(step), try moved(-step))
      let scale = observations[index].sigma / (2 * step)
      let (dx, dy, dz) = (
        scale * (up.x - down.x), scale * (up.y - down.y), scale * (up.z - down.z)
      )
      sum.xx += dx * dx
      sum.xy += dx * dy
      sum.yy += dy * dy
      sum.vertical!.xz += dx * dz
      sum.vertical!.yz += dy * dz
      sum.vertical!.zz += dz * dz
    }
    if surroundings.dimensions == .plane { sum.vertical = nil }
    return sum
  }
}

/// Whether two covariances agree, relative to the larger one's trace.
func isClose(_ a: Covariance, _ b: Covariance, relative tolerance: Double) -> Bool {
  let scale = tolerance * (a.xx + a.yy + (a.vertical?.zz ?? 0))
  guard (a.vertical == nil) == (b.vertical == nil) else { return false }
  let planar = [a.xx - b.xx, a.xy - b.xy, a.yy - b.yy]
  let vertical = [
    (a.vertical?.xz ?? 0) - (b.vertical?.xz ?? 0), (a.vertical?.yz ?? 0) - (b.vertical?.yz ?? 0),
    (a.vertical?.zz ?? 0) - (b.vertical?.zz ?? 0),
  ]
  return (planar + vertical).allSatisfy { abs($0) <= scale }
}
