import Geometry

/// Gathers the sightings of one target in one trace into one level per epoch and anchor.
///
/// Sightings may come in any order and are not kept: memory is epochs × anchors. A sighting counts
/// in every window that contains it.
package struct EpochAccumulator: Sendable {
  /// How the sightings of one anchor in one window become one level.
  package enum LevelRule: Equatable, Sendable {
    /// Their mean in dB: for raw levels.
    case mean
    /// The latest: for levels that a filter has smoothed already. Of equal times, the one added
    /// last.
    case last
  }

  /// What one anchor was heard at in one epoch.
  package struct Level: Equatable, Sendable {
    package var anchor: Int
    /// In dBm.
    package var rssi: Double
    /// How many sightings are behind it.
    package var sightings: Int
    /// The time of the latest of them, nanoseconds since the Unix epoch.
    package var latest: Int64
  }

  package let epochs: [Epoch]
  package let anchorCount: Int
  package let rule: LevelRule
  /// Row by row: all anchors of the first epoch, then of the second.
  private var cells: [LevelTally]

  /// - Parameters:
  ///   - epochs: in any order; kept in the order of their windows.
  ///   - anchorCount: anchors are numbered from 0 up to, but not including, this.
  ///   - rule: how sightings become a level.
  package init(epochs: [Epoch], anchorCount: Int, rule: LevelRule = .mean) {
    self.epochs = epochs.sorted { ($0.end, $0.start) < ($1.end, $1.start) }
    self.anchorCount = anchorCount
    self.rule = rule
    cells = Array(repeating: LevelTally(), count: epochs.count * anchorCount)
    longestWindow = epochs.map { $0.end - $0.start }.max() ?? 0
  }

  private let longestWindow: Int64

  /// Adds a sighting; one that is in no window, or has no level (NaN), is passed over.
  ///
  /// Logarithmic in the epochs, plus the windows that end within the longest window after the time.
  ///
  /// - Parameters:
  ///   - time: nanoseconds since the Unix epoch.
  ///   - anchor: the anchor's number.
  ///   - rssi: in dBm.
  package mutating func add(time: Int64, anchor: Int, rssi: Double) {
    precondition((0..<anchorCount).contains(anchor), "no anchor has this number")
    guard rssi.isFinite else { return }
    var index = epochs.partitioningIndex { $0.end >= time }
    while index < epochs.count, epochs[index].end - longestWindow < time {
      if epochs[index].start < time {
        cells[index * anchorCount + anchor].add(time: time, rssi: rssi, rule: rule)
      }
      index += 1
    }
  }

  /// The levels of an epoch, one for each anchor that was heard, in the order of the anchors.
  package func levels(ofEpoch index: Int) -> [Level] {
    let row = index * anchorCount
    return (0..<anchorCount).compactMap { anchor in
      let cell = cells[row + anchor]
      return cell.sightings > 0
        ? Level(
          anchor: anchor, rssi: cell.rssi, sightings: cell.sightings, latest: cell.latest) : nil
    }
  }
}

/// What one anchor was heard at within a time, sighting by sighting.
package struct LevelTally: Equatable, Sendable {
  /// In dBm; 0 before the first sighting.
  package private(set) var rssi = 0.0
  package private(set) var sightings = 0
  /// The time of the latest, nanoseconds since the Unix epoch.
  package private(set) var latest = Int64.min

  package init() {}

  /// Adds a sighting, in any order.
  package mutating func add(time: Int64, rssi level: Double, rule: EpochAccumulator.LevelRule) {
    sightings += 1
    let isLatest = time >= latest
    if isLatest { latest = time }
    switch rule {
    case .mean:
      // A running mean loses no digits, however many sightings there are.
      rssi += (level - rssi) / Double(sightings)
    case .last:
      if isLatest { rssi = level }
    }
  }
}
