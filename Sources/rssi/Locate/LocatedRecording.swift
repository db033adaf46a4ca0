import Evaluation
import Geometry
import Inputs
import PathLoss
import Positioning
import Sightings
import Support
import TraceStore

/// The positions of all moving nodes of one trace file.
struct LocatedRecording {
  let reader: TraceReader
  /// The filter whose levels were used; nil = the raw ones.
  let filter: String?
  private(set) var positions: [LocatedPosition] = []
  private(set) var events: [SpotEvent] = []
  /// What a person should know.
  private(set) var notes: [String] = []

  /// One node while it is heard.
  private struct Track: Sendable {
    var node: MovingNode
    var scans: [Scan] = []
    var heard: [Int] = []
    var known: Surroundings
    var algorithm: any PositioningAlgorithm
  }

  /// What was new, in order: the track's number, and the instant where it ended.
  private typealias Step = (track: Int, end: Int64?)

  init(_ path: String, _ plan: LocatePlan, constants: LinkConstants) throws {
    reader = try TraceReader(path: path)
    try reader.requireUsablePlaces()
    filter = try chosenFilter(plan.asking.filtered, of: reader)
    let locator = try Locator(plan, reader.catalogue, of: path, constants: constants)
    var clock = EpochClock(plan.rule, levels: filter == nil ? .mean : .last)
    if plan.rule.isOfTruth { try expectTruth(of: plan, in: &clock) }
    var tracks: [Track] = []
    var numbers: [Int: Int] = [:]
    var steps: [Step] = []
    func tell(_ number: Int, _ node: MovingNode, _ news: EpochClock.News) throws {
      let track: Int
      if let known = numbers[number] {
        track = known
      } else {
        track = tracks.count
        numbers[number] = track
        tracks.append(
          Track(
            node: node, known: try locator.surroundings(of: node),
            algorithm: locator.algorithm(for: node)))
      }
      switch news {
      case .end(let time): steps.append((track, time))
      case .epoch(let epoch):
        tracks[track].scans.append(epoch.scan(tracks[track].known))
        tracks[track].heard.append(epoch.levels.count)
        steps.append((track, nil))
      }
    }
    let rows = OrderedRows(
      reader, filter: filter, plan, MovingLinks(locator.anchors, only: Set(plan.asking.node)))
    let notNegative = try rows.forEachRow { time, trace, heard in
      try clock.take(time, trace: trace, heard, tell: tell)
    }
    try clock.finish(tell: tell)
    note(notNegative, clock.late, plan)
    if tracks.isEmpty { notes.append(try whyNothing(locator.anchors)) }
    notes += locator.notes
    answer(tracks, steps, plan)
  }

  /// Has all tracks located on all cores, and tells what each answer changed, in order.
  private mutating func answer(_ tracks: [Track], _ steps: [Step], _ plan: LocatePlan) {
    let line = plan.reporting.log.progress(
      "locate \(reader.path)", total: tracks.count)
    let outcomes = parallel(tracks.count, done: line.update) { index in
      tracks[index].algorithm.locate(tracks[index].scans, in: tracks[index].known)
    }
    line.finish()
    var sites = tracks.map { NodeAtSite($0.node, plan.site, rule: plan.spots.rule) }
    var next = [Int](repeating: 0, count: tracks.count)
    for (track, end) in steps {
      if let end {
        if let event = sites[track].end(at: end) { events.append(event) }
        continue
      }
      let number = next[track]
      next[track] += 1
      let (position, changes) = sites[track].position(
        at: tracks[track].scans[number].instant, outcomes[track][number],
        anchors: tracks[track].heard[number])
      positions.append(position)
      events += changes
    }
    // The last epoch of a trace is final only at the end, when others are past.
    positions = positions.enumerated().sorted {
      ($0.element.node.trace, $0.offset) < ($1.element.node.trace, $1.offset)
    }.map(\.element)
    events = events.enumerated().sorted {
      ($0.element.node.trace, $0.offset) < ($1.element.node.trace, $1.offset)
    }.map(\.element)
  }

  /// Asks about every node with truth when `rssi eval` does.
  private func expectTruth(of plan: LocatePlan, in clock: inout EpochClock) throws {
    let catalogue = plan.site?.placing(reader.catalogue) ?? reader.catalogue
    let moving = MovingNodes(catalogue).targets.filter {
      plan.asking.trace.isEmpty || plan.asking.trace.contains(catalogue.traces[Int($0.trace)])
    }
    guard !moving.isEmpty else {
      throw RSSIError(
        .badInput,
        "\(reader.path) has no truth: leave --epochs-of truth out, or import it with --truth "
          + "truth.csv"
      )
    }
    for target in moving {
      guard let span = target.path.span else { continue }
      guard Double(span.upperBound) - Double(span.lowerBound) < 1e7 * Double(plan.rule.step),
        EpochRule.times.contains(span.lowerBound), EpochRule.times.contains(span.upperBound)
      else {
        throw RSSIError(
          .badInput,
          "the truth of trace \(catalogue.traces[Int(target.trace)]) is too long for so short "
            + "epochs: check its times, or use a longer --epoch"
        )
      }
      let nodes = target.role == .receiver ? catalogue.receivers : catalogue.beacons
      let node = MovingNode(
        trace: target.trace, role: target.role, index: target.node,
        traceName: catalogue.traces[Int(target.trace)], id: nodes[Int(target.node)].id)
      guard plan.asking.node.isEmpty || plan.asking.node.contains(node.id) else { continue }
      clock.expect(node, over: (span.lowerBound, span.upperBound))
    }
  }

  /// Why no node could be located: what was heard, beside the anchors.
  private func whyNothing(_ anchors: KnownAnchors) throws -> String {
    let census = try HeardCensus(reader)
    let known = (anchors.beacons + anchors.receivers).map(\.id)
    return
      "\(reader.path): no sighting is of a moving node and an anchor; the anchors are "
      + "\(listed(known, 4)); heard were the beacons "
      + listed(census.names(.beacon, in: reader.catalogue), 4) + " and the receivers "
      + listed(census.names(.receiver, in: reader.catalogue), 4)
      + ": check the names in --site or --nodes"
  }

  private mutating func note(_ notNegative: Int, _ late: Int, _ plan: LocatePlan) {
    if notNegative > 0 {
      notes.append("left out \(notNegative) sightings at 0 dBm and above, which no radio link has")
    }
    if late > 0 { notes.append("left out \(late) sightings that came too late, or are of no time") }
    if let filter, reader.filterChain(filter).contains(where: needsLaterSightings) {
      notes.append(
        "the levels of \(filter) know later sightings: no live system has these positions")
    }
  }
}
