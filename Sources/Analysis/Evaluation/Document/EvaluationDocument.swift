/// Everything that one evaluation states, for every form it is written in: plain data.
///
/// It holds no time of day and nothing of the machine, so that the same input gives the same bytes.
public struct EvaluationDocument: Sendable {
  /// What was evaluated, as a heading.
  public var title: String
  /// The questions, trace by trace.
  public var traces: [EvaluatedTrace]
  /// What each algorithm stated to them, in any order: the names are those of the leaderboard.
  public var answers: [AlgorithmAnswers]
  /// The scores of those answers.
  public var leaderboard: Leaderboard
  /// What became better or worse since an earlier evaluation; nil where none was given.
  package internal(set) var changes: EvaluationChanges?
  package var site: ReportedSite
  /// The constants that the answers were worked out with.
  package var calibration: [ReportedCalibration]
  package var settings: EvaluationSettings
  package var provenance: EvaluationProvenance
  /// What a reader should know beforehand: one sentence each, as stated on standard error.
  public var notes: [String]

  /// - Parameter traces: where two have one name, as in two files, the later ones get a number
  ///   behind it.
  package init(
    title: String, traces: [EvaluatedTrace], answers: [AlgorithmAnswers], leaderboard: Leaderboard,
    site: ReportedSite = ReportedSite(), calibration: [ReportedCalibration] = [],
    settings: EvaluationSettings, provenance: EvaluationProvenance, notes: [String] = []
  ) {
    precondition(
      answers.allSatisfy { answer in
        answer.outcomes.map(\.count) == traces.map(\.questions.count)
      }, "every algorithm answers every question")
    self.title = title
    self.traces = Self.withUniqueNames(traces)
    self.answers = answers
    self.leaderboard = leaderboard
    self.site = site
    self.calibration = calibration
    self.settings = settings
    self.provenance = provenance
    self.notes = notes
  }

  private static func withUniqueNames(_ traces: [EvaluatedTrace]) -> [EvaluatedTrace] {
    var taken: Set<String> = []
    return traces.map { trace in
      var named = trace
      var number = 2
      while !taken.insert(named.name).inserted {
        named.name = "\(trace.name) (\(number))"
        number += 1
      }
      return named
    }
  }
}
