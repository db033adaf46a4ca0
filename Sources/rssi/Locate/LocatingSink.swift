import Evaluation
import Foundation
import Geometry
import Positioning
import Sightings
import Support

/// Locates moving nodes as their sightings arrive.
struct LocatingSink: SightingSink {
  /// A node on its way.
  private struct Track {
    var known: Surroundings
    var live: any LiveTrack
    var site: NodeAtSite
  }

  private let plan: LocatePlan
  private let locator: Locator
  private let position: ((LocatedPosition) throws -> Void)?
  private let event: ((SpotEvent) throws -> Void)?
  private var links: MovingLinks
  private var clock: EpochClock
  private var tracks: [Int: Track] = [:]
  private var notNegative = 0
  private var hasLocated = false
  /// Names of beacons that were heard, as long as nothing is located.
  private var heard: Set<String> = []
  private static let mostHeard = 1000
  /// When the newest sighting came; nil where its time was not the present, as in a stream that is
  /// played again.
  private var arrival: ContinuousClock.Instant?

  /// A sighting is of the present if its time is within so many seconds of the host's clock.
  private static let present = 5.0
  /// Without a sighting an epoch ends so long after it would with one.
  private static let grace = Timestamp.second

  init(
    _ plan: LocatePlan, _ locator: Locator, position: ((LocatedPosition) throws -> Void)?,
    event: ((SpotEvent) throws -> Void)?
  ) {
    self.plan = plan
    self.locator = locator
    self.position = position
    self.event = event
    links = MovingLinks(locator.anchors, only: Set(plan.asking.node))
    clock = EpochClock(plan.rule, levels: .mean)
  }

  var notes: [String] {
    var notes: [String] = []
    if notNegative > 0 {
      notes.append("left out \(notNegative) sightings at 0 dBm and above, which no radio link has")
    }
    if clock.late > 0 {
      notes.append("left out \(clock.late) sightings that came too late, or are of no time")
    }
    if !hasLocated {
      notes.append(
        "no sighting was of a moving node and an anchor; heard were the beacons "
          + "\(listed(heard.sorted(), 4)): check the names in --site or --nodes"
      )
    }
    return notes
  }

  mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    for row in 0..<rows.count {
      let trace = rows.trace[row]
      guard plan.asking.trace.isEmpty || plan.asking.trace.contains(catalogue.traces[Int(trace)])
      else {
        continue
      }
      let pair = links.pair(rows, row, catalogue)
      if !hasLocated, heard.count < Self.mostHeard {
        heard.insert(catalogue.beacons[Int(rows.beacon[row])].id)
      }
      if pair != nil, rows.rssi[row] >= 0 { notNegative += 1 }
      let level = OrderedRows.level(rows.rssi[row])
      let time = rows.time[row]
      let age = Date().timeIntervalSince1970 - Double(time) / 1e9
      arrival = abs(age) <= Self.present ? .now : nil
      try news { clock, tell in
        try clock.take(
          time, trace: trace, pair.map { ($0.node, $0.anchor, level, level) }, tell: tell)
      }
    }
  }

  /// Nanoseconds to wait for a line before an epoch ends without one; nil where epochs wait for
  /// lines.
  var patience: Int64? {
    guard let arrival, let due = clock.untilDue else { return nil }
    return max(10_000_000, due + Self.grace - Self.nanoseconds(since: arrival))
  }

  /// Ends the epochs that are over by the host's clock.
  mutating func wait() throws {
    guard let arrival else { return }
    let waited = Self.nanoseconds(since: arrival) - Self.grace
    try news { clock, tell in try clock.wait(waited, tell: tell) }
  }

  mutating func finish() throws {
    try news { clock, tell in try clock.finish(tell: tell) }
  }

  /// Answers what a step of the clock makes final.
  private mutating func news(
    _ step: (inout EpochClock, (Int, MovingNode, EpochClock.News) throws -> Void) throws -> Void
  ) throws {
    var clock = self.clock
    try step(&clock) { try take($0, $1, $2) }
    self.clock = clock
  }

  private mutating func take(_ number: Int, _ node: MovingNode, _ news: EpochClock.News) throws {
    hasLocated = true
    var track: Track
    if let known = tracks.removeValue(forKey: number) {
      track = known
    } else {
      let known = try locator.surroundings(of: node)
      guard let live = locator.algorithm(for: node).track(in: known) else {
        throw RSSIError(.usage, "\(plan.algorithmName) answers from what comes later")
      }
      track = Track(
        known: known, live: live, site: NodeAtSite(node, plan.site, rule: plan.spots.rule))
    }
    switch news {
    case .end(let time):
      if let change = track.site.end(at: time) { try event?(change) }
    case .epoch(let epoch):
      let outcome = track.live.locate(epoch.scan(track.known))
      let (located, changes) = track.site.position(
        at: epoch.instant, outcome, anchors: epoch.levels.count)
      try position?(located)
      for change in changes { try event?(change) }
      tracks[number] = track
    }
  }

  private static func nanoseconds(since instant: ContinuousClock.Instant) -> Int64 {
    let (seconds, attoseconds) = (ContinuousClock.now - instant).components
    return seconds * Timestamp.second + attoseconds / 1_000_000_000
  }
}
