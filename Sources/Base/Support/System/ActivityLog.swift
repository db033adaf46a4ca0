import Synchronization

/// A receiver of the notes and the progress of an engine while it works.
///
/// An engine neither prints nor knows whether there is a terminal; its caller does.
///
/// ```swift
/// struct Console: ActivityLog {
///   func note(_ text: String) { print("note:", text) }
/// }
/// ```
public protocol ActivityLog: Sendable {
  /// Receives a sentence without a full stop, such as what was left out and how often.
  ///
  /// Properties of a request are in backticks, as in code. A warning, after which results may
  /// differ from what the caller expects, starts with `warning: `.
  func note(_ text: String)

  /// Begins work that may take long.
  ///
  /// - Parameters:
  ///   - label: what is done, and on what, such as `fit bench.h5`.
  ///   - total: how many units of work there are, 0 where that is not known.
  func progress(_ label: String, total: Int) -> any ActivityProgress
}

extension ActivityLog {
  public func progress(_ label: String, total: Int) -> any ActivityProgress { SilentLog() }
}

extension ActivityLog {
  /// Notes what makes results differ from what a person may expect.
  package func warn(_ text: String) { note("warning: \(text)") }
}

/// The progress of a piece of work; it may be updated from several threads.
public protocol ActivityProgress: Sendable {
  /// Receives how many units of work are done.
  func update(_ done: Int)
  /// Ends the display, whether all is done or not.
  func finish()
}

/// The progress of files that are read one after the other or side by side, in bytes.
package struct FilesProgress: Sendable {
  private let whole: any ActivityProgress
  private let lengths: [Int]
  private let read: Read

  /// How much of each file, and of all, was read.
  private final class Read: Sendable {
    let bytes: Mutex<(files: [Int], all: Int)>

    init(_ count: Int) { bytes = Mutex((Array(repeating: 0, count: count), 0)) }
  }

  /// Begins reading; the progress is unknown where the standard input is among the files.
  package init(_ label: String, _ files: [String], log: any ActivityLog) {
    lengths = files.map { fileLength($0) }
    read = Read(files.count)
    whole = log.progress(label, total: files.contains("-") ? 0 : lengths.reduce(0, +))
  }

  /// Of one file: its updates count beside those of the other files, and its end is that of the
  /// file.
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

/// Notes that are kept until those before them are out, as in files that are read side by side.
package final class HeldNotes: ActivityLog {
  private let notes = Mutex<[String]>([])

  package init() {}

  package func note(_ text: String) { notes.withLock { $0.append(text) } }

  /// Hands the notes on, in their order.
  ///
  /// - Parameter name: what they are about, such as a file; nil where they name it themselves.
  package func pass(to log: any ActivityLog, about name: String? = nil) {
    for note in notes.withLock({ $0 }) { log.note(name.map { "\($0): \(note)" } ?? note) }
  }
}

/// A log and a progress that keep nothing.
public struct SilentLog: ActivityLog, ActivityProgress {
  /// Creates a log that discards everything.
  public init() {}
  public func note(_ text: String) {}
  public func update(_ done: Int) {}
  public func finish() {}
}

/// Where an engine writes lines of text that another program reads while it works, such as the
/// standard output of a program.
package protocol LineWriter {
  /// Writes text, which may wait in a buffer until `flush`.
  func write(_ text: String) throws
  func flush() throws
}
