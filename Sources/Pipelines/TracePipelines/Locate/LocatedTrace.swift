import Evaluation
import Geometry
import Positioning
import Recordings
public import Sightings
import Support
import TraceStore

/// The positions of all moving nodes of one trace file.
public struct LocatedTrace: Sendable {
  /// The path of the trace file.
  public let path: String
  package let catalogue: Catalogue
  /// The filter whose levels were used; nil = the raw ones.
  public let filter: String?
  /// The nodes at known places by which others were located.
  public let anchors: [Node]
  /// The positions, trace by trace, and within a trace in the order of time.
  public private(set) var positions: [LocatedPosition] = []
  /// A Boolean value that is true if positions were asked for, and not only rooms.
  package let hasPositions: Bool
  /// The arrivals at spots and in rooms and the departures, in the same order.
  public private(set) var events: [PlaceEvent] = []
  /// Notes for the user.
  private(set) var notes: [String] = []
  private let basis: LocateBasis

  /// One node while it is heard.
  private struct Track: Sendable {
    var node: MovingNode
    var scans: [Scan] = []
    var heard: [Int] = []
    var known: Surroundings
    var algorithm: any PositioningAlgorithm
    var rooms: TrainedRooms.Track?
  }

  /// The file's name without folder and extension.
  public var name: String { fileStem(path) }

  /// A step in order of time: the place of its track, and the instant at which the track ended.
  private typealias Step = (track: Int, end: Int64?)

  init(_ reader: TraceReader, _ basis: LocateBasis, constants: LinkConstants?) throws {
    path = reader.path
    self.basis = basis
    try reader.requireUsablePlaces()
    try reader.requireTimes()
    let names = try basis.writtenNames()
    let catalogue = try reader.catalogue(withSendersAmong: addresses(among: names))
    self.catalogue = catalogue
    let heard = HeardBeacons(catalogue)
    // A name of several nodes is refused before anything is read.
    let strange = try basis.request.node.filter { node in
      try heard.numbers(node).isEmpty && !catalogue.receivers.contains { $0.id == node }
    }
    if !strange.isEmpty {
      notes += unheardNodes(
        strange, among: (catalogue.receivers + catalogue.beacons).map(\.id), as: "nodes",
        of: "that `node` names")
    }
    filter = try chosenFilter(basis.request.filtered, of: reader)
    let locator = try Locator(basis, catalogue, of: path, constants: constants)
    anchors = locator.anchors.all
    hasPositions = locator.findsPositions
    var clock = EpochClock(basis.request.rule, levels: filter == nil ? .mean : .last)
    if basis.request.epochsOf == .truth { try expectTruth(in: &clock) }
    var tracks: [Track] = []
    var places: [Int: Int] = [:]
    var steps: [Step] = []
    var channels = constants?.channels
    try hear(reader, locator.anchors, &clock, &channels) { number, node, news in
      let place = places[number] ?? tracks.count
      if place == tracks.count {
        places[number] = place
        tracks.append(
          Track(
            node: node, known: try locator.surroundings(of: node),
            algorithm: locator.algorithm(for: node), rooms: locator.rooms?.track(of: node)))
      }
      switch news {
      case .end(let time): steps.append((place, time))
      case .epoch(let epoch):
        tracks[place].rooms?.hear(epoch)
        tracks[place].scans.append(
          tracks[place].rooms.positioning(epoch, among: tracks[place].known.anchors))
        tracks[place].heard.append(epoch.levels.count)
        steps.append((place, nil))
      }
    }
    for text in try reader.levelNotes() { basis.log.note(text) }
    note(reader, clock.late)
    if let channels { notes += channels.notes(filters: [filter].compactMap(\.self)) }
    if tracks.isEmpty {
      notes.append(try whyNothing(reader, locator.anchors))
    } else {
      notes += basis.plan.site?.unheardAnchors(in: [catalogue]) ?? []
    }
    notes += locator.notes
    answer(tracks, steps)
  }

  /// Reads the sightings in order of time.
  private func hear(
    _ reader: TraceReader, _ anchors: KnownAnchors, _ clock: inout EpochClock,
    _ channels: inout ChannelCorrection?,
    report: EpochClock.Report
  ) throws {
    let request = basis.request
    let names = Set(request.trace)
    let isChosen = catalogue.traces.map { names.isEmpty || names.contains($0) }
    var links = MovingLinks(anchors, only: request.node)
    let rows = try OrderedTrace(reader, filtered: filter, lateness: request.reorder.nanoseconds)
    let progress = basis.log.progress("locate \(path)", total: reader.count)
    let fields: SightingFields = channels == nil ? [] : [.channel]
    try rows.forEachBlock(fields.union([.time, .link, .rssi]), progress: progress) {
      rows, filtered, _ in
      for row in 0..<rows.count where isChosen[Int(rows.trace[row])] {
        var heard: NodeSighting?
        if let pair = links.pair(rows.link(row), catalogue) {
          let raw = channels.level(of: row, in: rows, catalogue)
          heard = NodeSighting(pair, level: filtered.isEmpty ? raw : filtered[row], raw: raw)
        }
        try clock.receive(rows.time[row], trace: rows.trace[row], heard, report: report)
      }
    }
    try clock.finish(report: report)
  }

