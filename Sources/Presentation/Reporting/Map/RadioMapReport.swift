package import Support
package import TracePipelines
import TraceStore

/// The report of learning a radio map.
package struct RadioMapReport {
  private let path: String
  private let ignored: Int
  let summary: RadioMapSummary

  package init(_ result: MapResult) {
    (path, ignored) = (result.path, result.ignored)
    summary = RadioMapSummary(result.stored)
  }

  /// A map that was learned before.
  package init(_ file: RadioMapFile) {
    (path, ignored) = (file.path, 0)
    summary = RadioMapSummary(file.stored)
  }

  package var json: JSONValue {
    ["file": path, "ignored_levels": ignored, "radio_map": summary.json]
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
  private var commonDeviation: Double {
    map.isOfBuilding ? .nan : max(map.commonVariance, 0).squareRoot()
  }
  private var floors: Int { Set(map.places.compactMap(\.floor)).count }
  private var receptions: Int { map.anchors.count { $0.rate.isFinite } }

  /// The size of the survey.
  var extent: String {
    "of \(counted(surveyed, "anchor")), from \(counted(map.levels.count, "level")) at "
      + "\(counted(map.places.count, "place")) in \(counted(recordings, "recording"))"
      + (floors > 0 ? " on \(counted(floors, "floor"))" : "") + ", for moving \(map.role.plural)"
  }

  var lines: [String] {
    let found = map.variation
    return [
      "shadowing \(decimal(found.spread, 1)) dB over \(decimal(found.length, 1)) m "
        + "(\(found.kernel.printable)), anchors "
        + "\(decimal(found.anchorOffset, 1)) dB, recordings "
        + "\(decimal(found.recordingOffset, 1)) dB",
      "noise of a place \(decimal(found.placeNoise, 1)) dB, of a packet "
        + "\(decimal(found.packetNoise, 1)) dB"
        + (map.isOfBuilding
          ? "" : ", common to all anchors \(decimal(commonDeviation, 1)) dB"),
    ]
      + (found.nearNoise.isNaN
        ? []
        : [
          "noise of a step \(decimal(found.nearNoise, 1)) dB over \(decimal(found.nearLength, 1)) m"
        ])
      + (map.dispersion > 1
        ? [
          "variance of positions \(decimal(map.dispersion, 2)) × that of independent anchors"
        ] : [])
  }

  var json: JSONValue {
    let found = map.variation
    return [
      "located": map.role.plural, "anchors": map.anchors.count,
      "surveyed_anchors": surveyed, "places": map.places.count,
      "levels": map.levels.count, "recordings": recordings, "floors": max(floors, 1),
      "received_anchors": receptions,
      "dimensions": map.isSpace ? 3 : 2, "height_m": map.height, "group": map.group,
      "settings": map.settings,
      "variation": .object([
        "kernel": found.kernel, "spread_db": found.spread, "length_m": found.length,
        "anchor_offset_db": found.anchorOffset,
        "recording_offset_db": found.recordingOffset, "place_noise_db": found.placeNoise,
        "packet_noise_db": found.packetNoise, "near_noise_db": found.nearNoise,
        "near_length_m": found.nearLength,
        "common_sd_db": commonDeviation, "dispersion": map.dispersion,
      ]),
      "sources": map.sources.map {
        ["trace": $0.trace, "node": $0.node]
      },
    ]
  }
}
