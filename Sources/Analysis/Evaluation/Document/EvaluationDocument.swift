/// Everything that one evaluation states, for every form it is written in: plain data.
///
/// It holds no time of day and nothing of the machine, so that the same input gives the same bytes.
public struct EvaluationDocument: Sendable {
  /// The heading of the evaluation.
  public var title: String
  /// The questions, trace by trace.
  public var traces: [EvaluatedTrace]
  /// The answers of each algorithm, in any order; the names are those of the leaderboard.
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
  /// The notes for a reader, one sentence each, as printed on standard error.
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

/// What an evaluation was made with, so that it can be made again.
package struct EvaluationProvenance: Equatable, Codable, Sendable {
  /// A file that was read.
  package struct Input: Equatable, Codable, Sendable {
    /// The path as it was typed.
    package var name: String
    /// SHA-256 in hexadecimal digits.
    package var sha256: String
    package var bytes: UInt64

    package init(name: String, sha256: String, bytes: UInt64) {
      self.name = name
      self.sha256 = sha256
      self.bytes = bytes
    }
  }

  /// The program's version.
  package var version: String
  /// The command as it was typed, without what its results do not depend on.
  package var commandLine: String
  package var inputs: [Input]

  package init(version: String, commandLine: String, inputs: [Input]) {
    self.version = version
    self.commandLine = commandLine
    self.inputs = inputs
  }
}

/// The constants of one group of links that the answers were worked out with.
package struct ReportedCalibration: Equatable, Codable, Sendable {
  /// The group, such as a beacon's name or `all links`.
  package var group: String
  /// The trace that was left out when these were fitted; nil = they serve every trace.
  package var leftOut: String?
  /// RSSI at 1 m, in dBm.
  package var measuredPower: Double
  /// Path-loss exponent.
  package var exponent: Double
  /// Standard deviation of the level about the path-loss curve, in dB.
  package var sigma: Double
  /// Levels behind the fit; nil where it was not stated.
  package var samples: Int?

  package init(
    group: String, leftOut: String? = nil, measuredPower: Double, exponent: Double, sigma: Double,
    samples: Int? = nil
  ) {
    self.group = group
    self.leftOut = leftOut
    self.measuredPower = measuredPower
    self.exponent = exponent
    self.sigma = sigma
    self.samples = samples
  }
}
