import RealModule

/// A Bayes filter over the floors and cells of a building, with or without a look back.
///
/// A question about an earlier time is answered from the weights of then and the likelihood of all
/// that was received since (the forward–backward algorithm).
///
/// Source: Rabiner, "A tutorial on hidden Markov models", Proceedings of the IEEE 77 (1989), section
/// III.
struct FloorTrack: LiveTrack {
  private let map: BuildingMap
  private let motion: FloorMotion
  private let claims: Double
  /// The time for which the past is kept for later questions, in nanoseconds.
  private let lag: Int64
  private var steps: FloorSteps
  private var weights: [Float]
  private var past: [Past] = []

  private struct Past {
    var end: Int64
    var weights: [Float]
    var likelihood: [Float]
  }

  /// The least likelihood of a cell, so that no step alone excludes one.
  static let leastLikelihood: Float = 1e-9

  /// - Parameter lag: The longest time by which questions are earlier than their scans, besides the
  ///   duration of a window, in nanoseconds.
  init(on map: BuildingMap, _ motion: FloorMotion? = nil, lag: Int64) {
    (self.map, self.lag) = (map, lag)
    claims = lag > 0 ? map.exponents.smoother : map.exponents.filter
    self.motion = motion ?? FloorMotion(on: map)
    steps = FloorSteps(seconds: self.motion.stepSeconds)
    weights = self.motion.start
  }

  mutating func locate(_ scan: Scan) -> Outcome {
    belief(scan).map { FloorBelief.outcome($0, claims, on: map) } ?? .refused(.notConverged)
  }

  /// Returns the weight of each cell at the requested time of a scan, or `nil` without a step.
  mutating func belief(_ scan: Scan) -> [Float]? {
    let (whole, rest, isAfterGap) = steps.take(scan)
    if isAfterGap {
      weights = motion.start
      past = []
    }
    for (number, step) in whole.enumerated() { take(step, isFirst: isAfterGap && number == 0) }
    past.removeAll { $0.end < scan.start - lag }
    var now = past
    if let rest {
      let settled = weights
      take(rest, isFirst: isAfterGap && whole.isEmpty)
      now = past
      past.removeLast()
      weights = settled
    }
    guard let last = now.last else { return nil }
    let asked = now.firstIndex { $0.end >= scan.asked } ?? now.count - 1
    var seen = now[asked].weights
    if asked < now.count - 1 {
      var ahead = [Float](repeating: 1, count: last.weights.count)
      for later in now[(asked + 1)...].reversed() {
        ahead.multiply(by: later.likelihood)
        motion.retreat(&ahead)
      }
      for index in seen.indices { seen[index] *= ahead[index] }
    }
    return seen.summed(over: FloorMotion.states)
  }

  private mutating func take(_ step: FloorStep, isFirst: Bool) {
    if !isFirst { motion.advance(&weights) }
    let likelihood = map.likelihood(of: step)
    weights.multiply(by: likelihood)
    past.append(Past(end: step.end, weights: weights, likelihood: likelihood))
  }
}

extension BuildingMap {
  /// Returns the likelihood of a step of a track in each cell, relative to the largest.
  func likelihood(of step: FloorStep) -> [Float] {
    let values = logLikelihood(
      of: step.received, seconds: step.seconds,
      weights: (
        Float(exponents.reception * step.seconds), Float(exponents.levels * step.seconds)
      ))
    var largest = -Float.infinity
    for cell in values.indices where cells.isOpen[cell] > 0 { largest = max(largest, values[cell]) }
    return values.indices.map {
      cells.isOpen[$0] > 0
        ? max(Float.exp(values[$0] - largest), FloorTrack.leastLikelihood) : 0
    }
  }
}

/// Weights by state and cell.
extension [Float] {
  /// Multiplies the weights of each state by a value per cell, and scales the largest to 1.
  mutating func multiply(by cells: [Float]) {
    var largest: Float = 0
    for first in stride(from: 0, to: count, by: cells.count) {
      for cell in cells.indices {
        self[first + cell] *= cells[cell]
        largest = Swift.max(largest, self[first + cell])
      }
    }
    guard largest > 0 else { return }
    for index in indices { self[index] *= 1 / largest }
  }

  /// Returns the sums over the states of each cell.
  func summed(over states: Int) -> [Float] {
    let cells = count / states
    var sums = [Float](repeating: 0, count: cells)
    for state in 0..<states { for cell in 0..<cells { sums[cell] += self[state * cells + cell] } }
    return sums
  }
}
