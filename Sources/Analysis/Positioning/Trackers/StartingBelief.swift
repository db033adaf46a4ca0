import Geometry
import NumericalMethods
import RealModule

/// What the levels of one moment say of the place and of their anchors' shadowing, by weighing
/// places all over the area: the mean and covariance with which a track begins.
struct StartingBelief {
  /// Coordinates of the place, two or three.
  let dimensions: Int
  /// The place, then the shadowing of each level's anchor in units of its standard deviation.
  private(set) var mean: [Double]
  private(set) var covariance: Matrix

  /// How many places are weighed, about, in the plane and in space.
  private static let places = (plane: 1000.0, space: 3000.0)

  /// - Returns: nil where no place of the area is inside a room.
  init?(_ levels: [TrackedTrace.Level], _ links: MeasurementModel, in area: WalkableArea) {
    let (width, depth) = (
      area.bounds.maximum.x - area.bounds.minimum.x, area.bounds.maximum.y - area.bounds.minimum.y
    )
    let tallness = area.heights.map { $0.upperBound - $0.lowerBound }
    dimensions = tallness == nil ? 2 : 3
    let size = dimensions + levels.count
    let across = Self.spacing([width, depth] + (tallness.map { [$0] } ?? []))
    func nodes(_ low: Double, _ length: Double) -> [Double] {
      let count = max(1, Int(length / across))
      return (0..<count).map { low + (Double($0) + 0.5) * length / Double(count) }
    }
    var places: [SpacePoint] = []
    for x in nodes(area.bounds.minimum.x, width) {
      for y in nodes(area.bounds.minimum.y, depth) where area.contains(Point(x: x, y: y)) {
        for z in area.heights.map({ nodes($0.lowerBound, tallness ?? 0) }) ?? [0] {
          places.append(SpacePoint(x: x, y: y, z: z))
        }
      }
    }
    guard !places.isEmpty else { return nil }
    var rows: [[Double]] = []
    var logs: [Double] = []
    var leftover = [[Double]](repeating: [], count: levels.count)
    for place in places {
      var row = dimensions == 2 ? [place.x, place.y] : [place.x, place.y, place.z]
      var log = 0.0
      for (index, level) in levels.enumerated() {
        let (expected, deviation) = links.level(level.anchor, at: place.planar, height: place.z)
        let packet = links.packetVariance(level.anchor, packets: level.packets)
        let (residual, variance) = (level.rssi - expected, deviation * deviation + packet)
        let fit = RobustLevel(
          residual: Float(residual), variance: Float(variance),
          leastLogLikelihood: RobustLevel.leastLogLikelihood(
            typicalVariance: links.typicalVariance(level.anchor) + packet))
        log += Double(fit.logLikelihood)
        let gain = fit.isOutlier ? 0 : deviation / variance
        row.append(gain * residual)
        leftover[index].append(1 - gain * deviation)
      }
      rows.append(row)
      logs.append(log)
    }
    let best = logs.max() ?? 0
    let weights = logs.map { Double.exp($0 - best) }
    let total = weights.reduce(0, +)
    var mean = [Double](repeating: 0, count: size)
    for (row, weight) in zip(rows, weights) {
      for index in 0..<size { mean[index] += weight / total * row[index] }
    }
    var covariance = Matrix(zeros: size, size)
    for (row, weight) in zip(rows, weights) where weight > 1e-12 {
      let scale = (weight / total).squareRoot()
      covariance.addOuter(zip(row, mean).map { scale * ($0 - $1) })
    }
    for index in 0..<dimensions { covariance[index, index] += across * across / 12 }
    for (index, parts) in leftover.enumerated() {
      covariance[dimensions + index, dimensions + index] +=
        zip(parts, weights).reduce(0) { $0 + $1.0 * $1.1 / total }
    }
    (self.mean, self.covariance) = (mean, covariance)
  }

  /// The distance of places on a grid of squares or cubes, at least 1 mm.
  private static func spacing(_ sides: [Double]) -> Double {
    let count = sides.count == 2 ? places.plane : places.space
    let volume = sides.reduce(1) { $0 * max($1, 1e-3) }
    let spacing =
      sides.count == 2
      ? volume.squareRoot() / count.squareRoot() : Double.pow(volume / count, 1.0 / 3)
    // A very long and thin area is a line of places.
    return max(spacing, (sides.max() ?? 0) / count, 1e-3)
  }

  /// The longest standard deviation of the place, in metres.
  var breadth: Double {
    (0..<dimensions).map { covariance[$0, $0] }.reduce(0, +).squareRoot()
  }
}
