import NumericalMethods
import PathLoss
import Registries
import Sightings
import Support
import TracePipelines

extension CalibratedBeacon {
  /// Returns the results as text.
  ///
  /// - Parameter names: the names of beacons.
  func text(_ names: BeaconNames) -> String {
    var lines = ["\(names.label(beacon))\n"]
    lines += rows.map { row in
      let padding = String(repeating: " ", count: max(1, 16 - row.name.count))
      return "  \(row.name)\(padding)\(row.text)\n"
    }
    if !poses.isEmpty {
      lines.append(poseTable.text.split(separator: "\n").map { "  \($0)\n" }.joined())
    }
    if !warnings.isEmpty {
      lines.append("  warnings\n" + warnings.map { "    \($0.printable)\n" }.joined())
    }
    return lines.joined()
  }

  private var rows: [(name: String, text: String)] {
    guard let power else { return [("measured power", "none")] }
    var rows = [("measured power", flashed)]
    if let interval = power.interval, let half = power.halfWidth,
      let deviation = power.poseDeviation
    {
      rows.append(
        (
          advertised == nil ? "estimate" : "unrounded",
          "\(decimal(power.mean, 2)) ± \(decimal(half, 2)) dBm (95 %: \(decimal(interval.lower, 2)) "
            + "to \(decimal(interval.upper, 2)))"
        ))
      rows.append(
        (
          "pose to pose",
          "sd \(decimal(deviation, 2)) dB over \(counted(power.poses, "pose")); \(needed)"
        ))
    } else {
      rows.append(("estimate", "\(decimal(power.mean, 2)) dBm, from one pose"))
    }
    if let untrimmedPower, let trimmingDifference, abs(trimmingDifference) >= 0.1 {
      rows.append(
        (
          "all packets",
          "\(decimal(untrimmedPower, 2)) dBm, as a fit estimates it; trimmed "
            + "\(decimal(abs(trimmingDifference), 2)) dB "
            + (trimmingDifference > 0 ? "higher" : "lower")
        ))
    }
    if let channelBalanced {
      rows.append(("channels", "\(decimal(channelBalanced, 2)) dBm if 37, 38 and 39 count alike"))
    }
    switch extrapolated {
    case .success(let fit):
      let range =
        fit.interval.map { " (95 %: \(decimal($0.lower, 2)) to \(decimal($0.upper, 2)))" } ?? ""
      rows.append(
        (
          "extrapolated",
          "\(decimal(fit.measuredPower, 2)) dBm\(range) from \(fit.distances) other distances, n = "
            + "\(decimal(fit.exponent, 2)); measured \(apart(extrapolatedDifference))"
        ))
    case .failure(let impossible):
      // Poses at 1 m alone need no extrapolation.
      if poses.contains(where: { !$0.isAtOneMetre }) {
        rows.append(("extrapolated", impossible.reason))
      }
    }
    if let configured {
      rows.append(
        (
          "advertised",
          "\(decimal(configured, 0)) dBm by the beacon; measured \(apart(configuredDifference))"
        ))
    }
    return rows
  }

  /// The byte to flash, or the reason that there is none.
  private var flashed: String {
    guard let advertised else {
      let poses = power?.poses ?? 0
      let widest = "interval wider than ± \(plain(MeasuredPower.widestToAdvertise)) dB"
      return poses < 3
        ? "not enough poses: \(poses) of at least 3 (\(widest))"
        : "too uncertain to flash (\(widest)), see warnings"
    }
    return "\(advertised.rounded) dBm at 1 m"
      + (advertised.hexadecimal.map { ", byte \($0)" } ?? "")
      + (advertised.eddystone.map { "; Eddystone \($0) dBm at 0 m" } ?? "")
  }

  private func apart(_ difference: Double?) -> String {
    guard let difference else { return "–" }
    return "\(decimal(abs(difference), 2)) dB \(difference < 0 ? "lower" : "higher")"
  }

  private var poseTable: ReportTable {
    var columns: [ReportTable.Column<Pose>] = [.text("pose", least: 0) { .name($0.name) }]
    // Poses of several receivers share names.
    if Set(poses.map(\.receiver)).count > 1 {
      columns.append(.number("receiver") { .name($0.receiver) })
    }
    columns += [
      .number("distance") { .text(metres($0.distance)) },
      .number("packets") { .count($0.mean.samples) },
      .number("trimmed mean dBm") { .number($0.mean.trimmedMean) },
      .number("sd dB") { .number($0.mean.deviation) },
    ]
    return ReportTable(of: poses, columns)
  }
}
