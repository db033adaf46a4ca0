import Foundation
import Geometry
import Positioning
import TestSupport

/// A made-up site of 20 m by 20 m with one target, and the levels it would be heard at.
struct Scene {
  var truth: Point
  var observations: [Observation]

  /// - Parameters:
  ///   - noise: standard deviation of the levels about the path-loss curve, in dB.
  ///   - height: how far all anchors are above the target, in metres.
  static func random(
    anchors: Int, noise: Double = 0, height: Double = 0, using generator: inout SeededGenerator
  ) -> Scene {
    func place() -> Point {
      Point(
        x: Double.random(in: 0..<20, using: &generator),
        y: Double.random(in: 0..<20, using: &generator))
    }
    let truth = place()
    let observations = (0..<anchors).map { _ in
      let anchor = place()
      let planar = anchor.distance(to: truth)
      let slant = (planar * planar + height * height).squareRoot()
      let exponent = Double.random(in: 1.6..<3, using: &generator)
      let power = Double.random(in: -65 ..< -55, using: &generator)
      let level = power - 10 * exponent * log10(slant) + noise * normal(using: &generator)
      return Observation(
        anchor: anchor, heightDifference: height, rssi: level, measuredPower: power,
        exponent: exponent, sigma: Double.random(in: 2..<6, using: &generator))
    }
    return Scene(truth: truth, observations: observations)
  }

  /// A standard normal deviate (Box & Muller 1958).
  static func normal(using generator: inout SeededGenerator) -> Double {
    let u = Double.random(in: Double.leastNormalMagnitude..<1, using: &generator)
    let v = Double.random(in: 0..<1, using: &generator)
    return (-2 * log(u)).squareRoot() * cos(2 * Double.pi * v)
  }
}

extension Outcome {
  var position: Point? {
    if case .located(let estimate) = self { estimate.position } else { nil }
  }

  var refusal: Refusal? {
    if case .refused(let refusal) = self { refusal } else { nil }
  }

  var covariance: Covariance? {
    if case .located(let estimate) = self, case .covariance(let covariance) = estimate.uncertainty {
      covariance
    } else {
      nil
    }
  }
}

func isClose(_ a: Point, _ b: Point, within tolerance: Double) -> Bool {
  a.distance(to: b) <= tolerance
}

/// The sum of squared standard scores of the levels about the path-loss curve at a place.
func misfit(of observations: [Observation], at place: Point) -> Double {
  var sum = 0.0
  for o in observations {
    let distance = hypot(o.anchor.distance(to: place), o.heightDifference)
    let expected: Double = o.measuredPower - 10 * o.exponent * log10(max(distance, 1e-9))
    let score = (o.rssi - expected) / o.sigma
    sum += score * score
  }
  return sum
}
