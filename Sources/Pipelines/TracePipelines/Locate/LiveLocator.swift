import Evaluation
import Positioning
import Registries
package import Sightings
import Support

/// Locates moving nodes as their sightings arrive.
package final class LiveLocator: ForgettingSink {
  /// A moving node.
  private final class Track {
    let known: Surroundings
    var live: DelayedTrack
    var site: NodeAtSite
    var rooms: TrainedRooms.Track?
    /// The numbers of anchors at the instants whose answers are not final yet.
    var heard: [Int64: Int] = [:]

    init(
      known: Surroundings, live: DelayedTrack, site: NodeAtSite, rooms: TrainedRooms.Track?
    ) {
      (self.known, self.live, self.site, self.rooms) = (known, live, site, rooms)
    }
  }

  private let locator: Locator
  private let request: LocateRequest
  private let sink: any PositionSink
  private let host: MachineClock
  private var links: MovingLinks
  private var clock: EpochClock
  private var tracks: [Int: Track] = [:]
  private var channels: ChannelCorrection?
  /// The number of senders in the tables that the registry has learned.
  private var learnedSenders = 0
  private var hasLocated = false
  /// Names of beacons that were heard, until a node is located.
  private var heard: Set<String> = []
  /// The monotonic time at which the newest sighting arrived; nil if its time was not the present,
  /// as in a replay.
  private var arrival: Int64?

  /// The numbers of instants at which a node was located, and at which it was refused.
  package private(set) var positions: (located: UInt64, refused: UInt64) = (0, 0)
  /// The number of sightings of the requested traces.
  package private(set) var taken: UInt64 = 0
  private(set) var latency = LatencyHistogram()

  private static let mostHeard = 1000
  /// The largest difference from the host's clock at which a sighting is of the present.
  private static let present = 5 * Timestamp.second
  /// The time after which an epoch ends without a sighting.
  private static let grace = Timestamp.second

  init(_ locator: Locator, sink: any PositionSink, host: MachineClock = .system) {
    self.locator = locator
    self.sink = sink
    self.host = host
    request = locator.basis.request
    channels = locator.channels
    links = MovingLinks(locator.anchors, only: request.node)
    clock = EpochClock(request.rule, levels: .mean)
  }

  /// Notes about omissions, and about the constants that are used.
  package var notes: [String] {
    var notes = leftOutNotes(late: clock.late)
    notes += [channels?.note].compactMap(\.self)
    if !hasLocated {
      notes.append(
        "no sighting links a moving node with an anchor; heard beacons: "
          + "\(listed(heard.sorted(), 4)): check the names in `site` or `nodes`")
    }
    return notes + locator.notes
  }

  package func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    for row in 0..<rows.count { try take(rows, row, catalogue) }
    latency.add(rows.time, at: host.now())
  }

  /// Receives one sighting.
  package func take(
    _ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue
  ) throws {
    if learnedSenders < catalogue.senders.count {
      request.registry.learn(catalogue, from: learnedSenders)
      learnedSenders = catalogue.senders.count
    }
    let trace = rows.trace[row]
    guard request.trace.isEmpty || request.trace.contains(catalogue.traces[Int(trace)]) else {
      return
    }
    taken += 1
    if !hasLocated, heard.count < Self.mostHeard {
      heard.insert(catalogue.beacons[Int(rows.beacon[row])].id)
    }
    var (time, level) = (rows.time[row], rows.rssi[row])
    let pair = links.pair(rows.link(row), catalogue)
    if pair != nil { level = channels.level(of: row, in: rows, catalogue) }
    let age = host.now().subtractingReportingOverflow(time)
    let isPresent = !age.overflow && age.partialValue.magnitude <= Self.present.magnitude
    arrival = isPresent ? host.monotonic() : nil
    try report { clock, report in
      try clock.receive(
        time, trace: trace, pair.map { NodeSighting($0, level: level, raw: level) },
        report: report)
    }
  }

  /// The nodes that are followed.
  package var rowsInUse: RowsInUse {
    var rows = RowsInUse()
    for node in clock.nodes where node.role == .beacon { rows.beacons.insert(node.index) }
    return rows
  }

  package func renumber(_ renumbering: Renumbering, in catalogue: Catalogue) {
    request.registry.forget(allBut: catalogue)
    learnedSenders = catalogue.senders.count
    links.renumber(renumbering, in: catalogue)
    clock.renumber(renumbering)
    channels?.renumber(renumbering)
    for track in tracks.values { track.site.renumber(renumbering) }
  }

  /// The time to wait for a line before an epoch ends without one, in nanoseconds; nil if epochs
  /// wait for lines.
  var patience: Int64? {
    guard let arrival, let due = clock.untilDue else { return nil }
    return max(10_000_000, due + Self.grace - (host.monotonic() - arrival))
  }

  /// Ends the epochs that are over by the host's clock.
  package func wait() throws {
    guard let arrival else { return }
    let waited = host.monotonic() - arrival - Self.grace
    try report { clock, report in try clock.wait(waited, report: report) }
  }

  /// Ends the open epochs at the end of the sightings.
  package func finish() throws {
    try report { clock, report in try clock.finish(report: report) }
    for number in tracks.keys.sorted() {
      if let track = tracks.removeValue(forKey: number) { try end(track) }
    }
  }

  private func end(_ track: Track) throws {
    track.rooms?.finish()
    let answers = track.live.finish()
    try hand(on: answers, of: track)
  }

  /// Answers the epochs that a step of the clock makes final.
  private func report(
    _ step: (inout EpochClock, EpochClock.Report) throws -> Void
  ) throws {
    // Taken out, so that the clock has its epochs alone and none is copied.
    var clock = EpochClock(request.rule, levels: .mean)
    swap(&clock, &self.clock)
    defer { swap(&clock, &self.clock) }
    try step(&clock) { try receive($0, $1, $2) }
  }

  private func receive(
    _ number: Int, _ node: MovingNode, _ news: EpochClock.News
  ) throws {
    hasLocated = true
    let track = try tracks.removeValue(forKey: number) ?? newTrack(of: node)
    switch news {
    case .end(let time):
      try end(track)
      for change in track.site.end(at: time) { try sink.receive(change) }
    case .epoch(let epoch):
      track.heard[epoch.instant] = epoch.levels.count
      track.rooms?.hear(epoch)
      let answers = track.live.locate(
        track.rooms.positioning(epoch, among: track.known.anchors))
      try hand(on: answers, of: track)
      tracks[number] = track
    }
  }

  private func hand(on answers: [DelayedTrack.Answer], of track: Track) throws {
    for (instant, outcome) in answers {
      let (located, changes) = track.site.position(
        at: instant, outcome, anchors: track.heard.removeValue(forKey: instant) ?? 0,
        trainedRooms: track.rooms?.answer(at: instant))
      if located.estimate == nil, located.roomProbabilities.isEmpty {
        positions.refused += 1
      } else {
        positions.located += 1
      }
      try sink.receive(located)
      for change in changes { try sink.receive(change) }
    }
  }

  private func newTrack(of node: MovingNode) throws -> Track {
    let known = try locator.surroundings(of: node)
    let algorithm = locator.algorithm(for: node)
    let isOfPlane = known.building != nil && !algorithm.usesBuildingMap
    guard let live = DelayedTrack(isOfPlane ? FloorChoice(algorithm) : algorithm, in: known) else {
      throw RSSIError(.usage, "\(request.algorithmName) uses later sightings")
    }
    return Track(
      known: known, live: live,
      site: NodeAtSite(
        node, locator.basis.plan, rule: request.spotRule, trained: locator.basis.rooms),
      rooms: locator.rooms?.track(of: node))
  }
}
