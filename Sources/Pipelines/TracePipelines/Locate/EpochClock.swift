package import Evaluation
import Positioning
import Sightings

/// A sighting of a link between a moving node and an anchor.
package struct NodeSighting {
  package var node: MovingNode
  /// The anchor's number.
  package var anchor: Int
  /// The level for windows: filtered or raw; NaN if there is none.
  package var level: Double
  /// The raw level; NaN if there is none.
  package var raw: Double

  package init(node: MovingNode, anchor: Int, level: Double, raw: Double) {
    self.node = node
    self.anchor = anchor
    self.level = level
    self.raw = raw
  }
}

/// Turns sightings into final epochs, for all moving nodes of all traces.
///
/// Every trace has a clock, the newest time in it. An epoch is final when the clock is past it by
/// more than the permitted delay of sightings. Of the epochs of one clock, earlier ones come first,
/// and equal ones in the order of the nodes' names.
package struct EpochClock {
  /// News of a node's track.
  package enum News {
    case epoch(HeardEpoch)
    /// The node was silent for too long: no position is estimated at this instant.
    case end(Int64)
  }

  /// A function that receives a track's number, its node and its news.
  package typealias Report = (_ track: Int, _ node: MovingNode, _ news: News) throws -> Void

  private struct Track {
    var number: Int
    var node: MovingNode
    var epochs: EpochBuilder
  }

  private struct Trace {
    var newest = Int64.min
    /// The latest instant whose epochs are final.
    var closed = Int64.min
    /// The tracks, in the order of the nodes' names; ``follow(_:)`` replaces them.
    var tracks: [Track] = []
    /// The indices of the nodes' tracks.
    private var places: [MovingNode: Int] = [:]
    /// The next instant of an epoch; nil if no node is followed.
    private(set) var due: Int64?

    mutating func follow(_ tracks: [Track]) {
      self.tracks = tracks
      places = Dictionary(
        tracks.indices.map { (tracks[$0].node, $0) }, uniquingKeysWith: { first, _ in first })
      due = tracks.indices.lazy.compactMap { tracks[$0].epochs.next }.min()
    }

    /// Adds a sighting to its node's track; returns `false` if the node is not followed.
    mutating func add(_ heard: NodeSighting, at time: Int64) -> Bool {
      guard let place = places[heard.node] else { return false }
      tracks[place].epochs.add(
        time: time, anchor: heard.anchor, level: heard.level, raw: heard.raw)
      // A sighting can only bring the node's first epoch forward.
      if let next = tracks[place].epochs.next { due = min(due ?? next, next) }
      return true
    }
  }

  private let rule: EpochRule
  private let levels: EpochBuilder.LevelRule
  /// The traces, by their rows in the catalogue.
  private var traces: [Trace] = []
  private var tracksSoFar = 0
  /// The number of sightings that came after their epoch was final.
  package private(set) var late = 0

  /// The step back by which a clock counts as set.
  private static let setBack = 60 * Timestamp.second

  package init(_ rule: EpochRule, levels: EpochBuilder.LevelRule = .mean) {
    self.rule = rule
    self.levels = levels
  }

  /// Adds epochs of a node at the instants of its truth, whether it is heard or not.
  package mutating func expect(_ node: MovingNode, over span: ClosedRange<Int64>) {
    let schedule = EpochSchedule.walk(span, step: rule.step, window: rule.window)
    add(node, EpochBuilder(schedule, levels))
  }

  private mutating func add(_ node: MovingNode, _ epochs: EpochBuilder) {
    let track = Track(number: tracksSoFar, node: node, epochs: epochs)
    tracksSoFar += 1
    let trace = index(of: node.trace)
    var tracks = traces[trace].tracks
    tracks.insert(track, at: tracks.firstIndex { node < $0.node } ?? tracks.count)
    traces[trace].follow(tracks)
  }

  private mutating func index(of trace: UInt16) -> Int {
    while traces.count <= trace { traces.append(Trace()) }
    return Int(trace)
  }

  /// Receives a sighting of a trace; epochs that it makes final are reported before it counts.
  ///
  /// - Parameter heard: the pair; nil if the link is not between a moving node and an anchor.
  package mutating func receive(
    _ time: Int64, trace: UInt16, _ heard: NodeSighting?, report: Report
  ) throws {
    guard EpochRule.times.contains(time) else {
      late += 1
      return
    }
    let trace = index(of: trace)
    let clock = traces[trace].newest
    if clock != .min, time < clock - Self.setBack - rule.silence - rule.reorder {
      try restart(trace, at: clock, report: report)
    }
    try advance(trace, to: time, report: report)
    guard let heard else { return }
    guard rule.isOfTruth || time > traces[trace].closed else {
      late += 1
      return
    }
    if !traces[trace].add(heard, at: time), !rule.isOfTruth {
      var epochs = EpochBuilder(.always(step: rule.step, window: rule.window), levels)
      epochs.add(time: time, anchor: heard.anchor, level: heard.level, raw: heard.raw)
      add(heard.node, epochs)
    }
  }

  /// The nodes that are followed.
  var nodes: some Sequence<MovingNode> { traces.lazy.flatMap(\.tracks).map(\.node) }

  /// Takes the new numbers of beacons.
  mutating func renumber(_ renumbering: Renumbering) {
    for trace in traces.indices {
      var tracks = traces[trace].tracks
      for track in tracks.indices {
        if let node = tracks[track].node.renumbered(renumbering) { tracks[track].node = node }
      }
      traces[trace].follow(tracks)
    }
  }

  /// Advances every trace's clock by the time since its newest sighting.
  package mutating func wait(_ nanoseconds: Int64, report: Report) throws {
    for trace in traces.indices where !traces[trace].tracks.isEmpty {
      try close(
        trace, through: traces[trace].newest + nanoseconds - rule.reorder, report: report)
    }
  }

  /// The time from its trace's newest sighting until the first epoch is final, in nanoseconds; nil
  /// if none is open.
  package var untilDue: Int64? {
    traces.lazy.filter { !$0.tracks.isEmpty && $0.newest != .min }
      .compactMap { state in state.due.map { $0 + rule.reorder - state.newest } }.min()
  }

  /// Closes the open epochs at the end of the sightings, up to that of each trace's last one.
  package mutating func finish(report: Report) throws {
    for trace in traces.indices { try finish(trace, report: report) }
  }

  private mutating func finish(_ trace: Int, report: Report) throws {
    let newest = traces[trace].newest
    let last = rule.isOfTruth ? .max : newest == .min ? .min : rule.instant(notBefore: newest)
    try close(trace, through: last, report: report)
  }

  /// Ends all tracks of a trace whose clock was set back.
  private mutating func restart(_ trace: Int, at clock: Int64, report: Report) throws {
    try finish(trace, report: report)
    for track in traces[trace].tracks { try report(track.number, track.node, .end(clock)) }
    traces[trace] = Trace()
  }

  private mutating func advance(_ trace: Int, to time: Int64, report: Report) throws {
    guard time > traces[trace].newest else { return }
    traces[trace].newest = time
    // A sighting with the maximum delay still counts.
    try close(trace, through: time - rule.reorder - 1, report: report)
  }

  /// Closes all epochs up to a time.
  private mutating func close(_ trace: Int, through last: Int64, report: Report) throws {
    while let instant = traces[trace].due, instant <= last {
      // Taken out, so that each track has its levels alone and none is copied.
      var tracks: [Track] = []
      swap(&tracks, &traces[trace].tracks)
      traces[trace].follow(try closed(&tracks, at: instant, report: report))
    }
    guard !rule.isOfTruth, last > EpochRule.times.lowerBound else { return }
    let closed = rule.instant(notAfter: min(last, EpochRule.times.upperBound))
    if closed > traces[trace].closed { traces[trace].closed = closed }
  }

  /// Closes the epochs of one instant.
  ///
  /// - Returns: The tracks that go on.
  private mutating func closed(
    _ tracks: inout [Track], at instant: Int64, report: Report
  ) throws -> [Track] {
    var next: [Track] = []
    for index in tracks.indices {
      let (number, node) = (tracks[index].number, tracks[index].node)
      guard tracks[index].epochs.next == instant else {
        next.append(tracks[index])
        continue
      }
      if !rule.isOfTruth, tracks[index].epochs.isLost(after: rule.silence) {
        try report(number, node, .end(instant))
        guard let later = tracks[index].epochs.successor() else { continue }
        next.append(Track(number: tracksSoFar, node: node, epochs: later))
        tracksSoFar += 1
        continue
      }
      guard let epoch = tracks[index].epochs.close() else { continue }
      try report(number, node, .epoch(epoch))
      if tracks[index].epochs.next != nil { next.append(tracks[index]) }
    }
    return next
  }
}

