import Geometry
import NumericalMethods
import RealModule

/// A Gaussian belief about a walking target, the shadowing of the received anchors, and the
/// target's place at times of open questions.
///
/// The estimated elements are the place (2 or 3), the velocity (2), then, in order of their
/// appearance, the shadowings of some anchors, the offset of all levels, and the places at times of
/// open questions. The shadowings of the other anchors are considered: their estimates remain 0,
/// but their covariances with the errors of the estimated elements are known, so that repeated
/// levels of such an anchor do not count as independent. One of its levels costs O(k² + k m) for k
/// estimated elements and m considered shadowings, less if most elements are shadowings.
///
/// Source: Schmidt, "Application of state-space methods to navigation problems", Advances in
/// Control Systems 3 (1966).
struct KalmanState {
  /// The meaning of an estimated element after the velocity.
  private enum Element: Equatable {
    case shadowing(Int)
    /// The offset common to all levels, in dB.
    case offset
    /// A coordinate of the target's place at the time of an open question.
    case past(Int64)

    var isShadowing: Bool {
      if case .shadowing = self { true } else { false }
    }
  }

  /// An anchor whose shadowing is considered.
  private struct Considered {
    let anchor: Int
    /// The correlation of its shadowing with that of its latest level.
    var correlation = 1.0
  }

  let dimensions: Int
  private var mean: [Double]
  private var covariance: Matrix
  private var elements: [Element]
  private var considered: [Considered]
  /// The covariances of the estimated elements, one per row, with the considered shadowings.
  private var shared: Matrix
  private(set) var time: Int64
  /// The time of the initial belief.
  let start: Int64
  /// The largest number of estimated shadowings.
  private let mostShadowings: Int

  /// The usual number of estimated shadowings: more than most sites have anchors within reach.
  static let usualShadowings = 64
  /// The least share of a shadowing's variance that levels must explain for it to be kept.
  private static let leastExplained = 0.02

  init(_ start: StartingBelief, motion: Pedestrian, time: Int64, mostShadowings: Int) {
    let d = start.dimensions
    let order: [Int?] = Array(0..<d) + [nil, nil] + Array(d..<start.mean.count)
    dimensions = d
    mean = order.map { $0.map { start.mean[$0] } ?? 0 }
    covariance = start.covariance.selecting(rows: order, columns: order)
    covariance[d, d] = motion.componentVariance
    covariance[d + 1, d + 1] = motion.componentVariance
    elements = start.estimated.map { .shadowing($0) } + (start.hasOffset ? [.offset] : [])
    considered = start.considered.map { Considered(anchor: $0) }
    shared = start.covariance.selecting(
      rows: order, columns: considered.indices.map { $0 + start.mean.count })
    self.time = time
    self.start = time
    self.mostShadowings = mostShadowings
  }

  private var size: Int { mean.count }
  private func index(of element: Element) -> Int? {
    elements.firstIndex(of: element).map { $0 + dimensions + 2 }
  }

  /// The indices of the estimated shadowings.
  var shadowings: [Int] {
    elements.indices.filter { elements[$0].isShadowing }.map { $0 + dimensions + 2 }
  }

