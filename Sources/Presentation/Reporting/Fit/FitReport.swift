import NumericalMethods
package import PathLoss
package import Registries
import Support

/// A calibration as tables, for people.
package struct FitReport {
  private let calibration: Calibration
  private let levels: [Double]
  private let names: BeaconNames
  private let advice: [String: String]

  /// - Parameters:
  ///   - levels: whose distances are shown, dBm.
  ///   - names: what people call the beacons of groups.
  ///   - advice: what the program can do about a diagnostic, by its code.
  package init(
    _ calibration: Calibration, levels: [Double], names: BeaconNames = .none,
    advice: [String: String] = [:]
  ) {
    self.advice = advice
    self.calibration = calibration
    self.levels = levels
    self.names = names
  }

  /// The key of a group, with the name of its beacon where people have one.
  private func name(of group: PathLossGroup) -> String {
    guard let beacon = group.beacon, names[beacon] != nil else { return group.key.printable }
    return [group.series, names.short(beacon), group.receiver].compactMap(\.self)
      .joined(separator: "/").printable
  }

  package var text: TextReport {
    var report = TextReport()
    report.add(table: constants)
    report.add(more)
    if let distances { report.add(table: distances) }
    let warnings = warnings
    if !warnings.isEmpty {
      report.add(heading: "warnings")
      report.add(warnings)
    }
    return report
  }

  private var constants: ReportTable {
    func number(
      _ heading: String, rank: Int = 0, _ value: @escaping (PathLossGroup) -> Double?
    ) -> ReportTable.Column<PathLossGroup> {
      .number(heading, rank: rank) { .number(value($0), 3) }
    }
    return ReportTable(
      of: calibration.groups,
      [
        .text("", least: 16) { .name(name(of: $0)) },
        number("P(1 m) dBm") { $0.measuredPower }, number("± se", rank: 1) { $0.powerError },
        number("n") { $0.exponent }, number("± se", rank: 1) { $0.exponentError },
        number("sigma dB") { $0.sigma },
        .number("samples", rank: 3) { .count($0.samples) },
        .number("positions", rank: 2) { .count($0.positions) },
      ])
  }

  /// Each sentence once, with the groups that it is about.
  private var warnings: String {
    var order: [String] = []
    var keys: [String: [String]] = [:]
    for group in calibration.groups {
      for diagnostic in group.diagnostics {
        let sentence = diagnostic.message + (advice[diagnostic.code].map { " (\($0))" } ?? "")
        if keys[sentence] == nil { order.append(sentence) }
        keys[sentence, default: []].append(name(of: group))
      }
    }
    return order.reduce("") { text, sentence in
      let groups = keys[sentence] ?? []
      let names = groups.count > 3 ? "\(groups.count) groups" : groups.joined(separator: ", ")
      return text + "  \(names): \(sentence.printable)\n"
    }
  }

  /// The results of some models and estimators beyond the constants.
  private var more: String {
    var text = ""
    for group in calibration.groups {
      if let plain = group.leastSquares {
        text +=
          "  \(name(of: group)): least squares gives P \(decimal(plain.measuredPower, 3)), n "
          + "\(decimal(plain.exponent, 3)), sigma \(decimal(plain.sigma, 3))\n"
      }
      if let two = group.twoSlope {
        text +=
          "  \(name(of: group)): beyond \(decimal(two.breakpoint, 2)) m "
          + "(\(interval(two.breakpointInterval, 2))) n is \(decimal(two.farExponent, 3)) ± "
          + "\(decimal(two.farExponentError, 3)); BIC gains \(decimal(two.bicDifference, 1))\n"
      }
      for wall in group.walls ?? [] {
        text +=
          "  \(name(of: group)): a wall of kind \(wall.kind.printable) attenuates by "
          + "\(decimal(wall.attenuation, 2)) ± \(decimal(wall.standardError, 2)) dB\n"
      }
      text += channels(of: group)
      if let curve = group.altBeacon {
        text +=
          "  \(name(of: group)): AltBeacon with measured power \(decimal(curve.measuredPower, 0)) "
          + "dBm: coefficient1 \(significant(curve.a)), coefficient2 \(significant(curve.b)), "
          + "coefficient3 \(significant(curve.c)); relative distance error "
          + "\(decimal(100 * curve.relativeDistanceError, 0)) %\n"
      }
      if let bootstrap = group.bootstrap {
        text +=
          "  \(name(of: group)): bootstrap over positions: P "
          + "\(interval(bootstrap.measuredPower, 3)), n \(interval(bootstrap.exponent, 3)), "
          + "sigma \(interval(bootstrap.sigma, 3))\n"
      }
      text += edge(of: group)
      if let lost = group.estimation.lostShare {
        text +=
          "  \(name(of: group)): \(group.estimation.missed ?? 0) packets missed, "
          + "\(decimal(100 * lost, 1)) % lost at any level\n"
      }
    }
    return text + hierarchy
  }

  /// A line for the edge of reception.
  private func edge(of group: PathLossGroup) -> String {
    guard let scale = group.estimation.sensitivityScale,
      let levels = group.estimation.sensitivity?.values.sorted(), let weakest = levels.first,
      let strongest = levels.last
    else { return "" }
    let level =
      weakest == strongest
      ? decimal(weakest, 1) : "\(decimal(weakest, 1)) to \(decimal(strongest, 1))"
    return "  \(name(of: group)): half of the packets are lost at \(level) dBm, scale "
      + "\(decimal(scale, 1)) dB\n"
  }

  /// A line for each receiver and each beacon with offsets of channels.
  private func channels(of group: PathLossGroup) -> String {
    let offsets = group.channelOffsets ?? []
    let devices = Dictionary(grouping: offsets) { [$0.receiver ?? "", $0.beacon ?? ""] }
    return devices.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
      .reduce("") { text, device in
        let owner =
          device[0].receiver.map { "receiver \($0.printable)" }
          ?? "beacon \(names.short(device[0].beacon ?? "").printable)"
        let values = device.map {
          "\($0.channel) \(decimal($0.offset, 2)) ± \(decimal($0.standardError, 2))"
        }
        return text + "  \(name(of: group)): channels of \(owner): "
          + values.joined(separator: ", ") + " dB\n"
      }
  }

  private var hierarchy: String {
    guard let effects = calibration.hierarchical else { return "" }
    let deviations = effects.deviations.sorted { $0.key < $1.key }
      .map { "\($0.key)s \(decimal($0.value.value, 2))" }.joined(separator: ", ")
    return "  standard deviations in dB: \(deviations)\n  \(effects.gauge)\n"
  }

  /// The distances that levels mean; nil if none were asked for.
  private var distances: ReportTable? {
    guard !levels.isEmpty else { return nil }
    let rows = calibration.groups.flatMap { group in group.distanceAt.map { (name(of: group), $0) }
    }
    guard !rows.isEmpty else { return nil }
    return ReportTable(
      of: rows,
      [
        .text("", least: 16) { .name($0.0) },
        .number("at dBm") { .number($0.1.level, $0.1.level == $0.1.level.rounded() ? 0 : 2) },
        .number("distance m") { .number($0.1.distance) },
        .number("95 % of the curve", rank: 2) { .text(interval($0.1.interval, 2)) },
        .number("95 % of one packet", rank: 1) { .text(interval($0.1.predictionInterval, 2)) },
      ])
  }

  private func interval(_ interval: Interval?, _ digits: Int) -> String {
    guard let interval else { return "no end" }
    return "\(decimal(interval.lower, digits)) – \(decimal(interval.upper, digits))"
  }
}
