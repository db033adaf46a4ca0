public import Support

/// The complete result of one evaluation, for every output format: plain data.
///
/// It contains no time of day and no property of the machine, so that the same input gives the same
/// bytes.
public struct EvaluationDocument: Sendable {
  /// The heading of the evaluation.
  public var title: String
  /// The questions, trace by trace.
  public var traces: [EvaluatedTrace]
  /// The answers of each algorithm, in any order, with the names of the leaderboard.
  public var answers: [AlgorithmAnswers]
  /// The scores of those answers.
  @Boxed public var leaderboard: Leaderboard
  /// The changes since an earlier evaluation; `nil` if none was given.
  package internal(set) var changes: EvaluationChanges?
  /// The recording of each trace if traces are blocks of recordings; `nil` otherwise.
  let owners: [Int]?
  @Boxed package var site: ReportedSite
  /// The path-loss constants that the answers used.
  package var calibration: [ReportedCalibration]
  @Boxed package var settings: EvaluationSettings
  @Boxed package var provenance: EvaluationProvenance
  /// The notes for a reader, one sentence each, which are also printed on standard error.
  public var notes: [String]

  /// - Parameters:
  ///   - traces: The questions; of traces with the same name, as in two files, the later ones get a
  ///     number as a suffix.
  ///   - owners: The recording of each trace if traces are blocks of recordings.
  package init(
    title: String, traces: [EvaluatedTrace], answers: [AlgorithmAnswers], leaderboard: Leaderboard,
    site: ReportedSite = ReportedSite(), calibration: [ReportedCalibration] = [],
    settings: EvaluationSettings, provenance: EvaluationProvenance, notes: [String] = [],
    owners: [Int]? = nil
  ) {
    precondition(
      answers.allSatisfy { answer in
        answer.outcomes.map(\.count) == traces.map(\.questions.count)
      }, "expected one answer per algorithm and question")
    self.title = title
    self.traces = Self.withUniqueNames(traces)
    self.answers = answers
    self.leaderboard = leaderboard
    self.site = site
    self.calibration = calibration
    self.settings = settings
    self.provenance = provenance
    self.notes = notes
    self.owners = owners
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

/// The provenance of an evaluation, from which it can be reproduced.
package struct EvaluationProvenance: Equatable, Codable, Sendable {
  /// An input file.
  package struct Input: Equatable, Codable, Sendable {
    /// The path as given on the command line.
    package var name: String
    /// The SHA-256 in hexadecimal digits.
    package var sha256: String
    package var bytes: UInt64

    package init(name: String, sha256: String, bytes: UInt64) {
      self.name = name
      self.sha256 = sha256
      self.bytes = bytes
    }
  }

  /// The version of the program.
  package var version: String
  /// The command line, without options that do not affect the results.
  package var commandLine: String
  package var inputs: [Input]

  package init(version: String, commandLine: String, inputs: [Input]) {
    self.version = version
    self.commandLine = commandLine
    self.inputs = inputs
  }
}

/// The constants of one group of links that the answers used.
package struct ReportedCalibration: Equatable, Codable, Sendable {
  /// The group, such as a beacon's name or `all links`.
  package var group: String
  /// The trace that was left out of the fit; `nil` if the constants apply to every trace.
  package var leftOut: String?
  /// The RSSI at 1 m, in dBm.
  package var measuredPower: Double
  /// The path-loss exponent.
  package var exponent: Double
  /// The standard deviation of the level about the path-loss curve, in dB.
  package var sigma: Double
  /// The number of levels in the fit; `nil` if it is unknown.
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
