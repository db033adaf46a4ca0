import Sightings
import Support
import TraceStore

/// What a capture is to do.
struct CapturePlan {
  var source: SourceName
  /// The trace to write; nil writes lines to standard output.
  var output: String?
  var btsnoop: String?
  var selection = Selection()
  var labels = Labels()
  var note = ""
  /// The name of the receiver, in place of its own.
  var receiver: String?
  var traceName: String?
  /// Nanoseconds after which it ends; nil = when asked to.
  var duration: Int64?
  /// Sightings after which it ends.
  var count: Int?
  var rotation: Rotation?
  /// Nanoseconds between two writes to the file: the most that a kill costs.
  var flushPeriod: Int64 = 1_000_000_000
  /// The time that the trace counts from, where that is not now: a recording's own.
  var start: Int64?
  /// The session that it records a part of, and which part.
  var session: (mark: SessionMark, part: SessionPart)?
  /// Whether to compress each file once it is closed.
  var packs = true

  /// The files that it reads and writes.
  ///
  /// - Parameter isPart: whether it records a part of a session, which is numbered and never a
  ///   stream.
  func files(isPart: Bool = false) -> CommandFiles {
    var files = CommandFiles()
    if case .replay(let file) = source { files.read([file]) }
    files.write(
      [output ?? "-"], as: "-o", isStream: !isPart, isPattern: isPart || rotation != nil)
    files.write([btsnoop], as: "--btsnoop", isPattern: rotation != nil)
    return files
  }
}