  /// Propagates the belief to a time.
  mutating func advance(to later: Int64, motion: Pedestrian) {
    guard later > time else { return }
    let seconds = Double(later - time) * 1e-9
    time = later
    let (d, step) = (dimensions, motion.step(seconds))
    let way =
      seconds
      * (mean[d] * mean[d] + mean[d + 1] * mean[d + 1] + covariance[d, d]
      + covariance[d + 1, d + 1]).squareRoot()
    let kept = Shadowing.correlation(after: way)
    let shadowings = shadowings
    /// Returns F M.
    func propagated(_ matrix: Matrix) -> Matrix {
      var matrix = matrix
      for column in 0..<matrix.columns {
        for axis in 0..<2 {
          matrix[axis, column] += step.way * matrix[d + axis, column]
          matrix[d + axis, column] *= step.share
        }
        for row in shadowings { matrix[row, column] *= kept }
      }
      return matrix
    }
    for axis in 0..<2 {
      mean[axis] += step.way * mean[d + axis]
      mean[d + axis] *= step.share
    }
    for index in shadowings { mean[index] *= kept }
    // F P Fᵀ of a symmetric P.
    covariance = propagated(propagated(covariance).transposed)
    for axis in 0..<2 {
      covariance[axis, axis] += step.positionVariance
      covariance[axis, d + axis] += step.crossVariance
      covariance[d + axis, axis] += step.crossVariance
      covariance[d + axis, d + axis] += step.velocityVariance
    }
    if d == 3 { covariance[2, 2] += motion.climb * motion.climb * seconds }
    for index in shadowings { covariance[index, index] += 1 - kept * kept }
    guard !considered.isEmpty else { return }
    shared = kept * propagated(shared)
    for index in considered.indices { considered[index].correlation *= kept }
  }

  /// Stores the current place as that of a time.
  mutating func remember(_ time: Int64) {
    for _ in 0..<dimensions { elements.append(.past(time)) }
    select(Array(0..<size) + Array(0..<dimensions))
  }

  /// Returns the place at a time, with its covariance; the current one if it is not stored.
  func place(at time: Int64? = nil) -> (mean: [Double], covariance: Matrix) {
    let first = time.flatMap { index(of: .past($0)) } ?? 0
    let indices = Array(first..<(first + dimensions))
    return (indices.map { mean[$0] }, covariance.selecting(rows: indices, columns: indices))
  }

  /// Forgets the place of a time, and shadowings that are as uncertain as those of new anchors.
  mutating func forget(_ time: Int64) {
    let kept = (0..<size).filter { index in
      guard index >= dimensions + 2 else { return true }
      switch elements[index - dimensions - 2] {
      case .past(let past): return past != time
      case .shadowing: return covariance[index, index] < 1 - Self.leastExplained
      case .offset: return true
      }
    }
    elements = kept.dropFirst(dimensions + 2).map { elements[$0 - dimensions - 2] }
    let columns = considered.indices.filter {
      considered[$0].correlation * considered[$0].correlation > Self.leastExplained
    }
    considered = columns.map { considered[$0] }
    select(kept, considered: columns)
  }

  /// Replaces the estimated elements and the considered shadowings by those of some indices; `nil`
  /// is a new one, independent of the others, with a variance of 0.
  private mutating func select(_ indices: [Int?], considered columns: [Int?]? = nil) {
    mean = indices.map { $0.map { mean[$0] } ?? 0 }
    covariance = covariance.selecting(rows: indices, columns: indices)
    shared = shared.selecting(rows: indices, columns: columns ?? Array(0..<shared.columns))
  }

  /// Clamps the place to the walkable area.
  mutating func clamp(to area: WalkableArea) {
    let place = area.clamp(Point(x: mean[0], y: mean[1]))
    (mean[0], mean[1]) = (place.x, place.y)
    if let heights = area.heights {
      mean[2] = min(max(mean[2], heights.lowerBound), heights.upperBound)
    }
  }

  /// Updates the belief with the levels of one moment, in their order; returns `true` for each level
  /// that is an outlier and got less weight.
  mutating func update(_ levels: [TrackedTrace.Level], _ links: MeasurementModel) -> [Bool] {
    admit(levels.map(\.anchor))
    return levels.map { update($0, links) }
  }

