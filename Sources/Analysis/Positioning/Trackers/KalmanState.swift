import Geometry
import NumericalMethods
import RealModule

/// A Gaussian belief about a walking target, the shadowing of the received anchors, and the
/// target's place at times of open questions.
///
/// The elements are the place (2 or 3), the velocity (2), then, in order of their appearance, one
/// shadowing per received anchor, the offset of all levels, and the places at times of open
/// questions.
struct KalmanState {
  /// The meaning of an element after the velocity.
  private enum Element: Equatable {
    case shadowing(Int)
    /// The offset common to all levels, in dB.
    case offset
    /// A coordinate of the target's place at the time of an open question.
    case past(Int64)
  }

  let dimensions: Int
  private var mean: [Double]
  private var covariance: Matrix
  private var elements: [Element] = []
  private(set) var time: Int64
  /// The time of the initial belief.
  let start: Int64

  init(_ start: StartingBelief, anchors: [Int], motion: Pedestrian, time: Int64) {
    let (d, size) = (start.dimensions, start.mean.count + 2)
    func place(_ index: Int) -> Int { index < d ? index : index + 2 }
    dimensions = d
    var mean = [Double](repeating: 0, count: size)
    var covariance = Matrix(zeros: size, size)
    for i in start.mean.indices {
      mean[place(i)] = start.mean[i]
      for j in start.mean.indices { covariance[place(i), place(j)] = start.covariance[i, j] }
    }
    covariance[d, d] = motion.componentVariance
    covariance[d + 1, d + 1] = motion.componentVariance
    (self.mean, self.covariance) = (mean, covariance)
    elements = anchors.map { .shadowing($0) } + (start.hasOffset ? [.offset] : [])
    self.time = time
    self.start = time
  }

  private var size: Int { mean.count }
  private func index(of element: Element) -> Int? {
    elements.firstIndex(of: element).map { $0 + dimensions + 2 }
  }

  /// Propagates the belief to a time.
  mutating func advance(to later: Int64, motion: Pedestrian) {
    guard later > time else { return }
    let seconds = Double(later - time) * 1e-9
    time = later
    let (d, step) = (dimensions, motion.step(seconds))
    let way =
      seconds
      * (dot(mean[d..<(d + 2)].map(\.self), mean[d..<(d + 2)].map(\.self))
      + covariance[d, d] + covariance[d + 1, d + 1]).squareRoot()
    let kept = Shadowing.correlation(after: way)
    for axis in 0..<2 {
      mean[axis] += step.way * mean[d + axis]
      mean[d + axis] *= step.share
      // Rows, then columns, of F P Fᵀ.
      for j in 0..<size { covariance[axis, j] += step.way * covariance[d + axis, j] }
      for j in 0..<size { covariance[d + axis, j] *= step.share }
      for i in 0..<size { covariance[i, axis] += step.way * covariance[i, d + axis] }
      for i in 0..<size { covariance[i, d + axis] *= step.share }
      covariance[axis, axis] += step.positionVariance
      covariance[axis, d + axis] += step.crossVariance
      covariance[d + axis, axis] += step.crossVariance
      covariance[d + axis, d + axis] += step.velocityVariance
    }
    if d == 3 { covariance[2, 2] += motion.climb * motion.climb * seconds }
    for (offset, element) in elements.enumerated() {
      guard case .shadowing = element else { continue }
      let index = d + 2 + offset
      mean[index] *= kept
      for j in 0..<size { covariance[index, j] *= kept }
      for i in 0..<size { covariance[i, index] *= kept }
      covariance[index, index] += 1 - kept * kept
    }
  }

  /// Stores the current place as that of a time.
  mutating func remember(_ time: Int64) {
    for axis in 0..<dimensions {
      append(.past(time))
      let index = size - 1
      mean[index] = mean[axis]
      for j in 0..<index { covariance[index, j] = covariance[axis, j] }
      for i in 0..<index { covariance[i, index] = covariance[i, axis] }
      covariance[index, index] = covariance[axis, axis]
    }
  }

  /// Returns the place at a time, with its covariance; the current one if it is not stored.
  func place(at time: Int64? = nil) -> (mean: [Double], covariance: Matrix) {
    let first = time.flatMap { index(of: .past($0)) } ?? 0
    var part = Matrix(zeros: dimensions, dimensions)
    for i in 0..<dimensions {
      for j in 0..<dimensions { part[i, j] = covariance[first + i, first + j] }
    }
    return (Array(mean[first..<(first + dimensions)]), part)
  }

  /// Forgets the place of a time, and shadowings that are as uncertain as those of new anchors.
  mutating func forget(_ time: Int64) {
    let kept = (0..<size).filter { index in
      guard index >= dimensions + 2 else { return true }
      switch elements[index - dimensions - 2] {
      case .past(let past): return past != time
      case .shadowing: return covariance[index, index] < 0.98
      case .offset: return true
      }
    }
    elements = kept.dropFirst(dimensions + 2).map { elements[$0 - dimensions - 2] }
    var smaller = Matrix(zeros: kept.count, kept.count)
    for (i, from) in kept.enumerated() {
      for (j, other) in kept.enumerated() { smaller[i, j] = covariance[from, other] }
    }
    mean = kept.map { mean[$0] }
    covariance = smaller
  }

  private mutating func append(_ element: Element) {
    var larger = Matrix(zeros: size + 1, size + 1)
    for i in 0..<size { for j in 0..<size { larger[i, j] = covariance[i, j] } }
    covariance = larger
    mean.append(0)
    elements.append(element)
  }

