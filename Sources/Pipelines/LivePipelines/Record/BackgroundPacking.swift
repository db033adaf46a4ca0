package import Support
import TraceStore

/// A program that compresses a trace, whose name follows the arguments.
package struct PackingProgram: Sendable {
  package var executable: String
  package var arguments: [String]
  package var environment: [String: String]

  package init(executable: String, arguments: [String], environment: [String: String]) {
    (self.executable, self.arguments, self.environment) = (executable, arguments, environment)
  }
}

/// The compression of recorded files, one at a time and each in a separate process, while recording
/// goes on.
struct BackgroundPacking {
  private let program: PackingProgram?
  private let log: any ActivityLog
  private var waiting: [RecordedFile] = []
  private var running: BackgroundProgram?

  init(_ program: PackingProgram?, log: any ActivityLog) {
    (self.program, self.log) = (program, log)
  }

  /// Accepts a file; it stays open until its turn, so that no other file gets its identity.
  mutating func append(_ file: RecordedFile) {
    guard program != nil, file.isInPlace, file.fate != .moved else { return }
    waiting.append(file)
    startNext()
  }

  /// Starts with the next file when the one before is done.
  mutating func startNext() {
    guard let program, running?.isRunning != true, !waiting.isEmpty else { return }
    let file = waiting.removeFirst()
    // Another file may have its name by now.
    guard file.isInPlace else { return }
    // A file that cannot be packed stays intact; the process writes the reason to standard error.
    do {
      running = try BackgroundProgram(
        [program.executable] + program.arguments + [file.path], environment: program.environment)
    } catch {
      log.warn("cannot pack in the background (\(error)): run `rssi pack` later")
    }
  }
}

extension RecordedFile {
  /// Compresses the file in place, unless another program moved it; a failure leaves it as it was
  /// written.
  package func pack(noting log: any ActivityLog) {
    guard fate != .moved else {
      return log.warn("\(path) was moved and not packed: run `rssi pack` to compress it")
    }
    do {
      try TraceStore.pack(TraceReader(path: path, toRewriteAt: path), to: path, adding: nil)
    } catch {
      log.warn("\(path) was not packed (\(error)): run `rssi pack` later")
    }
  }
}
