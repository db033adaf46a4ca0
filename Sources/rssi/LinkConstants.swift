import Foundation
import PathLoss

/// The path-loss constants of each link, from a calibration file.
final class LinkConstants {
  private let calibration: Calibration
  private let path: String
  private let chosen: PathLossConstants?
  /// What a person should know about which constants were used.
  private(set) var notes: [String] = []

  /// - Parameters:
  ///   - path: the calibration file.
  ///   - group: the key of the group to use for all links; nil = each link's own.
  init(path: String, group: String?) throws {
    guard try InputKind(path: path) == .stream,
      let data = FileManager.default.contents(atPath: path),
      let calibration = try? JSONDecoder().decode(Calibration.self, from: data),
      calibration.format == "rssi-calibration"
    else {
      throw Failure(Failure.badInput, "\(path) is not a calibration file: write one with `rssi fit -o`")
    }
    guard calibration.formatVersion == 1 else {
      throw Failure(
        Failure.badInput,
        "\(path) is a calibration of format \(calibration.formatVersion), this rssi reads format 1: update rssi")
    }
    self.calibration = calibration
    self.path = path
    guard let group else {
      chosen = nil
      let series = calibration.groups.filter { $0.series != nil }
      if series.count == 1, calibration.groups.count == 1, let only = series[0].constants {
        single = only
      } else if !series.isEmpty {
        notes.append(
          "\(path) has a fit for each series, and a link is in none: using the fit of all readings; choose one with --group "
            + series.prefix(4).map { "'\($0.key)'" }.joined(separator: " or "))
      }
      return
    }
    guard let match = calibration.groups.first(where: { $0.key == group }) else {
      throw Failure(
        Failure.badInput, "\(path) has no group \"\(group)\"; it has "
          + calibration.groups.prefix(8).map { "\"\($0.key)\"" }.joined(separator: ", "))
    }
    guard let constants = match.constants else {
      throw Failure(
        Failure.badInput, "the group \"\(group)\" of \(path) gives no distances: "
          + (match.warnings.first ?? "its exponent is not above 0"))
    }
    chosen = constants
  }

  private var single: PathLossConstants?

  var inputDigests: Set<String> { Set(calibration.inputs.map(\.sha256)) }

  /// The constants of one link: its own fit, its beacon's or its receiver's, else that of all readings.
  func constants(beacon: String, receiver: String) throws -> PathLossConstants {
    if let chosen { return chosen }
    if let single { return single }
    for group in calibration.groups where group.series == nil {
      guard group.beacon == nil || group.beacon == beacon,
        group.receiver == nil || group.receiver == receiver,
        group.beacon != nil || group.receiver != nil, let constants = group.constants
      else { continue }
      return constants
    }
    guard let pooled = calibration.pooled.constants else {
      throw Failure(
        Failure.badInput, "\(path) gives no distances: "
          + (calibration.pooled.warnings.first ?? "its exponent is not above 0"))
    }
    if calibration.by != "pooled", calibration.groups.allSatisfy({ $0.series == nil }) {
      let note = "links without a fit of their own use the fit of all readings"
      if !notes.contains(note) { notes.append(note) }
    }
    return pooled
  }
}
