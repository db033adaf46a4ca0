import Foundation
import Positioning

/// Anybody's program as an algorithm (`exec:./mine`).
///
/// It is started once for each trace and gets lines of JSON: first the site, which needs no answer,
/// then one epoch after the other, each of which it answers with a line before it gets the next. It
/// is never told the truth. docs/exec.md has the keys.
struct ProgramAlgorithm: PositioningAlgorithm {
  /// For the shell.
  let command: String
  /// The time for one answer, milliseconds.
  let patience: Int
  /// The names of the anchors, by their numbers.
  let anchors: @Sendable (Int) -> String

  var name: String { "exec:\(command)" }

  /// After so many failures in one trace the program is not started again for it.
  private static let mostFailures = 3

  func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
    var child: ChildProgram?
    var failures = 0
    var last = Refusal.crashed
    return scans.map { scan in
      guard failures < Self.mostFailures else { return .refused(last) }
      do throws(ChildProgram.Silence) {
        let program: ChildProgram
        if let running = child {
          program = running
        } else {
          guard let started = try? ChildProgram(command) else { throw .ended }
          program = started
          try program.tell(SiteLine(surroundings, name: anchors).line, within: patience)
          child = program
        }
        return PositionLine.outcome(
          of: try program.ask(EpochLine(scan, name: anchors).line, within: patience),
          isSpace: surroundings.dimensions == .space)
      } catch {
        child = nil
        failures += 1
        last =
          switch error {
          case .timedOut: .timedOut
          case .ended: .crashed
          case .babble: .invalidAnswer
          }
        return .refused(last)
      }
    }
  }
}
