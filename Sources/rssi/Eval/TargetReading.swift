import Evaluation
import Geometry
import Inputs
import Positioning
import Sightings
import Support
import TraceStore

/// Reads what is asked and what was heard of every moving node of some trace files.
struct TargetReading {
  var plan: EpochPlan
  /// Names of the traces to ask about; empty = all.
  var traces: Set<String> = []
  /// The instant whose truth counts; nil = the middle of raw windows, the end of filtered ones.
  var truthAt: TruthInstant?
  /// Seconds in nanoseconds that the truth's clock is ahead of the receivers'.
  var clockOffset: Int64 = 0
  let site: EvalSite?
  private(set) var beacons = AnchorTable()
  private(set) var receivers = AnchorTable()
  /// Sightings left out because 0 dBm and above is no level of a radio link.
  private(set) var notNegative = 0

  init(plan: EpochPlan, site: EvalSite?) {
    self.plan = plan
    self.site = site
  }

  /// Gives anchors their numbers before any file does.
  mutating func know(beacons: [Node], receivers: [Node]) {
    _ = self.beacons.numbers(of: beacons)
    _ = self.receivers.numbers(of: receivers)
  }

  /// The anchors that targets of a role are located by.
  func anchors(for role: NodeRole) -> [Node] {
    role == .receiver ? beacons.nodes : receivers.nodes
  }

  /// Reads one file.
  ///
  /// - Parameters:
  ///   - file: the file's place among the inputs.
  ///   - filter: the filter whose levels windows use; nil = raw ones. Trackers always hear raw
  ///     ones.
  ///   - progress: makes the progress line for so many rows.
  mutating func read(
    _ reader: TraceReader, file: Int, filter: String?, progress: (Int) -> any ActivityProgress
  ) throws -> [AskedTarget] {
    try reader.requireUsablePlaces()
    let catalogue = try chosen(reader)
    let nodes = MovingNodes(catalogue)
    guard !nodes.targets.isEmpty else {
      throw RSSIError(
        .badInput,
        "\(reader.path) has no truth positions: import it with --truth truth.csv "
          + "(docs/evaluation.md)"
      )
    }
    guard (catalogue.beacons + catalogue.receivers).contains(where: \.isAnchor) else {
      throw RSSIError(
        .badInput,
        "\(reader.path) has no anchors: import it with --nodes nodes.csv, or give --site "
          + "site.toml, which tell their places"
      )
    }
    let numbers = (
      beacons.numbers(of: catalogue.beacons), receivers.numbers(of: catalogue.receivers)
    )
    let truth = truthAt ?? (filter == nil ? .windowMiddle : .epoch)
    try requireBearable(nodes, catalogue)
    var windows = nodes.targets.map { target in
      EpochAccumulator(
        epochs: epochs(of: target.path, truth: truth), anchorCount: anchorCount(target, catalogue),
        rule: filter == nil ? .mean : .last)
    }
    var binned = nodes.targets.map { target in
      EpochAccumulator(epochs: bins(of: target.path), anchorCount: anchorCount(target, catalogue))
    }
    var counts = nodes.targets.map {
      [Int](repeating: 0, count: anchorCount($0, catalogue) * 128)
    }
    let line = progress(reader.count * (filter == nil ? 1 : 2))
    var done = 0
    /// Hands over each row of a link between a moving node and an anchor: target, anchor, time,
    /// level.
    func forEachRow(filtered: String?, _ body: (Int, Int, Int64, Double) -> Void) throws {
      let isRaw = filtered == nil
      try reader.forEachBlock([.time, .link, .rssi], filtered: filtered) { rows in
        let rows = copy rows
        for row in 0..<rows.count {
          guard let pair = nodes.pair(rows, row) else { continue }
          guard rows.rssi[row] < 0 else {
            if isRaw, rows.rssi[row] >= 0 { notNegative += 1 }
            continue
          }
          if isRaw {
            counts[pair.target][pair.anchorIndex << 7 | Int(min(-rows.rssi[row], 127))] += 1
          }
          body(pair.target, pair.anchorIndex, rows.time[row] + clockOffset, Double(rows.rssi[row]))
        }
        done += rows.count
        line.update(done)
      }
    }
    try forEachRow(filtered: filter) { target, anchor, time, level in
      windows[target].add(time: time, anchor: anchor, rssi: level)
      if filter == nil { binned[target].add(time: time, anchor: anchor, rssi: level) }
    }
    if filter != nil {
      try forEachRow(filtered: nil) { target, anchor, time, level in
        binned[target].add(time: time, anchor: anchor, rssi: level)
      }
    }
    line.finish()
    return nodes.targets.indices.map { index in
      let target = nodes.targets[index]
      var one = asked(
        target, windows[index], binned[index],
        numbers: target.role == .receiver ? numbers.0 : numbers.1, catalogue, file: file,
        isAlone: nodes.targets.count { $0.trace == target.trace } == 1)
      for (cell, count) in counts[index].enumerated() where count > 0 {
        let anchor =
          target.role == .receiver ? catalogue.beacons[cell >> 7] : catalogue.receivers[cell >> 7]
        one.census.add(
          beacon: target.role == .receiver ? anchor.id : one.node,
          receiver: target.role == .receiver ? one.node : anchor.id, level: -Double(cell & 127),
          count: count)
      }
      return one
    }
  }

