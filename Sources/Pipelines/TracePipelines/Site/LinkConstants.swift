package import PathLoss
import Sightings
package import Support

/// The path-loss constants of each link, from a calibration.
package final class LinkConstants {
  package let calibration: Calibration
  private let name: String
  private let chosen: PathLossConstants?
  private let own: OwnFits
  /// The correction that subtracts channel offsets from raw levels; nil if the calibration has
  /// none.
  package let channels: ChannelCorrection?
  /// Notes about implausible powers, and about links that use the fit of all readings because they
  /// have no fit of their own.
  package private(set) var notes: [String] = []
  private var hasNotedPooled = false

  /// - Parameters:
  ///   - name: the calibration in messages: its file, or a fit.
  ///   - group: the key of the group to use for all links; nil = each link's own.
  package init(_ calibration: Calibration, of name: String, group: String? = nil) throws(RSSIError)
  {
    guard ![ModelName.twoSlope, .walls].map(\.rawValue).contains(calibration.model) else {
      throw RSSIError(
        .badInput,
        "\(name) is of the model \(calibration.model), whose curve positioning does not support: fit "
          + "log-distance or hierarchical")
    }
    self.calibration = calibration
    self.name = name
    own = OwnFits(calibration)
    channels = ChannelCorrection(calibration, group: group)
    notes = calibration.powerDoubts(ofGroup: group).map { "\(name): \($0)" }
    chosen = try group.map { key throws(RSSIError) in
      try Self.constants(ofGroup: key, in: calibration, name)
    }
  }

  private static func constants(
    ofGroup key: String, in calibration: Calibration, _ name: String
  ) throws(RSSIError) -> PathLossConstants {
    guard let group = calibration.groups.first(where: { $0.key == key }) else {
      throw RSSIError(
        .badInput,
        "\(name) has no group \"\(key)\"; it has "
          + listed(calibration.groups.map { "\"\($0.key)\"" }))
    }
    guard let constants = group.constants else {
      throw RSSIError(
        .badInput,
        "the group \"\(key)\" of \(name) gives no distances: "
          + (group.warnings.first ?? "its exponent and sigma must be above 0"))
    }
    return constants
  }

  /// Returns the constants of one link in one trace: the fit of its own series, beacon or receiver,
  /// else the calibration's only fit, else that of all readings, with a note.
  package func constants(
    beacon: String, receiver: String, trace: String
  ) throws(RSSIError) -> PathLossConstants {
    if let chosen { return chosen }
    let own = own.group(beacon: beacon, receiver: receiver, trace: trace)
    if let constants = own?.constants { return constants }
    guard let pooled = calibration.pooled.constants else {
      throw RSSIError(
        .badInput,
        "\(name) gives no distances: "
          + (calibration.pooled.warnings.first ?? "its exponent is not above 0"))
    }
    if !hasNotedPooled {
      hasNotedPooled = true
      notes.append(
        "\(name) has no fit for some links: they use the fit of all readings; `group` takes one "
          + "for all: " + listed(calibration.groups.map { "'\($0.key)'" }, 4))
    }
    return pooled
  }
}

extension Calibration {
  /// Returns the reasons to doubt powers at 1 m, group by group.
  ///
  /// - Parameter key: the only group that is used; nil = all.
  package func powerDoubts(ofGroup key: String? = nil) -> [String] {
    // A calibration with a single group has its only fit twice.
    let all = groups.contains { $0.key == pooled.key } ? groups : [pooled] + groups
    return all.filter { key == nil || $0.key == key }.compactMap { fit in
      fit.measuredPower.flatMap(AdvertisedPower.doubt).map { "\(fit.key): \($0)" }
    }
  }
}

/// The fits of a calibration for single links, whose beacons may be spelled differently in a table
/// of distances and in recordings.
package struct OwnFits: Sendable {
  package let calibration: Calibration
  private let beacons: [String]
  private let written: WrittenBeacons

  package init(_ calibration: Calibration) {
    self.calibration = calibration
    beacons = calibration.groups.compactMap(\.beacon)
    written = WrittenBeacons(beacons)
  }

  /// Returns the fit of a link's own beacon, receiver or series, or the file's only fit.
  package func group(beacon: String, receiver: String, trace: String) -> PathLossGroup? {
    calibration.ownGroup(
      beacon: written.number(of: beacon).map { beacons[$0] } ?? beacon, receiver: receiver,
      trace: trace)
  }
}
