extension HierarchicalFit {
  /// Why there is no fit.
  package enum Refusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// Row's index: a count below 1, a negative index, or sums that no real numbers have.
    case unusableSums(Int)
    case tooFewPositions(Int)
    case oneDistance
    /// The levels at each position are all the same, or all lie on the line.
    case noNoise

    package var description: String {
      switch self {
      case .unusableSums(let row):
        "row \(row) of the sums is of no packets, of a negative index or not of real numbers: "
          + "leave it out"
      case .tooFewPositions(let count):
        "a hierarchical fit of \(count) position\(count == 1 ? "" : "s") leaves nothing to judge "
          + "its errors by: record at 3 or more"
      case .oneDistance:
        "one distance only: measured power and exponent cannot be separated; "
          + "record at several distances"
      case .noNoise:
        "the packets of each position have the same level: their noise cannot be estimated; "
          + "give one mean for each position"
      }
    }
  }

  static func check(_ sums: [PositionSums]) throws(Refusal) {
    if let row = sums.firstIndex(where: { !$0.isUsable }) { throw .unusableSums(row) }
    let positions = Set(sums.map(\.position)).count
    guard positions >= 3 else { throw .tooFewPositions(positions) }
    let nearest = sums.map { $0.x / $0.n }.max() ?? 0
    let farthest = sums.map { $0.x / $0.n }.min() ?? 0
    guard nearest - farthest > 1e-9 * max(1, abs(nearest)) else { throw .oneDistance }
  }
}
