import Foundation
import Recordings
import Sightings
import Support
import TraceStore

/// The files of a capture, one after the other.
struct CaptureFiles: ~Copyable {
  /// The raw events beside the trace.
  var btsnoop: BTSnoopWriter?
  /// Where the raw events go.
  private(set) var btsnoopPath: String?
  /// Every file so far, in order.
  private(set) var paths: [String] = []
  /// The file that was closed last, unless it is being packed.
  private(set) var last: RecordedFile?
  private let plan: CapturePlan
  private let provenance: Provenance
  private var began: Int64 = 0
  private var waiting: [RecordedFile] = []
  private var packer: Process?

  init(_ plan: CapturePlan, provenance: Provenance) {
    self.plan = plan
    self.provenance = provenance
  }

  /// The trace being written; nil where lines are.
  var current: String? { paths.last }

  var traceName: String { plan.traceName ?? current.map(fileStem) ?? "capture" }

  /// Opens the next file; nil where lines are written.
  ///
  /// - Parameter time: when its first report was received; a recording's trace counts from there,
  ///   and has it in its name.
  mutating func open(at time: Int64) throws -> LiveTraceSink? {
    let start = plan.source.isReplay ? time : SystemClock.now
    began = SystemClock.monotonic
    let isFirst = paths.isEmpty
    if let path = plan.btsnoop {
      let needsStamp = plan.rotation != nil || !isFirst
      let path = needsStamp ? Rotation.stamped(path, start) : path
      btsnoop = try BTSnoopWriter(path: path)
      btsnoopPath = path
    }
    guard let output = plan.output else { return nil }
    // A file that was moved away, as log rotation does, leaves its name free.
    let needsStamp = plan.rotation != nil || !isFirst && access(output, F_OK) == 0
    let path = needsStamp ? Rotation.stamped(output, start) : output
    let sink = try LiveTraceSink(
      path: path, start: start, provenance: provenance,
      clock: plan.source.clock, note: plan.note, session: plan.session?.mark)
    paths.append(path)
    return sink
  }

  /// - Parameter file: the trace that was closed; nil where lines were written.
  mutating func close(_ file: RecordedFile?) throws {
    if let file {
      paths[paths.count - 1] = file.path
      last = file
    }
    try btsnoop.take()?.close()
  }

  /// Whether the trace got another name, which is its name from now on.
  mutating func follow(to path: String) -> Bool {
    guard current != path, !paths.isEmpty else { return false }
    paths[paths.count - 1] = path
    return true
  }

  /// Where a copy may go of a trace whose file was deleted: under its own name, or beside it where
  /// another file has that; where the folder is gone, in the present one or for temporary files.
  var placesOfCopy: [String] {
    guard let current else { return [] }
    let name = current.split(separator: "/").last.map(String.init) ?? current
    return [current, "./\(name)", "\(NSTemporaryDirectory())/\(name)"].map { path in
      access(path, F_OK) == 0 ? Rotation.stamped(path, SystemClock.now) : path
    }
  }

  /// Whether the file has reached its limit of time or size.
  func isDue(_ now: Int64) -> Bool {
    guard let rotation = plan.rotation else { return false }
    if let period = rotation.period, now - began >= period { return true }
    guard let bytes = rotation.bytes, let current else { return false }
    return fileSize(current) >= bytes
  }

  /// Compresses the file closed last in a process of its own, so that listening goes on; one file
  /// at a time.
  mutating func pack() {
    guard plan.packs, let file = last, file.isInPlace, file.fate != .moved else { return }
    waiting.append(file)
    // It stays open as long as it is known here, and on the disk beside its packed form.
    last = nil
    packNext()
  }

  /// Begins with the next file to pack, when the one before is done.
  mutating func packNext() {
    guard packer?.isRunning != true, !waiting.isEmpty else { return }
    let file = waiting.removeFirst()
    // Another file may have its name by now.
    guard file.isInPlace else { return }
    let process = Process()
    // By what is running, not by its name: that may be another version by now.
    process.executableURL = URL(fileURLWithPath: "/proc/\(getpid())/exe")
    process.arguments = ["pack", "--quiet", file.path]
    process.environment = childEnvironment()
    process.standardOutput = FileHandle.nullDevice
    // What cannot be packed stays as it is, and whole; the process writes why to standard error.
    do { try process.run() } catch {
      StandardError.write(
        line: "rssi: cannot pack in the background (\(error)): run `rssi pack` later")
    }
    packer = process
  }
}
