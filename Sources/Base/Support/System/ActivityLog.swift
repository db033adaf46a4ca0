/// Where an engine sends what a person may want to know while it works.
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

/// How far a piece of work is; it may be updated from several threads.
public protocol ActivityProgress: Sendable {
  /// Receives how many units of work are done.
  func update(_ done: Int)
  /// Ends the display, whether all is done or not.
  func finish()
}

/// The progress of files that are read one after the other, in bytes.
package struct FilesProgress {
  private let whole: any ActivityProgress
  private let lengths: [Int]

  /// Begins reading; the progress is unknown where the standard input is among the files.
  package init(_ label: String, _ files: [String], log: any ActivityLog) {
    lengths = files.map { fileLength($0) }
    whole = log.progress(label, total: files.contains("-") ? 0 : lengths.reduce(0, +))
  }

  /// Of one file: its updates count on from the files before it.
  package func file(_ index: Int) -> any ActivityProgress {
    Part(whole: whole, before: lengths[..<index].reduce(0, +))
  }

  package func finish() { whole.finish() }

  private struct Part: ActivityProgress {
    let whole: any ActivityProgress
    let before: Int

    func update(_ done: Int) { whole.update(before + done) }
    func finish() {}
  }
}

/// A log and a progress that keep nothing.
public struct SilentLog: ActivityLog, ActivityProgress {
  public init() {}
  public func note(_ text: String) {}
  public func update(_ done: Int) {}
  public func finish() {}
}
