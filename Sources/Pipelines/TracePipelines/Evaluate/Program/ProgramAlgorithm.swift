import Positioning
import Support
import Synchronization

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
  /// The log for floors that the site does not have.
  let log: any ActivityLog
  /// Programs that have answered a trace and wait for the next; `nil` starts one for each trace.
  var idle: IdlePrograms?
  /// The names of the anchors, by their numbers.
  let anchors: @Sendable (Int) -> String

  var name: String { "exec:\(command)" }
  /// True: it gets all floors at once, and answers with one.
  var usesBuildingMap: Bool { true }

  func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
    var track = ProgramTrack(self, in: surroundings)
    defer { track.rest() }
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
        guard let ready = algorithm.idle?.take() ?? (try? ChildProgram(algorithm.command)) else {
          throw .ended
        }
        program = ready
        try program.send(
          SiteLine(surroundings, name: algorithm.anchors).line, within: algorithm.patience)
        child = program
      }
      let answer = try program.ask(
        EpochLine(scan, name: algorithm.anchors).line, within: algorithm.patience)
      let outcome = PositionLine.outcome(of: answer, isSpace: surroundings.dimensions == .space)
      guard case .located(let estimate) = outcome, let building = surroundings.building else {
        return outcome
      }
      return located(estimate, answer, in: building)
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

  /// Lets the program wait for another trace, if programs are used again.
  mutating func rest() {
    if let child { algorithm.idle?.keep(child) }
    child = nil
  }

  /// Returns a position with the floor of the program's line.
  private func located(_ estimate: Estimate, _ answer: [UInt8], in building: Building) -> Outcome {
    let floors = building.floors.map(\.name)
    var estimate = estimate
    guard floors.count > 1 else {
      estimate.floor = 0
      return .located(estimate)
    }
    guard let line = try? FloorLine(json: answer), line.isValid else {
      return .refused(.invalidAnswer)
    }
    guard let name = line.floor?.name else { return .located(estimate) }
    guard let floor = floors.firstIndex(of: name) else {
      algorithm.log.warn(
        "\(algorithm.name): unknown floor \"\(name)\" in an answer, which counts as "
          + "\(Refusal.invalidAnswer); expected one of \(listed(floors))")
      return .refused(.invalidAnswer)
    }
    estimate.floor = floor
    if let probability = line.floor_probability {
      // The other floors share the rest evenly.
      let rest = (1 - probability) / Double(floors.count - 1)
      estimate.floorProbabilities = floors.indices.map { $0 == floor ? probability : rest }
    }
    return .located(estimate)
  }
}

/// Programs that wait for the site of another trace, since starting one takes longer than its answers.
final class IdlePrograms: Sendable {
  /// A program, which one thread at a time has.
  private struct Waiting: @unchecked Sendable { let program: ChildProgram }

  private let programs = Mutex<[Waiting]>([])

  func take() -> ChildProgram? { programs.withLock { $0.popLast() }?.program }

  func keep(_ program: ChildProgram) {
    let waiting = Waiting(program: program)
    programs.withLock { $0.append(waiting) }
  }
}
