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
  private static let columns = [
    "node", "role", "x_m", "y_m", "z_m", "kind", "uuid", "major", "minor", "namespace", "instance",
    "measured_power_dbm", "measured_power_byte_hex", "eddystone_tx_power_dbm",
  ]

  private let beacons: [CalibratedBeacon]

  package init(_ beacons: [CalibratedBeacon]) { self.beacons = beacons }

  package var text: String {
    ([Self.columns] + beacons.compactMap(row)).map { $0.joined(separator: ",") + "\n" }.joined()
  }

  private func row(_ beacon: CalibratedBeacon) -> [String]? {
    guard let power = beacon.power else { return nil }
    let identity = BeaconPattern(beacon.beacon)?.identity
    var parts = ["", "", "", "", ""]
    switch identity {
    case .iBeacon(let uuid, let major, let minor):
      parts[0...2] = ["\(uuid)", String(major), String(minor)]
    case .eddystoneUID(let namespace, let instance): parts[3...4] = ["\(namespace)", "\(instance)"]
    default: break
    }
    return [CSV.text(beacon.beacon), "beacon", "", "", "", (identity?.kind ?? .other).rawValue]
      + parts + [
        decimal(power.mean, 2), beacon.advertised?.hexadecimal ?? "",
        beacon.advertised?.eddystone.map { String($0) } ?? "",
      ]
  }
}
