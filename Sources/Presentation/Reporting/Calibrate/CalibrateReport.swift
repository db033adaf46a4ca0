import Advertising
package import Inputs
import PathLoss
import Registries
import Sightings
package import Support
package import TracePipelines
import TraceStore

/// The calibrated beacons as a document and as text.
package struct CalibrateReport {
  private let result: CalibrateResult
  private let tool: ToolIdentity

  /// - Parameter tool: who made the calibration.
  package init(_ result: CalibrateResult, by tool: ToolIdentity) {
    self.result = result
    self.tool = tool
  }

  package var json: JSONValue {
    .object([
      "format": .string("rssi-measured-power"), "format_version": .integer(1),
      "tool_version": .string(tool.version), "command_line": .string(tool.commandLine),
      "source": result.source.map(JSONValue.string) ?? .null,
      "inputs": .array(
        result.inputs.map { .object(["name": .string($0.name), "sha256": .string($0.sha256)]) }),
      "precision_db": .number(result.precision), "trimming": .number(PoseLevels.trimming),
      "excluded": .object(result.excluded.mapValues(JSONValue.integer)),
      "warnings": .array(result.warnings.map(JSONValue.string)),
      "beacons": .array(result.beacons.map { $0.json(result.names) }),
    ])
  }

  package var text: String {
    result.beacons.map { $0.text(result.names) }.joined(separator: "\n")
      + result.warnings.map { "warning: \($0)\n" }.joined()
  }
}

extension CalibratedBeacon {
  fileprivate func json(_ names: BeaconNames) -> JSONValue {
    let members: [String: JSONValue] = [
      "beacon": .string(beacon),
      "measured_power_dbm": .optional(power?.mean),
      "measured_power_rounded_dbm": integer(advertised?.rounded),
      "measured_power_byte": integer(advertised?.byte.map(Int.init)),
      "measured_power_hex": advertised?.hexadecimal.map(JSONValue.string) ?? .null,
      "eddystone_tx_power_dbm": integer(advertised?.eddystone.map(Int.init)),
      "standard_error_db": .optional(power?.standardError),
      "ci95_dbm": .optional(power?.interval), "pose_sd_db": .optional(power?.poseDeviation),
      "channel_balanced_dbm": .optional(channelBalanced),
      "poses_needed": integer(posesNeeded),
      "poses_needed_probability": .number(Self.assurance),
      "further_poses_needed": integer(furtherPoses),
      "extrapolated": extrapolatedJSON,
      "stated_power_dbm": .optional(stated), "stated_difference_db": .optional(statedDifference),
      "poses": .array(poses.map(\.json)), "warnings": .array(warnings.map(JSONValue.string)),
    ]
    return .object(members.merging(names.member(beacon)) { $1 })
  }

  private var extrapolatedJSON: JSONValue {
    guard case .success(let fit) = extrapolated else { return .null }
    return .object([
      "measured_power_dbm": .number(fit.measuredPower), "ci95": .optional(fit.interval),
      "exponent": .number(fit.exponent), "distances": .integer(fit.distances),
      "difference_db": .optional(extrapolatedDifference),
    ])
  }
}

extension CalibratedBeacon.Pose {
  fileprivate var json: JSONValue {
    let channels = mean.channels.map { channel in
      (
        String(channel.channel),
        JSONValue.object([
          "samples": .integer(channel.samples), "trimmed_mean_dbm": .number(channel.trimmedMean),
        ])
      )
    }
    return .object([
      "name": .string(name), "receiver": .string(receiver), "distance_m": .number(distance),
      "samples": .integer(mean.samples), "trimmed_mean_dbm": .number(mean.trimmedMean),
      "sd_db": .optional(mean.deviation), "channel_balanced_dbm": .optional(mean.channelBalanced),
      "channels": .object(Dictionary(uniqueKeysWithValues: channels)),
      "start": .string(Timestamp.iso8601(span.lowerBound)),
      "duration_s": .optional(secondsBetween(span)),
      "at_one_metre": .boolean(isAtOneMetre),
    ])
  }
}

private func integer(_ value: Int?) -> JSONValue { value.map(JSONValue.integer) ?? .null }

/// Nil between times that are too far apart to be those of one pose.
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
