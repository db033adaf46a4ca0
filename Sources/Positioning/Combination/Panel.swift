/// What several algorithms say to the same scans.
struct Panel {
  private let names: [String]
  /// For each member, its outcome of each scan.
  private let outcomes: [[Outcome]]

  init(
    _ members: [any PositioningAlgorithm], asked scans: [Scan], in surroundings: Surroundings
  ) {
    names = members.map(\.name)
    outcomes = members.map { $0.locate(scans, in: surroundings) }
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
