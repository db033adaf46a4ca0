import Evaluation
package import PathLoss
package import Sightings
import Support

/// Subtracts the channel offsets of a calibration from raw levels, one by one.
package struct ChannelCorrection {
  private let fit: Fit
  /// The offsets, by link of the recording.
  private var links: [Link: LinkChannelOffsets] = [:]
  /// The numbers of corrected levels, and of levels without an offset.
  private var counts: (corrected: UInt64, others: UInt64) = (0, 0)

  /// The data that all copies share.
  private final class Fit: Sendable {
    let calibration: Calibration
    /// The group of all links; nil = each link's own.
    let group: PathLossGroup?
    let own: OwnFits

    init(_ calibration: Calibration, group: PathLossGroup?) {
      (self.calibration, self.group) = (calibration, group)
      own = OwnFits(calibration)
    }
  }

  /// - Parameter group: the key of the group to use for all links; nil = each link's own.
  /// - Returns: nil for a calibration without offsets of channels.
  package init?(_ calibration: Calibration, group: String? = nil) {
    fit = Fit(
      calibration, group: group.flatMap { key in calibration.groups.first { $0.key == key } })
    let groups = fit.group.map { [$0] } ?? calibration.groups + [calibration.pooled]
    guard groups.contains(where: { $0.channelOffsets?.isEmpty == false }) else { return nil }
  }

  /// - Parameter path: a calibration, or a trace with one.
  /// - Throws: `RSSIError` for a calibration without offsets of channels.
  package init(path: String) throws {
    guard let correction = ChannelCorrection(try Calibration(path: path)) else {
      throw RSSIError(
        .badInput, "the calibration has no offsets of channels", in: path,
        advice: "fit it with `channelOffsets`, from readings with channels")
    }
    self = correction
  }

  /// Begins a recording, whose tables number links again.
  package mutating func beginRecording() { links = [:] }

  /// Takes the new numbers of beacons.
  mutating func renumber(_ renumbering: Renumbering) { links = renumbering.links(links) }

  /// Returns a level corrected to the mean of the channels, in dBm.
  package mutating func level(
    _ level: Float, channel: UInt8, of link: Link, in catalogue: Catalogue
  ) -> Float {
    guard !level.isNaN else { return level }
    let offsets =
      links[link]
      ?? offsets(
        beacon: catalogue.beacons[Int(link.beacon)].id,
        receiver: catalogue.receivers[Int(link.receiver)].id,
        trace: catalogue.traces[Int(link.trace)])
    links[link] = offsets
    return count(1, on: channel, offsets) ? level - Float(offsets[channel]) : level
  }

  /// Returns a target without the channel offsets.
  ///
  /// - Parameter anchors: the anchors by which the target's levels are numbered.
  package mutating func removed(from target: AskedTarget, among anchors: SiteAnchors) -> AskedTarget
  {
    let byAnchor = anchors.locating(target.role).map { anchor in
      target.role == .receiver
        ? offsets(beacon: anchor.id, receiver: target.node, trace: target.trace)
        : offsets(beacon: target.node, receiver: anchor.id, trace: target.trace)
    }
    for (heard, packets) in target.received {
      _ = count(packets, on: heard.channel, byAnchor[heard.anchor])
    }
    var corrected = target
    for index in target.epochs.indices {
      corrected.epochs[index].heard = target.epochs[index].heard.removing { byAnchor[$0][$1] }
    }
    return corrected
  }

  /// Counts levels of a link; returns whether their channel has an offset.
  private mutating func count(
    _ levels: UInt64, on channel: UInt8, _ offsets: LinkChannelOffsets
  ) -> Bool {
    let isKnown = ChannelOffset.channels.contains(channel) && !offsets.isEmpty
    if isKnown { counts.corrected += levels } else { counts.others += levels }
    return isKnown
  }

  private func offsets(beacon: String, receiver: String, trace: String) -> LinkChannelOffsets {
    let own =
      fit.group ?? fit.own.group(beacon: beacon, receiver: receiver, trace: trace)
      ?? fit.calibration.pooled
    return LinkChannelOffsets(own.channelOffsets ?? [], beacon: beacon, receiver: receiver)
  }

  /// Returns notes for the user.
  ///
  /// - Parameter filters: the filters whose levels are used.
  func notes(filters: some Sequence<String>) -> [String] {
    let filtered = filters.min().map {
      "channel offsets are subtracted from raw levels only: levels of \($0) are used as `rssi filter` wrote "
        + "them; give it the same calibration"
    }
    return [note, filtered].compactMap(\.self)
  }

  /// A note for the user about levels without an offset; nil if there are none.
  package var note: String? {
    guard counts.others > 0 else { return nil }
    let all = counts.corrected + counts.others
    return counts.corrected == 0
      ? "no level has a channel with an offset in the calibration: levels are not corrected"
      : "\(counts.others) of \(all) levels are not corrected: their channel is unknown or has "
        + "no offset in the calibration"
  }
}

extension ChannelCorrection? {
  /// Returns the levels of rows as ``level(of:in:_:)`` does.
  mutating func levels(of rows: SightingColumns, _ catalogue: Catalogue) -> [Float] {
    guard self != nil else { return rows.rssi }
    var levels = rows.rssi
    for row in levels.indices { levels[row] = level(of: row, in: rows, catalogue) }
    return levels
  }

  /// Returns the level of a row corrected to the mean of the channels, in dBm; unchanged without a
  /// correction.
  mutating func level(
    of row: Int, in rows: SightingColumns, _ catalogue: Catalogue
  ) -> Float {
    self?.level(rows.rssi[row], channel: rows.channel[row], of: rows.link(row), in: catalogue)
      ?? rows.rssi[row]
  }

  /// Returns a target without the channel offsets; unchanged without a correction.
  mutating func removed(from target: AskedTarget, among anchors: SiteAnchors) -> AskedTarget {
    self?.removed(from: target, among: anchors) ?? target
  }
}
