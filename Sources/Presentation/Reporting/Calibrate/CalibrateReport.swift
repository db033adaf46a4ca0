import Advertising
import PathLoss
import Registries
import Sightings
package import Support
package import TracePipelines
package import TraceStore

/// The calibrated beacons as a document and as text.
package struct CalibrateReport {
  private let result: CalibrateResult
  private let tool: ToolIdentity

  /// - Parameter tool: the program that made the calibration.
  package init(_ result: CalibrateResult, by tool: ToolIdentity) {
    self.result = result
    self.tool = tool
  }

  package var json: JSONValue {
    [
      "format": "rssi-measured-power", "format_version": 1,
      "tool_version": tool.version, "command_line": tool.commandLine, "source": result.source,
      "inputs": result.inputs.map { ["name": $0.name, "sha256": $0.sha256] },
      "precision_db": result.precision, "trimming": PoseLevels.trimming,
      "excluded": result.excluded, "warnings": result.warnings,
      "beacons": result.beacons.map { $0.json(result.names) },
    ]
  }

  package var text: String {
    result.beacons.map { $0.text(result.names) }.joined(separator: "\n")
      + result.warnings.map { "warning: \($0)\n" }.joined()
  }
}

extension CalibratedBeacon {
  fileprivate func json(_ names: BeaconNames) -> JSONValue {
    let json: JSONValue = [
      "beacon": beacon, "measured_power_dbm": power?.mean,
      "measured_power_rounded_dbm": advertised?.rounded,
      "measured_power_byte": advertised?.byte.map(Int.init),
      "measured_power_hex": advertised?.hexadecimal,
      "eddystone_tx_power_dbm": advertised?.eddystone.map(Int.init),
      "standard_error_db": power?.standardError,
      "ci95_dbm": power?.interval, "pose_sd_db": power?.poseDeviation,
      "channel_balanced_dbm": channelBalanced, "untrimmed_power_dbm": untrimmedPower,
      "trimming_difference_db": trimmingDifference, "poses_needed": posesNeeded,
      "poses_needed_probability": Self.assurance, "further_poses_needed": furtherPoses,
      "extrapolated": extrapolatedJSON,
      "stated_power_dbm": configured, "stated_difference_db": configuredDifference,
      "poses": poses.map(\.json), "warnings": warnings,
    ]
    return json.adding(names.member(beacon).json)
  }

  private var extrapolatedJSON: JSONValue {
    guard case .success(let fit) = extrapolated else { return .null }
    return [
      "measured_power_dbm": fit.measuredPower, "ci95": fit.interval,
      "exponent": fit.exponent, "distances": fit.distances, "difference_db": extrapolatedDifference,
    ]
  }
}

extension CalibratedBeacon.Pose {
  fileprivate var json: JSONValue {
    let channels = mean.channels.map { channel -> (String, JSONValue) in
      (
        String(channel.channel),
        ["samples": channel.samples, "trimmed_mean_dbm": channel.trimmedMean]
      )
    }
    return [
      "name": name, "receiver": receiver, "distance_m": distance,
      "samples": mean.samples, "trimmed_mean_dbm": mean.trimmedMean, "mean_dbm": mean.mean,
      "sd_db": mean.deviation, "channel_balanced_dbm": mean.channelBalanced,
      "channels": Dictionary(uniqueKeysWithValues: channels),
      "start": Timestamp.iso8601(span.lowerBound), "duration_s": secondsBetween(span),
      "at_one_metre": isAtOneMetre,
    ]
  }
}

/// Returns the duration of a pose; nil if its times are too far apart.
private func secondsBetween(_ span: ClosedRange<Int64>) -> Double? {
  let (length, overflow) = span.upperBound.subtractingReportingOverflow(span.lowerBound)
  return overflow ? nil : Double(length) / 1e9
}

/// The calibrated beacons as a table of nodes (CSV), with what flashing tools need beside it; those
/// without a measured power are left out, and what to flash is empty where the power is too
/// uncertain.
///
/// Coordinates are empty: the beacons have no places yet.
package struct BeaconTable {
  private let beacons: [CalibratedBeacon]

  package init(_ beacons: [CalibratedBeacon]) { self.beacons = beacons }

  package var text: String {
    typealias Row = (beacon: CalibratedBeacon, identity: BeaconIdentity?, fields: [String])
    let rows: [Row] = beacons.filter { $0.power != nil }.map { beacon in
      let identity = BeaconPattern(beacon.beacon)?.identity
      switch identity {
      case .iBeacon(let uuid, let major, let minor):
        return (beacon, identity, ["\(uuid)", "\(major)", "\(minor)", "", ""])
      case .eddystoneUID(let namespace, let instance):
        return (beacon, identity, ["", "", "", "\(namespace)", "\(instance)"])
      default: return (beacon, identity, ["", "", "", "", ""])
      }
    }
    let parts = ["uuid", "major", "minor", "namespace", "instance"].enumerated()
    let columns: [ReportTable.Column<Row>] =
      [
        .text("", key: "node") { .name($0.beacon.beacon) },
        .text("", key: "role") { _ in .text("beacon") },
      ]
      + ["x_m", "y_m", "z_m"].map { .number("", key: $0) { _ in .exact(nil) } }
      + [.text("", key: "kind") { .text(($0.identity?.kind ?? .other).rawValue) }]
      + parts.map { place, key in .text("", key: key) { .text($0.fields[place]) } }
      + [
        .number("", key: "measured_power_dbm") { .number($0.beacon.power?.mean) },
        .text("", key: "measured_power_byte_hex") {
          .text($0.beacon.advertised?.hexadecimal ?? "")
        },
        .number("", key: "eddystone_tx_power_dbm") {
          .count($0.beacon.advertised?.eddystone.map(Int.init))
        },
      ]
    return ReportTable(of: rows, columns).csv
  }
}
