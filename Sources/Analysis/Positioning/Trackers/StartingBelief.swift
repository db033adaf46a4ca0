import Geometry
import NumericalMethods
import RealModule

/// The initial belief of a track: the mean and covariance of the place, of the anchors' shadowing
/// and of the error common to all levels, from the levels of one moment, by weighting places over
/// the whole area.
struct StartingBelief {
  /// The number of coordinates of the place, two or three.
  let dimensions: Int
  /// A Boolean value that is true if the offset of all levels is the last element.
  let hasOffset: Bool
  /// The anchors whose shadowings are estimated, and the others.
  let estimated, considered: [Int]
  /// The place, then the estimated shadowings in units of their standard deviations, then the offset
  /// of all levels in dB.
  private(set) var mean: [Double]
  /// The covariances of these elements, one per row, with one another and with the other
  /// shadowings.
  private(set) var covariance: Matrix

  /// The approximate numbers of places, in the plane and in space.
  private static let places = (plane: 1000.0, space: 3000.0)

  /// - Parameters:
  ///   - offsetVariance: The variance of the error common to all levels, in dB²; 0 for none.
  ///   - mostShadowings: The largest number of estimated shadowings, those of the strongest anchors.
  /// - Returns: `nil` if no place of the area is inside a room.
  init?(
    _ levels: [TrackedTrace.Level], _ links: MeasurementModel, offsetVariance: Double,
    mostShadowings: Int, in area: WalkableArea
  ) {
    let levels = levels.count > mostShadowings ? levels.sorted { $0.rssi > $1.rssi } : levels
    estimated = levels.prefix(mostShadowings).map(\.anchor)
    considered = levels.dropFirst(mostShadowings).map(\.anchor)
    let (width, depth) = (
      area.bounds.maximum.x - area.bounds.minimum.x, area.bounds.maximum.y - area.bounds.minimum.y
    )
    let tallness = area.heights.map { $0.upperBound - $0.lowerBound }
    dimensions = tallness == nil ? 2 : 3
    hasOffset = offsetVariance > 0
    let size = dimensions + estimated.count + (hasOffset ? 1 : 0)
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
    var leftover = [[Double]](repeating: [], count: estimated.count)
    // The uncertainty of the offset at each place, and its effect on the shadowings.
    var doubts: [[Double]] = []
    let last = estimated.count
    func row(_ place: [Double], _ shadowings: [Double], _ offset: Double?) -> [Double] {
      place + shadowings.prefix(last) + (offset.map { [$0] } ?? []) + shadowings.dropFirst(last)
    }
    for place in places {
      let fits = levels.map { Fit($0, links, at: place, offsetVariance: offsetVariance) }
      var log = fits.reduce(0) { $0 + $1.logLikelihood }
      var offset = 0.0
      if hasOffset {
        let precision = fits.reduce(1 / offsetVariance) { $0 + $1.precision }
        let sum = fits.reduce(0) { $0 + $1.precision * $1.residual }
        offset = sum / precision
        log += 0.5 * sum * offset - 0.5 * Double.log(offsetVariance * precision)
        let doubt = (1 / precision).squareRoot()
        doubts.append(
          row([Double](repeating: 0, count: dimensions), fits.map { -$0.gain * doubt }, doubt))
      }
      rows.append(
        row(
          dimensions == 2 ? [place.x, place.y] : [place.x, place.y, place.z],
          fits.map { $0.gain * ($0.residual - offset) }, hasOffset ? offset : nil))
      for index in leftover.indices {
        leftover[index].append(1 - fits[index].gain * fits[index].deviation)
      }
      logs.append(log)
    }
    let best = logs.max() ?? 0
    let weights = logs.map { Double.exp($0 - best) }
    let total = weights.reduce(0, +)
    var mean = [Double](repeating: 0, count: size + considered.count)
    for (row, weight) in zip(rows, weights) {
      for index in mean.indices { mean[index] += weight / total * row[index] }
    }
    var covariance = Matrix(zeros: size, mean.count)
    func add(_ deviations: [Double], _ weight: Double) {
      let scale = (weight / total).squareRoot()
      let scaled = deviations.map { scale * $0 }
      covariance.addOuter(Array(scaled.prefix(size)), scaled)
    }
    for (row, weight) in zip(rows, weights) where weight > 1e-12 {
      add(zip(row, mean).map { $0 - $1 }, weight)
    }
    for (doubt, weight) in zip(doubts, weights) where weight > 1e-12 { add(doubt, weight) }
    for index in 0..<dimensions { covariance[index, index] += across * across / 12 }
    for (index, parts) in leftover.enumerated() {
      covariance[dimensions + index, dimensions + index] +=
        zip(parts, weights).reduce(0) { $0 + $1.0 * $1.1 / total }
    }
    (self.mean, self.covariance) = (Array(mean.prefix(size)), covariance)
  }

  /// The fit of a level at a place without a common error.
  private struct Fit {
    var residual: Double
    var deviation: Double
    /// The shadowing per unit of the residual, and the inverse of its variance; 0 for an outlier.
    var (gain, precision) = (0.0, 0.0)
    var logLikelihood: Double

    init(
      _ level: TrackedTrace.Level, _ links: MeasurementModel, at place: SpacePoint,
      offsetVariance: Double
    ) {
      let (expected, deviation) = links.level(level.anchor, at: place.planar, height: place.z)
      let packet = links.packetVariance(level.anchor, packets: level.packets)
      let variance = deviation * deviation + packet
      (residual, self.deviation) = (level.rssi - expected, deviation)
      let robust = RobustLevel(
        residual: Float(residual), variance: Float(variance + offsetVariance),
        leastLogLikelihood: RobustLevel.leastLogLikelihood(
          typicalVariance: links.typicalVariance(level.anchor) + packet + offsetVariance))
      logLikelihood = Double(robust.logLikelihood)
      guard !robust.isOutlier else { return }
      (gain, precision) = (deviation / variance, 1 / variance)
      if offsetVariance > 0 {
        logLikelihood = -0.5 * (residual * residual / variance + Double.log(variance))
      }
    }
  }

  /// Returns the spacing of places on a grid of squares or cubes, at least 1 mm.
  private static func spacing(_ sides: [Double]) -> Double {
    let count = sides.count == 2 ? places.plane : places.space
    let volume = sides.reduce(1) { $0 * max($1, 1e-3) }
    let spacing =
      sides.count == 2
      ? volume.squareRoot() / count.squareRoot() : Double.pow(volume / count, 1.0 / 3)
    // A very long and thin area is a line of places.
    return max(spacing, (sides.max() ?? 0) / count, 1e-3)
  }
}
