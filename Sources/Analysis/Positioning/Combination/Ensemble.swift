/// The answers of several algorithms to the same scans.
struct Ensemble {
  private let names: [String]
  /// The outcomes of each member, one per scan.
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

  /// Returns the reason of the first member that refuses a scan; `nil` if none does.
  func firstRefusal(of scan: Int) -> Refusal? {
    outcomes.lazy.compactMap { $0[scan].refusal }.first
  }

  /// Returns the estimates of one scan with their members' indices, and the reasons of the others.
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

/// The live track of a combination: the members' tracks and the function that combines their
/// answers.
struct EnsembleTrack: LiveTrack {
  private let names: [String]
  private var tracks: [any LiveTrack] = []
  private let outcome: (Ensemble, Int) -> Outcome

  /// - Returns: `nil` if a member's answers need later scans.
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
