import Inputs
import Registries
import Reporting
import Screens
import Sightings
import Support
import TraceStore

/// What a capture tells when it ends: the figures of its file, or of its files together, and what
/// was lost.
struct CaptureReport {
  private let sightings: Int
  private let leftOut: Int
  private let losses: [Gap.Reason: (times: Int, dropped: UInt64)]
  private let rejected: [String: UInt64]
  private let packets: PacketFigures
  private let paths: [String]
  /// The one file, where there is one and it is where it was written.
  private let single: String?

  private let registry: Registry

  init(_ recorder: borrowing Recorder, isThere: Bool, _ registry: Registry) {
    self.registry = registry
    sightings = recorder.sightings
    leftOut = recorder.leftOut
    losses = recorder.losses
    rejected = recorder.rejected
    packets = PacketFigures(recorder.counts, sightings: sightings, leftOut: leftOut)
    paths = recorder.paths
    single = isThere && paths.count == 1 ? paths[0] : nil
  }

  private var dropped: UInt64 { losses.values.reduce(0) { $0 + $1.dropped } }

  /// That nothing was recorded though packets were received, and what they are.
  var emptiness: String? { packets.emptiness }

  func json() throws -> JSONValue {
    var members: [String: JSONValue] = [:]
    // Of several files the figures are those of all; only one file is read again for the rest.
    if let single,
      case .object(let figures) = try TraceSummary(TraceReader(path: single), registry).json
    {
      members = figures
    }
    members.merge(packets.json) { _, counted in counted }
    members["files"] = .array(paths.map(JSONValue.string))
    members["sightings"] = .integer(sightings)
    members["left_out"] = .integer(leftOut)
    members["dropped"] = .unsigned(dropped)
    members["gaps"] = .object(
      Dictionary(uniqueKeysWithValues: losses.map { ($0.key.rawValue, .integer($0.value.times)) }))
    members["rejected"] = .object(
      Dictionary(uniqueKeysWithValues: rejected.map { ($0.key, .unsigned($0.value)) }))
    return .object(members)
  }

  func text() throws -> String {
    var text = ""
    if let single {
      let summary = try TraceSummary(TraceReader(path: single), registry, packets: packets)
      text = summary.text(of: single)
    } else {
      let names = [paths.first, paths.last].compactMap { $0?.printable }
      text = "\(counted(paths.count, "file")), \(names.joined(separator: " to "))\n"
      text += "sightings     \(sightings)\n"
      for (label, value) in packets.lines {
        text += label + String(repeating: " ", count: 14 - label.count) + value + "\n"
      }
    }
    if leftOut > 0 { text += "left out      \(leftOut) that were not asked for\n" }
    return text
  }
}

/// Packs the last file of a recorder that is finished, and reports on all of them; nil where there
/// is none, but lines were written.
func finishedReport(
  of recorder: borrowing Recorder, packs: Bool, _ registry: Registry,
  _ reporting: ReportingOptions
) throws -> CaptureReport? {
  guard let last = recorder.last else { return nil }
  // Another program may have put another file there, which is none of ours.
  guard last.isInPlace else {
    reporting.note("\(last.path) was moved, replaced or deleted after it was closed")
    return CaptureReport(recorder, isThere: false, registry)
  }
  do {
    if packs { try pack(last, reporting) }
  } catch {
    // It is whole as it is.
    reporting.note(
      "\(last.path) was left as it was written (\(error)); `rssi pack` compresses it later")
  }
  return CaptureReport(recorder, isThere: true, registry)
}

/// Packs a file that was recorded, unless another program has moved it.
func pack(_ file: RecordedFile, _ reporting: ReportingOptions) throws {
  guard file.fate != .moved else {
    return reporting.note("\(file.path) was moved and is not packed; `rssi pack` compresses it")
  }
  try pack(TraceReader(path: file.path), to: file.path, adding: nil)
}
