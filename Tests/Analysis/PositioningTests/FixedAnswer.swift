import Geometry
import Positioning

/// An algorithm that says what it is told to, for tests of what is built upon algorithms.
struct FixedAnswer: PositioningAlgorithm {
  var name: String
  var isCausal = true
  var outcome: Outcome

  init(_ name: String, _ outcome: Outcome, isCausal: Bool = true) {
    (self.name, self.outcome, self.isCausal) = (name, outcome, isCausal)
  }

  init(_ name: String, at x: Double, _ y: Double, _ covariance: Covariance? = nil) {
    let uncertainty = covariance.map { Uncertainty.covariance($0) } ?? .unavailable(.noErrorModel)
    self.init(name, .located(Estimate(position: Point(x: x, y: y), uncertainty: uncertainty)))
  }

  func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
    scans.map { _ in outcome }
  }

  func track(in surroundings: Surroundings) -> (any LiveTrack)? {
    isCausal ? FixedTrack(outcome: outcome) : nil
  }

  private struct FixedTrack: LiveTrack {
    var outcome: Outcome
    func locate(_ scan: Scan) -> Outcome { outcome }
  }
}

extension Outcome {
  var estimate: Estimate? {
    if case .located(let estimate) = self { estimate } else { nil }
  }
}

extension PositioningAlgorithm {
  /// The answer to a scan in which nothing was heard.
  func answer(in surroundings: Surroundings = Surroundings()) -> Outcome {
    locate([Scan(instant: 0, start: -1, observations: [])], in: surroundings)[0]
  }
}
