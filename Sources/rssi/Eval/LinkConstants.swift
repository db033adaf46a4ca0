import PathLoss
import Support

/// The path-loss constants of each link, from a calibration file.
final class LinkConstants {
  let calibration: Calibration
  private let path: String
  private let chosen: PathLossConstants?
  /// What a person should know about which constants were used.
  private(set) var notes: [String] = []

  /// - Parameters:
  ///   - path: the calibration file, or what to call a fit.
  ///   - group: the key of the group to use for all links; nil = each link's own.
  init(_ calibration: Calibration, of path: String, group: String?) throws {
    guard !["two-slope", "walls"].contains(calibration.model) else {
      throw RSSIError(
        .badInput,
        "\(path) is of the model \(calibration.model), whose curve positioning does not know: fit "
          + "log-distance or hierarchical"
      )
    }
    self.calibration = calibration
    self.path = path
    guard let group else {
      chosen = nil
      return
    }
    guard let match = calibration.groups.first(where: { $0.key == group }) else {
      throw RSSIError(
        .badInput,
        "\(path) has no group \"\(group)\"; it has "
          + listed(calibration.groups.map { "\"\($0.key)\"" }))
    }
    guard let constants = match.constants else {
      throw RSSIError(
        .badInput,
        "the group \"\(group)\" of \(path) gives no distances: "
          + (match.warnings.first ?? "its exponent and sigma must be above 0"))
    }
    chosen = constants
  }

  /// The constants of one link in one trace: the fit of its own series, beacon or receiver, else
  /// the file's only fit, else that of all readings, which is noted.
  func constants(beacon: String, receiver: String, trace: String) throws -> PathLossConstants {
    if let chosen { return chosen }
    let own = calibration.ownGroup(beacon: beacon, receiver: receiver, trace: trace)
    if let constants = own?.constants { return constants }
    guard let pooled = calibration.pooled.constants else {
      throw RSSIError(
        .badInput,
        "\(path) gives no distances: "
          + (calibration.pooled.warnings.first ?? "its exponent is not above 0"))
    }
    noteFallback()
    return pooled
  }

  private func noteFallback() {
    guard notes.isEmpty else { return }
    notes.append(
      "\(path) has no fit for some links: they use the fit of all readings; --group takes one for "
        + "all: "
        + listed(calibration.groups.map { "'\($0.key)'" }, 4))
  }
}
