import Geometry

/// A builder of epochs from the sightings of one node in one trace: one level per anchor and
/// window, and short bins of raw levels.
///
/// Sightings may come in any order and are not kept: memory is proportional to the open epochs
/// times the anchors received in each. A sighting counts in every window that contains its time.
///
/// ```swift
/// var builder = EpochBuilder(.always(step: 2_000_000_000, window: 2_000_000_000))
/// builder.add(time: time, anchor: 0, level: -61, raw: -60)
/// let epoch = builder.close()
/// ```
package struct EpochBuilder: Sendable {
  /// The rule that combines the sightings of one anchor in one window.
  package enum LevelRule: Equatable, Sendable {
    /// Their mean in dB, for raw levels.
    case mean
    /// The latest, for levels that are already filtered; of equal times, the one added last.
    case last
  }

  /// An epoch that accepts sightings.
  private struct Open {
    var number: Int
    var window = HeardLevels()
    /// The bins of raw levels; empty before the first.
    var bins: [HeardLevels] = []
    /// The time of the latest sighting in the epoch's own step.
    var latest: Int64?
  }

  private let schedule: EpochSchedule
  private let rule: LevelRule
  private let keepsChannels: Bool
  /// The open epochs in order of their numbers: all of a schedule with an end, else those with
  /// sightings.
  private var open: [Open]
  /// The number of closed epochs at the start of `open`; they are removed in batches.
  private var closed = 0
  private var nextNumber: Int?
  private var hasClosed = false
  /// The time of the latest sighting of a closed epoch.
  private var lastHeard: Int64?

  /// - Parameters:
  ///   - rule: The rule of the windows; bins always use the mean.
  ///   - keepsChannels: A Boolean value that is true if channel offsets may be removed from the
  ///     epochs later.
  package init(_ schedule: EpochSchedule, _ rule: LevelRule = .mean, keepsChannels: Bool = false) {
    self.schedule = schedule
    self.rule = rule
    self.keepsChannels = keepsChannels
    if schedule.isEndless {
      open = []
    } else {
      open = schedule.numbers.map { Open(number: $0) }
      nextNumber = schedule.numbers.lowerBound
    }
  }

  /// The instant of the next epoch to close; `nil` before the first sighting, or after the last
  /// epoch.
  package var next: Int64? {
    nextNumber.flatMap { schedule.numbers.contains($0) ? schedule.instant($0) : nil }
  }

  /// Adds a sighting; one outside all open windows is ignored.
  ///
  /// Logarithmic in the received anchors, for each window that contains the time.
  ///
  /// - Parameters:
  ///   - time: The time in nanoseconds since the Unix epoch.
  ///   - anchor: The number of the anchor.
  ///   - level: The level for windows in dBm, filtered or raw; NaN for none.
  ///   - raw: The raw level in dBm; NaN for none.
  ///   - channel: The channel of the raw level.
  package mutating func add(
    time: Int64, anchor: Int, level: Double, raw: Double, channel: UInt8 = 255
  ) {
    if let (number, bin) = schedule.bin(of: time) {
      if schedule.isEndless, !hasClosed { nextNumber = min(nextNumber ?? .max, number) }
      if number >= nextNumber ?? .max {
        let index = index(of: number)
        open[index].latest = max(open[index].latest ?? .min, time)
        if raw.isFinite {
          if open[index].bins.isEmpty {
            open[index].bins = Array(repeating: HeardLevels(), count: schedule.bins)
          }
          open[index].bins[bin].add(
            time: time, anchor: anchor, channel: keepsChannels ? channel : 0, rssi: raw, rule: .mean
          )
        }
      }
    }
    guard level.isFinite, let nextNumber else { return }
    // A filtered level belongs to all channels.
    let channel = keepsChannels && rule == .mean ? channel : 0
    for number in schedule.numbers(holding: time) where number >= nextNumber {
      open[index(of: number)].window.add(
        time: time, anchor: anchor, channel: channel, rssi: level, rule: rule)
    }
  }

  /// Returns the index of an open epoch, which is created if necessary.
  private mutating func index(of number: Int) -> Int {
    if closed < open.count {
      let expected = closed + number - open[closed].number
      if open.indices.contains(expected), open[expected].number == number { return expected }
    }
    let index = open.partitioningIndex { $0.number >= number }
    if index == open.count || open[index].number != number {
      open.insert(Open(number: number), at: index)
    }
    return index
  }

  /// Returns a Boolean value that is true if the node was silent for longer than a time before the
  /// next instant, and in its step.
  ///
  /// - Parameter silence: The time in nanoseconds.
  package func isLost(after silence: Int64) -> Bool {
    guard let next, let lastHeard, next - lastHeard > silence else { return false }
    return closed == open.count || open[closed].number != nextNumber || open[closed].latest == nil
  }

  /// Closes and returns the next epoch, or returns `nil` if there is none.
  package mutating func close() -> HeardEpoch? {
    guard let number = nextNumber, schedule.numbers.contains(number) else { return nil }
    nextNumber = number + 1
    hasClosed = true
    guard closed < open.count, open[closed].number == number else {
      return heard(Open(number: number))
    }
    let epoch = open[closed]
    open[closed] = Open(number: number)
    closed += 1
    if 2 * closed > open.count {
      open.removeFirst(closed)
      closed = 0
    }
    if let latest = epoch.latest { lastHeard = max(lastHeard ?? .min, latest) }
    return heard(epoch)
  }

  /// The epochs that are not closed, for a schedule with an end.
  package var epochs: [HeardEpoch] { open[closed...].map(heard) }

  private func heard(_ epoch: Open) -> HeardEpoch {
    HeardEpoch(
      instant: schedule.instant(epoch.number), start: schedule.start(epoch.number),
      window: epoch.window, bins: epoch.bins, keepsChannels: keepsChannels)
  }

  /// Returns the sightings after the next instant, at which the node is lost, as a separate track,
  /// or `nil` if there are none.
  ///
  /// Windows are not longer than the silence after which a node is lost, so none contains earlier
  /// sightings.
  package func successor() -> EpochBuilder? {
    guard let first = open[closed...].firstIndex(where: { $0.latest != nil }) else { return nil }
    var later = EpochBuilder(schedule, rule, keepsChannels: keepsChannels)
    later.open = Array(open[first...])
    later.nextNumber = open[first].number
    return later
  }
}
