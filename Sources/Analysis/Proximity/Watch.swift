import Support

/// A tracker of the presence, zones and ranges of beacons: levels in, events out when something
/// changes.
///
/// Time is that of the sightings. At the end of each period, at whole multiples of it since the
/// Unix epoch, beacons that were silent for long leave, and rangings can be requested. Events
/// therefore depend only on the sightings, and a replayed recording gives the same ones. O(1) per
/// sighting, O(beacons in sight) per period; memory grows with the links.
package struct Watch: Sendable {
  package let settings: WatchSettings
  package let regions: [Region]
  /// The events since it was last emptied, in order.
  package var events: [ProximityEvent] = []

  private var links: [WatchedLink] = []
  /// The number of beacons in each region at each receiver.
  private var occupancy: [Int: Int] = [:]
  /// The active links, sorted at the end of a period.
  private var present: [Int] = []
  /// The end of the next period; `nil` before the first sighting.
  private var nextPeriod: Int64?

  /// The smallest backward step that means that a clock was set.
  private static let clockStep: Int64 = 60_000_000_000

  package init(regions: [Region], settings: WatchSettings) {
    (self.regions, self.settings) = (regions, settings)
  }

  package var linkCount: Int { links.count }

  /// Adds a beacon at a receiver and returns its number, counted from 0.
  ///
  /// - Parameters:
  ///   - model: The distance model of its level; `nil` if it is unknown.
  ///   - range: The distance in metres within which it counts as reached.
  ///   - regions: Its regions, as in `RegionIndex`.
  ///   - receiver: The number of the receiver; regions are entered at each receiver separately.
  package mutating func addLink(
    model: DistanceModel?, range: Double?, regions: [Int], receiver: Int
  ) -> Int {
    let own = range ?? regions.compactMap { self.regions[$0].range }.max()
    links.append(
      WatchedLink(
        model: model, range: own, regions: regions, receiver: receiver, borders: settings.borders))
    return links.count - 1
  }

  /// Handles a filtered level; call `endPeriod` first for the periods that end by then.
  ///
  /// - Parameters:
  ///   - time: The time in nanoseconds since the Unix epoch.
  ///   - level: The level in dBm; NaN for a sighting without one, which only shows presence.
  ///   - variance: The variance of the level in dB²; NaN if the filter has none.
  package mutating func take(link index: Int, time: Int64, level: Double, variance: Double) {
    let time = Self.limited(time)
    if nextPeriod == nil { nextPeriod = following(time) }
    if !links[index].isHeard {
      present.append(index)
      links[index].isHeard = true
    }
    links[index].time = max(time, links[index].time)
    links[index].sightings += 1
    if !level.isNaN { (links[index].level, links[index].variance) = (level, variance) }
    let margin = links[index].margin(settings)
    let before = links[index].zone
    // In steps, because a nested call with an element would copy the link.
    let zoneMargin = links[index].zoneUnrest.widened(margin, at: time)
    links[index].zone = links[index].nextZone(margin: zoneMargin)
    let now = links[index].zone
    let wasIn = links[index].isIn.contains(true)
    for place in links[index].regions.indices {
      let region = links[index].regions[place]
      let counts = regions[region].zones.contains(now)
      if counts, !links[index].isIn[place] {
        enter(index, place, time)
      } else if !counts, links[index].isIn[place] {
        leave(index, place, time, .zone)
      }
    }
    // The enter event of a new beacon already contains its zone.
    if now != before, before != .unknown { links[index].zoneUnrest.note(at: time) }
    if now != before, wasIn { note(.zone(from: before), index, region: nil, time) }
    let rangeMargin = links[index].rangeUnrest.widened(margin, at: time)
    let isReached = links[index].nextReached(margin: rangeMargin)
    guard isReached != links[index].isReached else { return }
    links[index].isReached = isReached
    links[index].rangeUnrest.note(at: time)
    if !links[index].regions.isEmpty {
      note(isReached ? .rangeReached : .rangeLeft, index, region: nil, time)
    }
  }

  /// Records a change of the level of a beacon at rest.
  ///
  /// - Parameter level: The previous level at rest, in dBm.
  package mutating func noteLevelChange(link index: Int, time: Int64, from level: Double) {
    guard !links[index].regions.isEmpty else { return }
    note(.levelChange(from: level), index, region: nil, Self.limited(time))
  }

  /// Ends the next period if it is over at a time and returns its end, or returns `nil` if none is
  /// left.
  ///
  /// Call it until it returns `nil`, before handling sightings at that time.
  package mutating func endPeriod(by time: Int64) -> Int64? {
    let time = Self.limited(time)
    guard var end = nextPeriod else { return nil }
    if end &- time > Self.clockStep {
      // After a backward step of the clock, no sighting may be in the future.
      for index in links.indices { links[index].time = min(links[index].time, time) }
      end = following(time)
      nextPeriod = end
    }
    guard end <= time else { return nil }
    if present.isEmpty {
      // Nothing can change until the next sighting, even for days.
      nextPeriod = following(time)
      return nil
    }
    nextPeriod = end &+ settings.period.nanoseconds
    present.sort()
    for index in present where end &- links[index].time >= settings.exitAfter.nanoseconds {
      depart(index, end, .unheard)
    }
    present.removeAll { !links[$0].isHeard }
    return end
  }

  /// Ends the watch at the latest known time: all present beacons leave.
  package mutating func finish() {
    present.sort()
    let newest = present.map { links[$0].time }.max() ?? 0
    let time = max(newest, nextPeriod.map { $0 &- settings.period.nanoseconds } ?? newest)
    for index in present { depart(index, time, .end) }
    present = []
  }

  /// Returns a Boolean value that is true if a beacon has not left.
  package func isHeard(link index: Int) -> Bool { links[index].isHeard }

  /// Keeps only the given links, which are renumbered by their positions in the list; the others
  /// must not be present.
  package mutating func keep(_ kept: [Int]) {
    links = kept.map { links[$0] }
    present = links.indices.filter { links[$0].isHeard }
  }

  /// Returns the beacons of each non-empty region, the nearest first, and restarts the count of
  /// sightings.
  package mutating func rangings(at time: Int64) -> [Ranging] {
    var found = [[RangedBeacon]](repeating: [], count: regions.count)
    for index in present where links[index].isIn.contains(true) {
      let link = links[index]
      let beacon = ranged(link: index, at: time)
      for (place, region) in link.regions.enumerated()
      // After a long silence the zone is unknown, which may not count.
      where link.isIn[place] && regions[region].zones.contains(beacon.zone) {
        found[region].append(beacon)
      }
      links[index].sightings = 0
    }
    return found.indices.filter { !found[$0].isEmpty }.map { region in
      Ranging(
        time: time, region: region, beacons: found[region].sorted(by: RangedBeacon.isNearer))
    }
  }

  /// Returns one beacon at an instant.
  package func ranged(link index: Int, at time: Int64) -> RangedBeacon {
    let link = links[index]
    let silence = max(time &- link.time, 0)
    let isStale = !link.isHeard || silence >= settings.staleAfter.nanoseconds
    return RangedBeacon(
      link: index, isHeard: link.isHeard, zone: isStale ? .unknown : link.zone,
      distance: isStale ? nil : link.distance,
      level: link.level, variance: link.variance, silence: Double(silence) / 1e9,
      sightings: link.sightings)
  }

  /// Returns a time within 146 years of the epoch, so that differences fit for any file.
  private static func limited(_ time: Int64) -> Int64 { min(max(time, 1 - 1 << 62), 1 << 62 - 1) }

  private func following(_ time: Int64) -> Int64 {
    let period = settings.period.nanoseconds
    let phase = time % period
    return time &- phase &+ (phase < 0 ? 0 : period)
  }

  private mutating func enter(_ index: Int, _ place: Int, _ time: Int64) {
    let region = links[index].regions[place]
    links[index].isIn[place] = true
    let key = region << 16 | links[index].receiver
    occupancy[key, default: 0] += 1
    if occupancy[key] == 1 { note(.regionEnter, index, region: region, time) }
    note(.enter, index, region: region, time)
  }

  private mutating func leave(
    _ index: Int, _ place: Int, _ time: Int64, _ reason: ProximityEvent.Departure
  ) {
    let region = links[index].regions[place]
    links[index].isIn[place] = false
    note(.exit(reason), index, region: region, time)
    let key = region << 16 | links[index].receiver
    occupancy[key, default: 1] -= 1
    if occupancy[key] == 0 { note(.regionExit, index, region: region, time) }
  }

  /// The caller must remove it from the present links.
  private mutating func depart(
    _ index: Int, _ time: Int64, _ reason: ProximityEvent.Departure
  ) {
    for place in links[index].regions.indices where links[index].isIn[place] {
      leave(index, place, time, reason)
    }
    if links[index].isReached, !links[index].regions.isEmpty {
      note(.rangeLeft, index, region: nil, time)
    }
    (links[index].isHeard, links[index].isReached) = (false, false)
    (links[index].zone, links[index].sightings) = (.unknown, 0)
  }

  private mutating func note(
    _ kind: ProximityEvent.Kind, _ index: Int, region: Int?, _ time: Int64
  ) {
    let link = links[index]
    let isKnown: Bool =
      switch kind {
      // A sighting of long ago gives no current distance.
      case .exit(.unheard), .exit(.end), .regionExit:
        time &- link.time < settings.staleAfter.nanoseconds
      default: true
      }
    events.append(
      ProximityEvent(
        kind: kind, time: time, link: index, region: region, zone: isKnown ? link.zone : .unknown,
        level: link.level, distance: isKnown ? link.distance : nil, range: link.range))
  }
}

/// The thresholds that define a change.
public struct WatchSettings: Equatable, Sendable {
  package var borders = ZoneBorders()
  /// The smallest distance of a level beyond a border for a change of zone, in dB.
  public var hysteresis = 2.0
  /// The additional distance beyond a border in standard deviations of the filtered level: 2.58 is
  /// beyond the border at 99.5 %.
  public var deviations = 2.575_829_303_548_9
  /// The time from one ranging to the next.
  public var period: Duration = .seconds(1)
  /// A beacon that was not heard for so long has left.
  public var exitAfter: Duration = .seconds(30)
  /// A beacon that was not heard for so long is at no known distance.
  public var staleAfter: Duration = .seconds(10)

  /// Creates the default settings.
  public init() {}
}
