/// The answers of several algorithms to the same scans.
struct Ensemble {
  private let names: [String]
  /// For each member, its outcome of each scan.
  private let outcomes: [[Outcome]]

  init(
    _ members: [any PositioningAlgorithm], asked scans: [Scan], in surroundings: Surroundings
  ) {
    names = members.map(\.name)
    outcomes = members.map { $0.locate(scans, in: surroundings) }
  }

  fileprivate init(_ names: [String], outcomes: [[Outcome]]) {
    (self.names, self.outcomes) = (names, outcomes)
  }

  /// The estimates of one scan with their members' numbers, and why the other members have none.
  func answers(
    to scan: Int
  ) -> (answers: [(member: Int, estimate: Estimate)], leftOut: [String: Estimate.Omission]) {
    var answers: [(member: Int, estimate: Estimate)] = []
    var leftOut: [String: Estimate.Omission] = [:]
    for member in outcomes.indices {
      switch outcomes[member][scan] {
      case .located(let estimate): answers.append((member, estimate))
      case .refused(let refusal): leftOut[names[member]] = .refused(refusal)
      }
    }
    return (answers, leftOut)
  }
}

/// A combination at work: its members' tracks, and how their answers to a scan become one.
struct EnsembleTrack: LiveTrack {
  private let names: [String]
  private var tracks: [any LiveTrack] = []
  private let outcome: (Ensemble, Int) -> Outcome

  /// - Returns: nil where a member's answers need later scans.
  init?(
    _ members: [any PositioningAlgorithm], in surroundings: Surroundings,
    outcome: @escaping (_ ensemble: Ensemble, _ scan: Int) -> Outcome
  ) {
    names = members.map(\.name)
    self.outcome = outcome
    for member in members {
      guard let track = member.track(in: surroundings) else { return nil }
      tracks.append(track)
    }
  }

  mutating func locate(_ scan: Scan) -> Outcome {
    var outcomes: [[Outcome]] = []
    for index in tracks.indices { outcomes.append([tracks[index].locate(scan)]) }
    return outcome(Ensemble(names, outcomes: outcomes), 0)
  }
}
