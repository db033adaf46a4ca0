import Geometry

/// The errors of algorithms at the questions that all of them answered, which removes the advantage
/// of refusing hard ones.
package struct MatchedTable: Equatable, Sendable {
  /// The row of one algorithm.
  package struct Row: Equatable, Sendable {
    package var name: String
    package var errors: ErrorSummary
    package var intervals: ErrorIntervals
  }

  /// The number of questions that all algorithms of the table answered.
  package var epochs: Int
  /// The number of traces with such questions.
  package var traces: Int
  /// The rows in ascending order of the ranking figure.
  package var rows: [Row]
  /// The algorithms that were excluded to keep enough common questions.
  package var leftOut: [String]
}

extension MatchedTable {
  /// Excludes the algorithm with the fewest answers until the rest have enough common questions, or
  /// returns `nil` if they never do.
  ///
  /// - Parameters:
  ///   - algorithms: The algorithms that answered anything, best first.
  ///   - asked: The number of questions.
  ///   - leastShare: The smallest share of common questions.
  init?(
    _ algorithms: [ComparedErrors], bootstrap: TraceBootstrap, asked: Int, leastShare: Double
  ) {
    var listed = algorithms
    leftOut = []
    var common = Self.common(listed)
    while listed.count > 1,
      Self.count(common) < max(Int((leastShare * Double(asked)).rounded(.up)), 1)
    {
      // Of several with equal counts, the worse is excluded.
      let answers = listed.map { $0.errors.joined().count { $0 != nil } }
      let fewest = answers.lastIndex(of: answers.min() ?? 0)!
      leftOut.append(listed.remove(at: fewest).name)
      common = Self.common(listed)
    }
    guard listed.count > 1 else { return nil }
    epochs = Self.count(common)
    traces = common.count { $0.contains(true) }
    rows = listed.compactMap { algorithm in
      let errors = zip(algorithm.errors, common).map { errors, common in
        zip(errors, common).compactMap { $1 ? $0 : nil }
      }
      return ErrorSummary(errors.flatMap(\.self)).map {
        Row(
          name: algorithm.name, errors: $0, intervals: ErrorIntervals(errors, bootstrap: bootstrap))
      }
    }
    let figure = algorithms[0].figure
    rows.sort { (figure.of($0.errors), $0.name) < (figure.of($1.errors), $1.name) }
  }

  /// Returns a Boolean value per question that is true if all algorithms answered it.
  private static func common(_ algorithms: [ComparedErrors]) -> [[Bool]] {
    guard var common = algorithms.first?.errors.map({ $0.map { $0 != nil } }) else { return [] }
    for algorithm in algorithms.dropFirst() {
      for (trace, errors) in algorithm.errors.enumerated() {
        for (index, error) in errors.enumerated() where error == nil {
          common[trace][index] = false
        }
      }
    }
    return common
  }

  private static func count(_ common: [[Bool]]) -> Int {
    common.reduce(0) { $0 + $1.count { $0 } }
  }
}