/// The rule that places positions in time and selects their sightings; times in nanoseconds.
package struct EpochRule: Equatable, Sendable {
  /// The time between two instants, which are whole multiples of it since the Unix epoch.
  package var step: Int64
  /// The time before an instant from which it takes sightings.
  package var window: Int64
  /// The maximum delay of a sighting.
  package var reorder: Int64
  /// The silence after which a node has no epochs until it is heard again; at least the window.
  package let silence: Int64
  /// A Boolean value that is true if the instants are those of an evaluation, which count from a
  /// trace's first truth.
  package var isOfTruth: Bool

  package init(
    step: Int64, window: Int64? = nil, reorder: Int64 = 0, silence: Int64 = 30_000_000_000,
    isOfTruth: Bool = false
  ) {
    self.step = step
    self.window = window ?? step
    self.reorder = reorder
    self.silence = max(silence, self.window)
    self.isOfTruth = isOfTruth
  }

  /// The times that can be used without overflow.
  static let times = -9_000_000_000 * Timestamp.second...9_000_000_000 * Timestamp.second

  /// Returns the instant whose step a time belongs to: the first that is not earlier.
  func instant(notBefore time: Int64) -> Int64 {
    Int64(EpochSchedule.steps(time, of: step)) * step
  }

  /// Returns the latest instant up to a time.
  func instant(notAfter time: Int64) -> Int64 {
    -Int64(EpochSchedule.steps(-time, of: step)) * step
  }
}
