import Geometry

/// The errors of algorithms at the questions that all of them answered, so that refusing hard ones
/// helps no one.
package struct MatchedTable: Equatable, Sendable {
  /// One algorithm's line.
  package struct Row: Equatable, Sendable {
    package var name: String
    package var errors: ErrorSummary
    package var intervals: ErrorIntervals
  }

  /// Questions that all algorithms of the table answered.
  package var epochs: Int
  /// The traces with such questions.
  package var traces: Int
  /// In ascending order of the figure that the leaderboard is ranked by.
  package var rows: [Row]
  /// Algorithms left out, because with them there would be too few common questions.
  package var leftOut: [String]
}

extension MatchedTable {
  /// Leaves out the algorithm with the fewest answers until enough questions are common to the
  /// rest; nil where that never is.
  ///
  /// - Parameters:
  ///   - algorithms: those that answered anything, best first.
  ///   - asked: how many questions there were.
  ///   - leastShare: the share of them that is enough.
  init?(
    _ algorithms: [ComparedErrors], bootstrap: TraceBootstrap, asked: Int, leastShare: Double
  ) {
    var listed = algorithms
    leftOut = []
    var common = Self.common(listed)
    while listed.count > 1,
      Self.count(common) < max(Int((leastShare * Double(asked)).rounded(.up)), 1)
    {
      // Of equal ones the worse.
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

  /// Returns whether all algorithms answered each question of each trace.
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