  /// Clamps the place to the walkable area.
  mutating func clamp(to area: WalkableArea) {
    let place = area.clamp(Point(x: mean[0], y: mean[1]))
    (mean[0], mean[1]) = (place.x, place.y)
    if let heights = area.heights {
      mean[2] = min(max(mean[2], heights.lowerBound), heights.upperBound)
    }
  }

  /// Updates the belief with a level; returns `true` if the level is an outlier and got less
  /// weight.
  ///
  /// The level is linearised over the breadth of the belief by a fit in the mean square
  /// (statistical linearisation), and again over the updated belief, so that neither the pole at an
  /// anchor nor an initial belief metres wide upsets it. Source: García-Fernández et al.,
  /// "Posterior linearization filter", IEEE T-SP 63 (2015).
  mutating func update(_ level: TrackedTrace.Level, _ links: MeasurementModel) -> Bool {
    let d = dimensions
    if index(of: .shadowing(level.anchor)) == nil {
      append(.shadowing(level.anchor))
      covariance[size - 1, size - 1] = 1
    }
    guard let shadowing = index(of: .shadowing(level.anchor)) else { return false }
    let offset = index(of: .offset)
    var (there, spread) = place()
    var isOutlier = false
    var (cross, error, variance) = ([Double](), 0.0, 1.0)
    for _ in 0..<3 {
      guard let line = LevelLine(level.anchor, links, mean: there, covariance: spread) else {
        return true
      }
      // The elements that the level depends on are few.
      var row = (0..<d).map { (index: $0, slope: line.slope[$0]) }
      row.append((shadowing, line.deviation))
      if let offset { row.append((offset, 1)) }
      row.sort { $0.index < $1.index }
      cross = (0..<size).map { i in
        row.reduce(0) { $0 + $1.slope * covariance[i, $1.index] }
      }
      variance =
        row.reduce(0) { $0 + $1.slope * cross[$1.index] } + line.remainder
        + links.packetVariance(level.anchor, packets: level.packets)
      let expected = line.level + (0..<d).reduce(0) { $0 + line.slope[$1] * (mean[$1] - there[$1]) }
      error =
        level.rssi - expected - line.deviation * mean[shadowing] - (offset.map { mean[$0] } ?? 0)
      isOutlier = error * error > RobustLevel.longestSquaredScore * variance
      // The weight of an outlier is that of an error at the limit.
      variance = max(variance, error * error / RobustLevel.longestSquaredScore)
      for i in 0..<d {
        there[i] = mean[i] + cross[i] * error / variance
        for j in 0..<d { spread[i, j] = covariance[i, j] - 1 / variance * (cross[i] * cross[j]) }
      }
    }
    for i in 0..<size { mean[i] += cross[i] * error / variance }
    covariance.addOuter(cross, times: -1 / variance)
    return isOutlier
  }
}

/// An anchor's level as a linear function of the place: the best in the mean square over a Gaussian
/// belief.
///
/// Integrals use three Gauss–Hermite points per coordinate, exact for polynomials of the fifth
/// degree.
struct LevelLine {
  /// The level at the belief's mean, in dBm.
  private(set) var level = 0.0
  /// The slope, in dB/m.
  private(set) var slope: [Double]
  /// The variance of the curve about the line, in dB².
  private(set) var remainder = 0.0
  /// The standard deviation of the shadowing at the belief's mean, in dB.
  let deviation: Double

  /// - Returns: `nil` if the covariance is not positive definite.
  init?(_ anchor: Int, _ links: MeasurementModel, mean: [Double], covariance: Matrix) {
    let d = mean.count
    guard let root = Self.root(covariance) else { return nil }
    deviation =
      links.level(anchor, at: Point(x: mean[0], y: mean[1]), height: d == 3 ? mean[2] : 0).deviation
    var samples: [(shift: [Double], level: Double, weight: Double)] = []
    let nodes = [(0.0, 2.0 / 3), (3.0.squareRoot(), 1.0 / 6), (-3.0.squareRoot(), 1.0 / 6)]
    for number in 0..<(d == 2 ? 9 : 27) {
      let choice = [number % 3, number / 3 % 3, number / 9]
      var shift = [Double](repeating: 0, count: d)
      var weight = 1.0
      for axis in 0..<d {
        weight *= nodes[choice[axis]].1
        for i in axis..<d { shift[i] += root[i, axis] * nodes[choice[axis]].0 }
      }
      let place = zip(mean, shift).map { $0 + $1 }
      let level = links.level(
        anchor, at: Point(x: place[0], y: place[1]), height: d == 3 ? place[2] : 0
      ).level
      samples.append((shift, level, weight))
    }
    level = samples.reduce(0) { $0 + $1.weight * $1.level }
    var cross = [Double](repeating: 0, count: d)
    var variance = 0.0
    for sample in samples {
      let excess = sample.level - level
      variance += sample.weight * excess * excess
      for axis in 0..<d { cross[axis] += sample.weight * excess * sample.shift[axis] }
    }
    guard let factor = CholeskyFactor(covariance.elements, size: d) else { return nil }
    slope = factor.solve(cross)
    remainder = max(variance - dot(slope, cross), 0)
  }

  /// Returns the lower triangular matrix L with L Lᵀ = matrix.
  private static func root(_ matrix: Matrix) -> Matrix? {
    var root = Matrix(zeros: matrix.rows, matrix.rows)
    for i in 0..<matrix.rows {
      for j in 0...i {
        let rest = matrix[i, j] - (0..<j).reduce(0) { $0 + root[i, $1] * root[j, $1] }
        if i == j {
          guard rest > 0 else { return nil }
          root[i, i] = rest.squareRoot()
        } else {
          root[i, j] = rest / root[j, j]
        }
      }
    }
    return root
  }
}
