import Geometry

/// The forward–backward algorithm over a whole trace in a building.
///
/// Forward weights are kept at every √n-th of n steps, and computed again between two of these, so
/// that memory grows with √n.
struct FloorSmoother {
  private let map: BuildingMap
  private let motion: FloorMotion

  init(on map: BuildingMap, _ motion: FloorMotion? = nil) {
    (self.map, self.motion) = (map, motion ?? FloorMotion(on: map))
  }

  /// A part of a trace without a gap, and the questions about it.
  private struct Segment {
    var steps: [FloorStep] = []
    /// The time after the last whole step.
    var rest: FloorStep?
    var questions: [(number: Int, asked: Int64)] = []
  }

  /// Returns the answers to all scans of a trace.
  func answers(_ scans: [Scan]) -> [Outcome] {
    var outcomes = [Outcome](repeating: .refused(.notConverged), count: scans.count)
    forEachBelief(scans) { number, weights in
      outcomes[number] = FloorBelief.outcome(weights, map.exponents.smoother, on: map)
    }
    return outcomes
  }

  /// Calls a closure with the number of each scan of a trace and the weight of each cell at its
  /// requested time, last ones first.
  func forEachBelief(_ scans: [Scan], _ body: (_ number: Int, _ weights: [Float]) -> Void) {
    var steps = FloorSteps(seconds: motion.stepSeconds)
    var segments: [Segment] = []
    for (number, scan) in scans.enumerated() {
      let (whole, rest, isAfterGap) = steps.take(scan)
      if isAfterGap { segments.append(Segment()) }
      segments[segments.count - 1].steps += whole
      segments[segments.count - 1].rest = rest
      segments[segments.count - 1].questions.append((number, scan.asked))
    }
    for segment in segments { answer(segment, body) }
  }

  private func answer(_ segment: Segment, _ body: (Int, [Float]) -> Void) {
    let steps = segment.steps + [segment.rest].compactMap(\.self)
    guard !steps.isEmpty else { return }
    var asked: [Int: [Int]] = [:]
    for question in segment.questions {
      let step = steps.partitioningIndex { $0.end >= question.asked }
      asked[min(step, steps.count - 1), default: []].append(question.number)
    }
    let length = max(Int(Double(steps.count).squareRoot().rounded(.up)), 8)
    let starts = Array(stride(from: 0, to: steps.count, by: length))
    var kept: [[Float]] = []
    var weights = motion.start
    for first in starts {
      kept.append(weights)
      for step in first..<min(first + length, steps.count) {
        advance(&weights, to: step, map.likelihood(of: steps[step]))
      }
    }
    var ahead = [Float](repeating: 1, count: weights.count)
    for (first, start) in zip(starts, kept).reversed() {
      let chunk = first..<min(first + length, steps.count)
      let likelihoods = steps[chunk].map { map.likelihood(of: $0) }
      weights = start
      var forward: [[Float]] = []
      for step in chunk {
        advance(&weights, to: step, likelihoods[step - first])
        forward.append(weights)
      }
      for step in chunk.reversed() {
        if let numbers = asked[step] {
          var seen = forward[step - first]
          for index in seen.indices { seen[index] *= ahead[index] }
          let weights = seen.summed(over: FloorMotion.states)
          for number in numbers { body(number, weights) }
        }
        ahead.multiply(by: likelihoods[step - first])
        motion.retreat(&ahead)
      }
    }
  }

  private func advance(_ weights: inout [Float], to step: Int, _ likelihood: [Float]) {
    if step > 0 { motion.advance(&weights) }
    weights.multiply(by: likelihood)
  }
}
