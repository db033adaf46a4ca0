import Synchronization

/// A receiver of the notes and the progress of an engine while it works.
///
/// An engine does not print or depend on a terminal; its caller does.
///
/// ```swift
/// struct Console: ActivityLog {
///   func note(_ text: String) { print("note:", text) }
/// }
/// ```
public protocol ActivityLog: Sendable {
  /// Receives a sentence without a full stop, such as what was excluded and how often.
  ///
  /// Properties of a request are in backticks, as in code. A warning, which means that results may
  /// differ from the caller's expectation, starts with `warning: `.
  func note(_ text: String)

  /// Starts work that may take long.
  ///
  /// - Parameters:
  ///   - label: The work and its object, such as `fit bench.h5`.
  ///   - total: The number of units of work; 0 if it is unknown.
  func progress(_ label: String, total: Int) -> any ActivityProgress
}

extension ActivityLog {
  public func progress(_ label: String, total: Int) -> any ActivityProgress { SilentLog() }
}

extension ActivityLog {
  /// Notes a reason why results may differ from a user's expectation.
  package func warn(_ text: String) { note("warning: \(text)") }
}

/// A log that receives equal notes once, such as those of many traces.
package final class DistinctLog: ActivityLog {
  private let log: any ActivityLog
  private let noted = Mutex<Set<String>>([])

  package init(_ log: any ActivityLog) { self.log = log }

  package func note(_ text: String) {
    guard noted.withLock({ $0.insert(text).inserted }) else { return }
    log.note(text)
  }
}

/// The progress of a piece of work; it may be updated from several threads.
public protocol ActivityProgress: Sendable {
  /// Receives the number of completed units of work.
  func update(_ done: Int)
  /// Ends the display, even if work remains.
  func finish()
}

/// The progress of reading several files, one after the other or in parallel, in bytes.
package struct FilesProgress: Sendable {
  private let whole: any ActivityProgress
  private let lengths: [Int]
  private let read: Read

  /// The number of bytes read of each file and of all.
  private final class Read: Sendable {
    let bytes: Mutex<(files: [Int], all: Int)>

    init(_ count: Int) { bytes = Mutex((Array(repeating: 0, count: count), 0)) }
  }

  /// Starts reading; the progress is unknown if the standard input is among the files.
  package init(_ label: String, _ files: [String], log: any ActivityLog) {
    lengths = files.map { fileLength($0) }
    read = Read(files.count)
    whole = log.progress(label, total: files.contains("-") ? 0 : lengths.reduce(0, +))
  }

  /// Returns the progress of one file: its updates are added to those of the other files, and its
  /// end is that of the file.
  package func file(_ index: Int) -> any ActivityProgress {
    File(index: index, length: lengths[index], read: read, whole: whole)
  }

  package func finish() { whole.finish() }

  private struct File: ActivityProgress {
    let index: Int
    let length: Int
    let read: Read
    let whole: any ActivityProgress

    func update(_ done: Int) {
      read.bytes.withLock { bytes in
        bytes.all += done - bytes.files[index]
        bytes.files[index] = done
        whole.update(bytes.all)
      }
    }

    func finish() { update(length) }
  }
}

/// Notes that are held until earlier ones are printed, as for files that are read in parallel.
package final class HeldNotes: ActivityLog {
  private let notes = Mutex<[String]>([])

  package init() {}

  package func note(_ text: String) { notes.withLock { $0.append(text) } }

  /// Passes the notes on, in their order.
  ///
  /// - Parameter name: The subject of the notes, such as a file; `nil` if they name it themselves.
  package func pass(to log: any ActivityLog, about name: String? = nil) {
    for note in notes.withLock({ $0 }) { log.note(name.map { "\($0): \(note)" } ?? note) }
  }
}

/// A log and a progress that discard everything.
public struct SilentLog: ActivityLog, ActivityProgress {
  /// Creates a log that discards everything.
  public init() {}
  public func note(_ text: String) {}
  public func update(_ done: Int) {}
  public func finish() {}
}

/// A writer of lines of text that another program reads while an engine works, such as the standard
/// output.
package protocol LineWriter {
  /// Writes text, which may be buffered until `flush`.
  func write(_ text: String) throws
  func flush() throws
}