  /// The file's tables with the site's anchors, and with the truth of chosen traces only.
  private func chosen(_ reader: TraceReader) throws -> Catalogue {
    var catalogue = site?.placing(reader.catalogue) ?? reader.catalogue
    if !traces.isEmpty {
      catalogue.truth = catalogue.truth.filter { traces.contains(catalogue.traces[Int($0.trace)]) }
    }
    return catalogue
  }

  private func anchorCount(_ target: MovingNodes.Target, _ catalogue: Catalogue) -> Int {
    target.role == .receiver ? catalogue.beacons.count : catalogue.receivers.count
  }

  private func epochs(of path: TruthPath, truth: TruthInstant) -> [Epoch] {
    switch plan {
    case .periodic(let step, let window): path.epochs(every: step, window: window, truth: truth)
    case .stays, .places: path.stayEpochs
    }
  }

  /// Short windows without gaps between them, of which every epoch of a walk is a whole number.
  private func bins(of path: TruthPath) -> [Epoch] {
    switch plan {
    case .periodic(let step, _):
      return path.epochs(every: step).flatMap { epoch in
        ReadingBins(from: epoch.start, to: epoch.end, step: step).bounds.map {
          Epoch(instant: $0.end, start: $0.start, end: $0.end, truth: epoch.truth)
        }
      }
    // Who stops does not walk: a stop is one question, whose levels are those of its whole time.
    case .stays, .places: return []
    }
  }

  private func asked(
    _ target: MovingNodes.Target, _ windows: EpochAccumulator, _ bins: EpochAccumulator,
    numbers: [Int?], _ catalogue: Catalogue, file: Int, isAlone: Bool
  ) -> AskedTarget {
    /// The levels of a window by the anchors' numbers in the evaluation.
    func readings(_ accumulator: EpochAccumulator, _ index: Int) -> [Reading] {
      accumulator.levels(ofEpoch: index).compactMap { level in
        numbers[level.anchor].map {
          Reading(time: level.latest, anchor: $0, rssi: level.rssi, packets: level.sightings)
        }
      }
    }
    var bin = 0
    var epochs = windows.epochs.indices.map { (index: Int) -> AskedEpoch in
      let epoch = windows.epochs[index]
      var heard: [Reading] = []
      while bin < bins.epochs.count, bins.epochs[bin].end <= epoch.end {
        heard += readings(bins, bin).sorted { ($0.time, $0.anchor) < ($1.time, $1.anchor) }
        bin += 1
      }
      return AskedEpoch(
        instant: epoch.instant, asked: epoch.asked, start: epoch.start, truth: epoch.truth,
        height: target.path.height(at: epoch.asked),
        velocity: target.path.velocity(at: epoch.asked), levels: readings(windows, index),
        readings: heard)
    }
    if plan == .places { epochs = joined(epochs) }
    let trace = catalogue.traces[Int(target.trace)]
    let node =
      target.role == .receiver
      ? catalogue.receivers[Int(target.node)].id : catalogue.beacons[Int(target.node)].id
    let heights = epochs.compactMap(\.height).sorted()
    return AskedTarget(
      name: isAlone ? trace : "\(trace)/\(node)", trace: trace, node: node, role: target.role,
      height: heights.isEmpty ? nil : heights[heights.count / 2], file: file, epochs: epochs)
  }

  /// Joins the visits of each place: levels become their mean, weighted by the sightings behind
  /// them.
  private func joined(_ visits: [AskedEpoch]) -> [AskedEpoch] {
    var places: [Point: Int] = [:]
    var joined: [AskedEpoch] = []
    for visit in visits {
      guard let place = places[visit.truth] else {
        places[visit.truth] = joined.count
        var first = visit
        first.velocity = nil
        joined.append(first)
        continue
      }
      for level in visit.levels {
        guard let index = joined[place].levels.firstIndex(where: { $0.anchor == level.anchor })
        else {
          joined[place].levels.append(level)
          continue
        }
        var known = joined[place].levels[index]
        known.packets += level.packets
        known.rssi += (level.rssi - known.rssi) * Double(level.packets) / Double(known.packets)
        known.time = max(known.time, level.time)
        joined[place].levels[index] = known
      }
    }
    return joined
  }

  /// Refuses truth whose epochs would not fit into memory: mostly one wrong time among the
  /// positions.
  private func requireBearable(_ nodes: MovingNodes, _ catalogue: Catalogue) throws {
    for target in nodes.targets {
      guard let span = target.path.span else { continue }
      let seconds = Double(span.upperBound) / 1e9 - Double(span.lowerBound) / 1e9
      let step: Double =
        if case .periodic(let step, _) = plan { Double(min(step, ReadingBins.longest)) / 1e9 } else
        { 0.5 }
      guard seconds / step * Double(anchorCount(target, catalogue)) <= 2e8 else {
        throw RSSIError(
          .badInput,
          "the truth of trace \(catalogue.traces[Int(target.trace)]) lasts "
            + "\(Int(seconds / 86_400)) days, too long for epochs of \(step) s: check its times, "
            + "or use a longer --epoch"
        )
      }
    }
  }
}
