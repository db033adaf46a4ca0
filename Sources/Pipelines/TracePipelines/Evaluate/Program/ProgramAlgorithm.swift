import Positioning
import Support

/// A user's program as an algorithm (`exec:./mine`).
///
/// The program is started once for each trace and gets lines of JSON: first the site, which needs
/// no answer, then one epoch after the other. It answers each epoch with a line before it gets the
/// next. It never gets the truth. docs/exec.md has the keys.
struct ProgramAlgorithm: PositioningAlgorithm {
  /// The command, for the shell.
  let command: String
  /// The time for one answer, in milliseconds.
  let patience: Int
  /// The names of the anchors, by their numbers.
  let anchors: @Sendable (Int) -> String

  var name: String { "exec:\(command)" }

  func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
    var track = ProgramTrack(self, in: surroundings)
    return scans.map { track.locate($0) }
  }

  func track(in surroundings: Surroundings) -> (any LiveTrack)? {
    ProgramTrack(self, in: surroundings)
  }
}

/// A program at work on one trace.
private struct ProgramTrack: LiveTrack {
  private let algorithm: ProgramAlgorithm
  private let surroundings: Surroundings
  private var child: ChildProgram?
  private var failures = 0
  private var last = Refusal.crashed

  /// The number of failures in one trace after which the program is not started again for it.
  private static let mostFailures = 3

  init(_ algorithm: ProgramAlgorithm, in surroundings: Surroundings) {
    self.algorithm = algorithm
    self.surroundings = surroundings
  }

  mutating func locate(_ scan: Scan) -> Outcome {
    guard failures < Self.mostFailures else { return .refused(last) }
    do throws(ChildProgram.Failure) {
      let program: ChildProgram
      if let running = child {
        program = running
      } else {
        guard let started = try? ChildProgram(algorithm.command) else { throw .ended }
        program = started
        try program.send(
          SiteLine(surroundings, name: algorithm.anchors).line, within: algorithm.patience)
        child = program
      }
      return PositionLine.outcome(
        of: try program.ask(
          EpochLine(scan, name: algorithm.anchors).line, within: algorithm.patience),
        isSpace: surroundings.dimensions == .space)
    } catch {
      child = nil
      failures += 1
      last =
        switch error {
        case .timedOut: .timedOut
        case .ended: .crashed
        case .malformed: .invalidAnswer
        }
      return .refused(last)
    }
  }
}
