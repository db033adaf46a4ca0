package import Support
package import TracePipelines
import TraceStore

/// What learning a radio map reports.
package struct RadioMapReport {
  private let path: String
  private let ignored: Int
  let summary: RadioMapSummary

  package init(_ result: RadioMapResult) {
    (path, ignored) = (result.path, result.ignored)
    summary = RadioMapSummary(result.stored)
  }

  /// A map that was learned before.
  package init(_ file: RadioMapFile) {
    (path, ignored) = (file.path, 0)
    summary = RadioMapSummary(file.stored)
  }

  package var json: JSONValue {
    .object([
      "file": .string(path), "ignored_levels": .integer(ignored), "radio_map": summary.json,
    ])
  }

  package var text: String {
    "\(path.printable): a radio map \(summary.extent)\n"
      + summary.lines.map { "  \($0)\n" }.joined()
      + (ignored > 0
        ? "  left out \(counted(ignored, "level")) that no anchor has\n" : "")
  }
}

/// The figures of a radio map.
struct RadioMapSummary {
  private let map: StoredRadioMap

  init(_ map: StoredRadioMap) { self.map = map }

  private var recordings: Int { Set(map.places.map(\.recording)).count }
  private var surveyed: Int { Set(map.levels.map(\.anchor)).count }
  private var commonDeviation: Double { max(map.commonVariance, 0).squareRoot() }
  private var receptions: Int { map.anchors.count { $0.rate.isFinite } }

  /// What it was learned from.
  var extent: String {
    "of \(counted(surveyed, "anchor")), from \(counted(map.levels.count, "level")) at "
      + "\(counted(map.places.count, "place")) in \(counted(recordings, "recording")), for moving "
      + map.role.plural
  }

  var lines: [String] {
    let found = map.variation
    return [
      "shadowing \(decimal(found.spread, 1)) dB over \(decimal(found.length, 1)) m, anchors "
        + "\(decimal(found.anchorOffset, 1)) dB, recordings "
        + "\(decimal(found.recordingOffset, 1)) dB",
      "noise of a place \(decimal(found.placeNoise, 1)) dB, of a packet "
        + "\(decimal(found.packetNoise, 1)) dB, common to all anchors "
        + "\(decimal(commonDeviation, 1)) dB",
    ]
      + (map.dispersion > 1
        ? [
          "positions vary \(decimal(map.dispersion, 2)) times as much as "
            + "independent anchors would have it"
        ] : [])
  }

  var json: JSONValue {
    let found = map.variation
    return .object([
      "located": .string(map.role.plural), "anchors": .integer(map.anchors.count),
      "surveyed_anchors": .integer(surveyed), "places": .integer(map.places.count),
      "levels": .integer(map.levels.count), "recordings": .integer(recordings),
      "received_anchors": .integer(receptions),
      "dimensions": .integer(map.isSpace ? 3 : 2), "height_m": .optional(map.height),
      "group": map.group.map(JSONValue.string) ?? .null,
      "settings": .object(map.settings.mapValues(JSONValue.string)),
      "variation": .object([
        "spread_db": .optional(found.spread), "length_m": .optional(found.length),
        "anchor_offset_db": .optional(found.anchorOffset),
        "recording_offset_db": .optional(found.recordingOffset),
        "place_noise_db": .optional(found.placeNoise),
        "packet_noise_db": .optional(found.packetNoise),
        "common_sd_db": .optional(commonDeviation), "dispersion": .optional(map.dispersion),
      ]),
      "sources": .array(
        map.sources.map {
          .object(["trace": .string($0.trace), "node": .string($0.node)])
        }),
    ])
  }
}