  /// Locates all tracks on all cores, and keeps the changes of each answer, in order.
  private mutating func answer(_ tracks: [Track], _ steps: [Step]) {
    let line = basis.log.progress("locate \(path)", total: tracks.count)
    let outcomes = parallel(tracks.count, done: line.update) { index in
      tracks[index].algorithm.locate(tracks[index].scans, on: tracks[index].known)
    }
    line.finish()
    var sites = tracks.map {
      NodeAtSite($0.node, basis.plan, rule: basis.request.spotRule, trained: basis.rooms)
    }
    var rooms = tracks.map(\.rooms)
    for track in rooms.indices { rooms[track]?.finish() }
    var next = [Int](repeating: 0, count: tracks.count)
    for (track, end) in steps {
      if let end {
        events += sites[track].end(at: end)
        continue
      }
      let number = next[track]
      next[track] += 1
      let instant = tracks[track].scans[number].instant
      let (position, changes) = sites[track].position(
        at: instant, outcomes[track][number], anchors: tracks[track].heard[number],
        trainedRooms: rooms[track]?.answer(at: instant))
      positions.append(position)
      events += changes
    }
    // The last epoch of a trace is final only at the end, after later ones of other traces.
    positions = byTrace(positions, \.node.trace)
    events = byTrace(events, \.node.trace)
  }

  /// Adds epochs for every node with truth, as an evaluation does.
  private func expectTruth(in clock: inout EpochClock) throws {
    let request = basis.request
    let catalogue = try basis.plan.placing(catalogue)
    var chosen = ChosenNodes(request.node)
    func senders(of node: MovingNode) -> [UInt64] {
      node.role == .beacon ? self.catalogue.addresses(ofBeacon: node.index) : []
    }
    let moving = MovingNodes(catalogue).targets.filter {
      request.trace.isEmpty || request.trace.contains(catalogue.traces[Int($0.trace)])
    }
    guard !moving.isEmpty else {
      throw RSSIError(
        .badInput,
        "\(path) has no truth: leave `epochsOf` truth out, or import it with `truth` "
          + "truth.csv")
    }
    for target in moving {
      guard let span = target.path.span else { continue }
      let trace = catalogue.traces[Int(target.trace)]
      guard
        Double(span.upperBound) - Double(span.lowerBound) < 1e7 * Double(request.epoch.nanoseconds),
        EpochRule.times.contains(span.lowerBound), EpochRule.times.contains(span.upperBound)
      else {
        throw RSSIError(
          .badInput,
          "the truth of trace \(trace) is too long for epochs this short: check its times, or use "
            + "a longer `epoch`")
      }
      let nodes = target.role == .receiver ? catalogue.receivers : catalogue.beacons
      let node = MovingNode(
        trace: target.trace, role: target.role, index: target.node, traceName: trace,
        id: nodes[Int(target.node)].id)
      guard chosen.takes(node.id, of: node.role, sentFrom: senders(of: node)) else { continue }
      clock.expect(node, over: span)
    }
  }

  /// Returns the reason why no node could be located, with the nodes that were heard.
  private func whyNothing(_ reader: TraceReader, _ anchors: KnownAnchors) throws -> String {
    let census = try HeardCensus(reader)
    return
      "\(path): no sighting links a moving node with an anchor; the anchors are "
      + "\(listed(anchors.all.map(\.id), 4)); heard: beacons "
      + listed(census.names(.beacon, in: catalogue), 4) + " and receivers "
      + listed(census.names(.receiver, in: catalogue), 4)
      + ": check the names in `site` or `nodes`"
  }

  private mutating func note(_ reader: TraceReader, _ late: Int) {
    notes += leftOutNotes(late: late)
    if let filter, reader.usesLaterSightings(filter) {
      notes.append(
        "the levels of \(filter) depend on later sightings: no live system can have these positions"
      )
    }
  }
}

extension NodeSighting {
  init(_ pair: MovingLinks.Pair, level: Float, raw: Float) {
    self.init(node: pair.node, anchor: pair.anchor, level: Double(level), raw: Double(raw))
  }
}

/// Returns notes for the user about sightings that were not used.
func leftOutNotes(late: Int) -> [String] {
  late > 0
    ? ["left out \(late) sightings that came too late or have an unusable time"] : []
}

/// Returns elements by the number of their trace; those of one trace keep their order.
private func byTrace<Element>(
  _ elements: [Element], _ trace: (Element) -> UInt16
) -> [Element] {
  elements.enumerated().sorted {
    (trace($0.element), $0.offset) < (trace($1.element), $1.offset)
  }.map(\.element)
}
