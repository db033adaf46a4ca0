public import NumericalMethods
import PathLoss
import Sightings
import Support

/// The RSSI at 1 m for a beacon to advertise, and its origin.
public struct BeaconPower: Sendable {
  /// The RSSI at 1 m, in dBm.
  public var value: Double
  /// The 95 % confidence interval, in dBm.
  public var interval: Interval?
  /// The origin of the value, in words.
  public var source: String
  /// A Boolean value that is true if it was estimated from readings, so that it should have an
  /// interval.
  public var isEstimated = false
  /// A Boolean value that is true if it is the power of all beacons together, because this one has
  /// no fit.
  public var isPooled = false

  /// Creates a power from its value and interval, in dBm, and its origin in words.
  public init(value: Double, interval: Interval? = nil, source: String) {
    (self.value, self.interval, self.source) = (value, interval, source)
  }

  /// The power in whole decibels, as beacons advertise it, rounded half away from zero.
  public var advertised: Int { AdvertisedPower(value).rounded }

  /// The reasons to doubt the value, as clauses for the user.
  public var doubts: [String] {
    var doubts: [String] = []
    if isPooled {
      doubts.append(
        "\(source) has no fit of this beacon: advertising the power of all readings together "
          + "(pooled), "
          + "\(decimal(value, 1)) dBm; measure its own with `rssi calibrate`")
    }
    doubts += [AdvertisedPower.doubt(Double(advertised))].compactMap(\.self)
    if let interval, interval.upper - interval.lower > 6 {
      // The limit above which `rssi calibrate` names no byte either.
      let isTooWide = interval.upper - interval.lower > 2 * MeasuredPower.widestToAdvertise
      doubts.append(
        "the power of \(source) is known within \(decimal(interval.lower, 1)) to "
          + "\(decimal(interval.upper, 1)) "
          + "dBm only\(isTooWide ? ", too uncertain to advertise" : ""): measure more poses with "
          + "`rssi calibrate`")
    } else if interval == nil, isEstimated {
      doubts.append(
        "the power of \(source) has no interval, too uncertain to advertise: measure 3 or more poses "
          + "with `rssi calibrate`")
    }
    return doubts
  }
}

extension BeaconPower {
  /// Creates the measured power of a beacon from a calibration file.
  ///
  /// - Parameters:
  ///   - beacon: the identity of the beacon.
  ///   - path: the file that `rssi calibrate -o` or `rssi fit -o` wrote, or a trace with a
  ///     calibration.
  ///   - group: the key of the group of a fit; nil = the beacon's own, or else all readings
  ///     together.
  /// - Throws: `RSSIError` that names the problem.
  public init(of beacon: String, in path: String, group: String?) throws {
    if let report = try MeasuredPowers(path: path) {
      guard group == nil else {
        throw RSSIError(
          .usage, "\(path) is a file of `rssi calibrate`, without groups: leave out `group`")
      }
      try self.init(of: beacon, in: report, path)
    } else {
      try self.init(of: beacon, in: Calibration(path: path), path, group: group)
    }
  }

  private init(of beacon: String, in report: MeasuredPowers, _ path: String) throws {
    guard let own = report.beacons.first(where: { $0.beacon == beacon }) else {
      throw RSSIError(
        .badInput,
        "\(path) does not have \(beacon), but "
          + listed(report.beacons.map(\.beacon)))
    }
    guard let power = own.measured_power_dbm, power.isFinite else {
      throw RSSIError(
        .badInput, "\(path) has no power of \(beacon): measure it again")
    }
    self.init(value: power, interval: own.ci95_dbm, source: path)
    isEstimated = true
  }

  private init(
    of beacon: String, in calibration: Calibration, _ path: String, group: String?
  ) throws {
    let fit = try Self.fit(of: beacon, in: calibration, path, group: group)
    guard let power = fit.measuredPower, power.isFinite else {
      throw RSSIError(
        .badInput,
        "\(path) has no measured power in \"\(fit.key)\": \(fit.warnings.first ?? "fit it again")")
    }
    self.init(value: power, interval: fit.powerInterval, source: path)
    isEstimated = true
    isPooled = group == nil && fit.beacon != beacon
  }

  /// Returns the requested group, else the group of this beacon alone, else that of all readings.
  private static func fit(
    of beacon: String, in calibration: Calibration, _ path: String, group: String?
  ) throws -> PathLossGroup {
    if let group {
      if let match = calibration.groups.first(where: { $0.key == group }) { return match }
      if group == "pooled" { return calibration.pooled }
      throw RSSIError(
        .badInput, "\(path) has no group \"\(group)\"; it has " + keys(calibration.groups))
    }
    let own = calibration.groups.filter { $0.beacon == beacon }
    guard own.count < 2 else {
      throw RSSIError(
        .usage,
        "\(path) has several fits of \(beacon): choose with `group`: " + keys(own))
    }
    return own.first ?? calibration.pooled
  }

  private static func keys(_ groups: [PathLossGroup]) -> String {
    listed(groups.map { "\"\($0.key)\"" })
  }
}

/// The fields of a file of `rssi calibrate -o` that matter here.
// swift-format-ignore: AlwaysUseLowerCamelCase
private struct MeasuredPowers: Decodable {
  var format_version: Int
  var beacons: [Beacon]

  struct Beacon: Decodable {
    var beacon: String
    var measured_power_dbm: Double?
    var ci95_dbm: Interval?
  }

  /// Returns nil for a file of another kind.
  init?(path: String) throws {
    guard case .stream = try InputKind(path: path), path != "-",
      let text = try? contents(ofFile: path, atMost: .max),
      let head = try? DocumentHead(json: text),
      head.format == "rssi-measured-power"
    else { return nil }
    guard head.version == 1 else {
      throw RSSIError(
        .badInput,
        "\(path) is of format \(head.version), this rssi reads format 1: update rssi")
    }
    do {
      self = try MeasuredPowers(json: text)
    } catch {
      throw RSSIError(.badInput, "\(path) is damaged: write it again with `rssi calibrate -o`")
    }
  }
}
