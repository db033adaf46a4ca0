import Capture
import Glibc
import Recordings
import Sightings
import Support
import TracePipelines
import TraceStore

/// The files of a recording, one after the other.
struct RecordingFiles: ~Copyable {
  /// The raw events, written next to the trace.
  var btsnoop: BTSnoopWriter?
  /// The file of the raw events.
  private(set) var btsnoopPath: String?
  /// All files so far, in order.
  private(set) var paths: [String] = []
  /// The file that was closed last, unless it is being packed.
  private(set) var last: RecordedFile?
  private let asked: Shared<CaptureRequest>
  private var request: CaptureRequest { asked.value }
  /// The pattern of file names.
  private let pattern: String?
  private let session: SessionMark?
  /// The stream of a broker that the files are of, if any.
  var stream: StreamIdentity?
  private let provenance: Provenance
  private let clock: MachineClock
  private var began: Int64 = 0
  private var packing: BackgroundPacking

  init(
    _ asked: Shared<CaptureRequest>, session: SessionMark?, provenance: Provenance,
    _ context: LiveContext
  ) {
    self.asked = asked
    let request = asked.value
    pattern = request.pattern
    self.session = session
    self.provenance = provenance
    clock = context.clock
    packing = BackgroundPacking(request.packs ? request.packer : nil, log: context.log)
  }

  /// The publisher of the output; nil if it is a file or lines.
  var publisher: StreamPublisher?
  /// The trace being written; nil if there is none.
  var current: String? { paths.last }

  /// The name of the trace: that of its file, or of the first one if the time in it makes it too
  /// long.
  var traceName: String {
    let names = [request.trace, current.map(fileStem), pattern.map(fileStem)].compactMap(\.self)
    return names.first(where: TextLimit.trace.admits) ?? "capture"
  }

  /// Opens the next file; nil if the output is not a file.
  ///
  /// - Parameter time: the time of its first report; the trace of a replayed recording counts from
  ///   there, and has it in its name.
  mutating func open(at time: Int64) throws -> LiveTraceSink? {
    let start = request.source.name.isReplay ? time : clock.now()
    began = clock.monotonic()
    let isFirst = paths.isEmpty
    if isFirst, let folder = request.folder { try makeFolder(folder) }
    // Other captures may name files after the same second.
    let hold = (pattern ?? request.btsnoop).map(FolderHold.init(of:))
    defer { withExtendedLifetime(hold) {} }
    // A program that holds the folder for long, or a loaded machine: the process makes it unique.
    let mark = hold?.isHeld == false ? "-\(getpid())" : ""
    if let path = request.btsnoop {
      let needsStamp = request.rotate != nil || !isFirst
      let path = needsStamp ? FileRotation.stamped(path, start, mark) : path
      btsnoop = try BTSnoopWriter(path: path)
      btsnoopPath = path
    }
    guard let pattern else { return nil }
    // A file that was moved away, as by log rotation, leaves its name free.
    let needsStamp = request.isStamped || !isFirst && access(pattern, F_OK) == 0
    let path = needsStamp ? FileRotation.stamped(pattern, start, mark) : pattern
    let sink = try LiveTraceSink(
      path: path, start: start, provenance: provenance,
      clock: request.source.name.kind.clock, note: request.note, session: session,
      stream: stream, with: tables)
    paths.append(path)
    return sink
  }

  /// The occasional tables of the traces: those of the labels, and angles if all gateways measure
  /// them.
  private var tables: OccasionalTables {
    let hasAngles =
      request.source.name.kind.examples == SourceKind.uBlox.examples
      || [.minew, .uBlox].contains(request.source.gateways.dialect)
    return hasAngles ? request.labels.tables.union(.angles) : request.labels.tables
  }

  /// - Parameter file: the closed trace; nil if lines were written.
  mutating func close(_ file: RecordedFile?) throws {
    if let file {
      paths[paths.count - 1] = file.path
      last = file
    }
    try btsnoop.take()?.close()
  }

  /// Removes the latest file.
  ///
  /// - Returns: true if it existed.
  mutating func removeLast() -> Bool {
    guard let path = paths.last, removeTrace(path) else { return false }
    paths.removeLast()
    last = nil
    return true
  }

  /// Returns true if the trace got another name, which is its name from now on.
  mutating func follow(to path: String) -> Bool {
    guard current != path, !paths.isEmpty else { return false }
    paths[paths.count - 1] = path
    return true
  }

  /// The places for a copy of a trace whose file was deleted: under its own name, or next to
  /// another file that has the name; if the folder is gone, in the current one or in that for
  /// temporary files.
  var placesOfCopy: [String] {
    guard let current else { return [] }
    let name = current.split(separator: "/").last.map(String.init) ?? current
    return [current, "./\(name)", "\(temporaryFolder)/\(name)"].map { path in
      access(path, F_OK) == 0 ? FileRotation.stamped(path, clock.now()) : path
    }
  }

  /// Returns true if the file has reached its limit of time or size.
  func isDue(_ now: Int64) -> Bool {
    guard let rotation = request.rotate else { return false }
    if let period = rotation.period, now - began >= period.nanoseconds { return true }
    guard let bytes = rotation.bytes, let current else { return false }
    return fileSize(current) >= bytes
  }

  /// Compresses the file closed last while the recording goes on.
  mutating func packLast() {
    guard let file = last else { return }
    packing.append(file)
    if request.packs { last = nil }
  }

  /// Compresses the next file when the one before is done.
  mutating func packNext() { packing.startNext() }
}
