package import Positioning
package import Support

/// An algorithm by its name: one of the library, or a program.
package struct ChosenAlgorithm: Sendable {
  private enum Kind {
    case known(any PositioningAlgorithm)
    /// A program, which gets the names of the anchors.
    case program(String)
  }

  package let name: String
  private let kind: Kind
  private let patience: Int
  private var idle: IdlePrograms?

  /// The permitted times for one answer of a program.
  package static let patiences = DurationRange(
    .milliseconds(1)...DurationRange.longest, such: "10s or 500ms")

  /// - Parameters:
  ///   - name: an algorithm of `Algorithms` with its parameters, or `exec:` and a program.
  ///   - patience: the time that a program may take for one answer.
  ///   - shown: the name that reports show of a program that takes the site of another trace after
  ///     the last epoch; `nil` for the given name, and one start for each trace.
  package init(
    _ name: String, patience: Duration, named shown: String? = nil
  ) throws(RSSIError) {
    try Self.patiences.require(patience, "`patience`")
    self.name = shown ?? name
    if shown != nil { idle = IdlePrograms() }
    self.patience = Int(clamping: patience.nanoseconds / 1_000_000)
    if name.hasPrefix("exec:") {
      let command = String(name.dropFirst("exec:".count))
      guard command.contains(where: { !$0.isWhitespace }) else {
        throw RSSIError(.usage, "exec: needs a program, as in exec:./mine")
      }
      kind = .program(command)
    } else {
      kind = .known(try Algorithms.named(name))
    }
  }

  /// Creates a choice of an algorithm of the caller.
  package init(_ own: any PositioningAlgorithm) {
    (name, kind, patience) = (own.name, .known(own), 0)
  }

  /// Returns algorithms in the order of their names, each once.
  ///
  /// - Parameters:
  ///   - names: the names; `all` stands for all that can answer.
  ///   - withSurvey: true if there is a survey to learn a site from.
  package static func named(
    _ names: [String], patience: Duration, withSurvey: Bool
  ) throws(RSSIError) -> [ChosenAlgorithm] {
    var seen: Set<String> = []
    let names = names.flatMap { name in
      name == "all" ? Algorithms.all(withSurvey: withSurvey) : [name]
    }.filter { seen.insert($0).inserted }
    guard !names.isEmpty else { throw RSSIError(.usage, "name an algorithm, or all") }
    return try names.map { name throws(RSSIError) in
      try ChosenAlgorithm(name, patience: patience)
    }
  }

  /// Returns the algorithm for targets whose anchors have these names.
  ///
  /// - Parameter log: The log for mistakes of a program.
  package func algorithm(
    anchors: [String], log: any ActivityLog = SilentLog()
  ) -> any PositioningAlgorithm {
    switch kind {
    case .known(let algorithm): algorithm
    case .program(let command):
      ProgramAlgorithm(command: command, patience: patience, log: log, idle: idle) { anchors[$0] }
    }
  }
}