  /// Includes new anchors, and estimates the shadowings of received ones while there is room.
  private mutating func admit(_ anchors: [Int]) {
    let others = anchors.filter { index(of: .shadowing($0)) == nil }
    let new = others.filter { column(of: $0) == nil }
    if !new.isEmpty {
      let columns: [Int?] = Array(considered.indices) + new.map { _ in nil }
      considered += new.map { Considered(anchor: $0) }
      select(Array(0..<size), considered: columns)
    }
    for anchor in others.prefix(max(0, mostShadowings - shadowings.count)) {
      guard let column = column(of: anchor) else { continue }
      let covariances = (0..<size).map { shared[$0, column] }
      elements.append(.shadowing(anchor))
      considered.remove(at: column)
      select(
        Array(0..<size) + [nil], considered: (0..<shared.columns).filter { $0 != column })
      for (other, value) in covariances.enumerated() {
        covariance[size - 1, other] = value
        covariance[other, size - 1] = value
      }
      covariance[size - 1, size - 1] = 1
    }
  }

  private func column(of anchor: Int) -> Int? { considered.firstIndex { $0.anchor == anchor } }

  /// Updates the belief with a level; returns `true` if the level is an outlier and got less
  /// weight.
  ///
  /// The level is linearised over the breadth of the belief by a fit in the mean square
  /// (statistical linearisation), and again over the updated belief, so that neither the pole at an
  /// anchor nor an initial belief metres wide upsets it. Source: García-Fernández et al.,
  /// "Posterior linearization filter", IEEE T-SP 63 (2015).
  private mutating func update(_ level: TrackedTrace.Level, _ links: MeasurementModel) -> Bool {
    let d = dimensions
    let (own, offset) = (index(of: .shadowing(level.anchor)), index(of: .offset))
    let column = own == nil ? column(of: level.anchor) : nil
    // The elements that the level depends on are few.
    let indices = (Array(0..<d) + [own, offset].compactMap(\.self)).sorted()
    var slopes = indices.map { _ in 1.0 }
    let noise = links.packetVariance(level.anchor, packets: level.packets)
    var there = SIMD3(mean[0], mean[1], d == 3 ? mean[2] : 0)
    var spread = place().covariance
    var isOutlier = false
    var (cross, deviation, error, variance) = ([Double](), 0.0, 0.0, 1.0)
    for _ in 0..<3 {
      guard let line = LevelLine(level.anchor, links, mean: there, covariance: spread) else {
        return true
      }
      deviation = line.deviation
      var expected = line.level
      for axis in 0..<d { expected += line.slope[axis] * (mean[axis] - there[axis]) }
      for (place, index) in indices.enumerated() {
        if index < d { slopes[place] = line.slope[index] }
        if index == own { slopes[place] = deviation }
        if index >= d { expected += slopes[place] * mean[index] }
      }
      cross = covariance.sum(ofRows: indices, times: slopes)
      variance = line.remainder + noise
      if let column {
        for index in 0..<size { cross[index] += deviation * shared[index, column] }
        variance += deviation * deviation
        for (index, slope) in zip(indices, slopes) {
          variance += deviation * slope * shared[index, column]
        }
      }
      for (index, slope) in zip(indices, slopes) { variance += slope * cross[index] }
      error = level.rssi - expected
      isOutlier = error * error > RobustLevel.longestSquaredScore * variance
      // The weight of an outlier is that of an error at the limit.
      variance = max(variance, error * error / RobustLevel.longestSquaredScore)
      for i in 0..<d {
        there[i] = mean[i] + cross[i] * error / variance
        for j in 0..<d { spread[i, j] = covariance[i, j] - cross[i] * cross[j] / variance }
      }
    }
    let scale = 1 / variance.squareRoot()
    cross = cross.map { $0 * scale }
    var (gain, rest) = (cross, cross.map { _ in 0.0 })
    if column != nil {
      // Levels of the many considered anchors leave the estimated shadowings as they are.
      for index in shadowings { swap(&gain[index], &rest[index]) }
    }
    for index in 0..<size { mean[index] += gain[index] * scale * error }
    covariance.addOuter(gain, cross, times: -1)
    covariance.addOuter(rest, gain, times: -1)
    if !considered.isEmpty {
      var others = shared.sum(ofRows: indices, times: slopes)
      if let column {
        others[column] += deviation
        considered[column].correlation = 1
      }
      shared.addOuter(gain, others, times: -scale)
    }
    return isOutlier
  }
}
