import Advertising
package import LivePipelines
package import Registries
import Sightings
package import Support
import TracePipelines
import TraceStore

/// The report at the end of a recording: the figures of its files, and the losses.
package final class CaptureReport {
  private let result: CaptureResult
  /// The figures of the only file; nil for several.
  private let summary: TraceSummary?

  /// - Parameter registry: the names of beacons.
  /// - Throws: `RSSIError` if the only file cannot be read again.
  package init(_ result: CaptureResult, _ registry: Registry) throws {
    self.result = result
    summary = try result.onlyFile.map {
      let reader = try TraceReader(path: $0)
      return try TraceSummary(
        reader, SightingFigures(of: reader), registry, packets: result.packets)
    }
  }

  package var json: JSONValue {
    // Of several files the figures are those of all; only one file is read again for the rest.
    return (summary?.json ?? result.packets.json).adding([
      "files": result.files, "sightings": result.sightings, "left_out": result.leftOut,
      "dropped": result.dropped, "rejected": result.rejected,
      "gaps": Dictionary(
        uniqueKeysWithValues: result.losses.map { ($0.key.rawValue, $0.value.times) }),
    ])
  }

  package var text: TextReport {
    var text = result.onlyFile.flatMap { summary?.text(of: $0) } ?? TextReport(ofAllFiles)
    if result.leftOut > 0 { text.add("left out      \(result.leftOut) that were not asked for\n") }
    return text
  }

  private var ofAllFiles: String {
    let names = [result.files.first, result.files.last].compactMap { $0?.printable }
    var text = result.files.count == 1 ? "1 file, " : "\(result.files.count) files, "
    text += "\(names.joined(separator: " to "))\n"
    text += "sightings     \(result.sightings)\n"
    for (label, value) in result.packets.lines {
      text += label + String(repeating: " ", count: 14 - label.count) + value + "\n"
    }
    return text
  }
}

extension PacketFigures {
  /// The members of a report in JSON.
  package var json: JSONValue {
    [
      "packets": counts.packets, "packets_with_reports": counts.packetsWithReports,
      "other_events": Dictionary(
        uniqueKeysWithValues: otherEvents.map { ($0.kind, $0.count) }),
      "rejected_packets": counts.rejectedPackets, "reports": reports,
      "joined_fragments": counts.joinedFragments, "pointers": counts.pointers,
      "rejected_reports": counts.rejectedReports, "bytes_unread": counts.unreadBytes,
    ]
  }
}
