package import Evaluation
import Geometry
import PathLoss
import Sightings
import Sites
package import Support
package import TraceStore

/// Reads the questions about the moving nodes of trace files, and the levels to answer them from.
package struct TargetReading {
  private let plan: EpochPlan
  private let site: SitePlan
  private let log: any ActivityLog
  /// The word before the file in the progress, such as `eval`.
  private let stage: String
  /// Names of the traces to use; empty = all.
  package var traces: Set<String> = []
  /// The instant whose truth counts; nil = the middle of raw windows, the end of filtered ones.
  package var truthAt: TruthInstant?
  /// The time by which the truth's clock is ahead of the receivers', in nanoseconds.
  package var clockOffset: Int64 = 0
  /// A Boolean value that is true if levels are kept by channel, so that channel offsets can be
  /// subtracted.
  package var keepsChannels = false
  /// A Boolean value that is true if fixed nodes at unknown places count as anchors.
  var takesAll: Bool
  /// The anchors of all files so far.
  package var anchors: SiteAnchors

  package init(
    _ plan: EpochPlan, site: SitePlan, anchors: SiteAnchors = SiteAnchors(), stage: String,
    log: any ActivityLog
  ) {
    self.plan = plan
    self.site = site
    takesAll = site.building != nil
    self.anchors = anchors
    self.stage = stage
    self.log = log
  }

  /// Reads one file.
  ///
  /// - Parameter filter: the filter whose levels windows use; nil = raw ones. Trackers always use
  ///   raw ones.
  package mutating func read(_ reader: TraceReader, filter: String?) throws -> [AskedTarget] {
    try read(reader, filters: [filter])[0]
  }

  /// Reads one file once, for the levels of several filters.
  ///
  /// - Returns: the moving nodes, by filter.
  mutating func read(_ reader: TraceReader, filters: [String?]) throws -> [[AskedTarget]] {
    try reader.requireUsablePlaces(note: log.note)
    if !plan.areStops { try reader.requireTimes() }
    let catalogue = site.onFloors(chosen(try site.placing(site.heard(in: reader))))
    try site.requireFloors(catalogue, path: reader.path)
    let nodes = MovingNodes(catalogue, takesAll: takesAll)
    try requireUsable(nodes, catalogue, of: reader.path)
    var targets = unheard(nodes, catalogue, of: reader.path)
    let builders = try hear(
      reader, filters, nodes, anchors.numbers(of: catalogue, takesAll: takesAll), &targets)
    for index in targets.indices { targets[index].readings.sort() }
    return zip(filters, builders).map { filter, builders in
      let truth = truthAt ?? (filter == nil ? .windowMiddle : .epoch)
      return targets.indices.map { index in
        var target = targets[index]
        target.epochs = plan.asked(
          builders[index].epochs, on: nodes.targets[index].path, truth: truth,
          areMeans: filter == nil)
        target.height = SortedSample(target.epochs.compactMap(\.height)).quantile(0.5)
        return target
      }
    }
  }

  /// Returns the moving nodes without levels.
  private func unheard(
    _ nodes: MovingNodes, _ catalogue: Catalogue, of path: String
  ) -> [AskedTarget] {
    nodes.targets.map { target in
      let trace = catalogue.traces[Int(target.trace)]
      let node =
        target.role == .receiver
        ? catalogue.receivers[Int(target.node)].id : catalogue.beacons[Int(target.node)].id
      let isAlone = nodes.targets.count { $0.trace == target.trace } == 1
      return AskedTarget(
        name: isAlone ? trace : "\(trace)/\(node)", trace: trace, node: node, role: target.role,
        path: path, epochs: [], truth: target.path,
        readings: ReadingSample(capacity: Self.comparedReadings))
    }
  }

  /// The maximum number of readings of a target that are compared with other recordings; 0.5 MB.
  private static let comparedReadings = 32_768

  /// Reads the levels of all links between a moving node and an anchor.
  ///
  /// - Returns: the epochs of each target, by filter.
  private func hear(
    _ reader: TraceReader, _ filters: [String?], _ nodes: MovingNodes,
    _ numbers: (beacons: [Int?], receivers: [Int?]), _ targets: inout [AskedTarget]
  ) throws -> [[EpochBuilder]] {
    var builders = filters.map { filter in
      nodes.targets.map { target in
        EpochBuilder(
          plan.schedule(of: target.path), filter == nil ? .mean : .last,
          keepsChannels: keepsChannels)
      }
    }
    let beacons = reader.catalogue.beacons.map { ReadingSample.hash($0.id) }
    let receivers = reader.catalogue.receivers.map { ReadingSample.hash($0.id) }
    let line = log.progress("\(stage) \(reader.path)", total: reader.count)
    let fields: SightingFields = [.time, .link, .rssi]
    var first = 0
    try reader.forEachBlock(keepsChannels ? fields.union([.channel]) : fields) { rows in
      let block = first..<first + rows.count
      let levels = try filters.map { try $0.map { try reader.levels(ofFilter: $0, rows: block) } }
      for row in 0..<rows.count {
        guard let pair = nodes.pair(rows.link(row)),
          let anchor = targets[pair.target].role == .receiver
            ? numbers.beacons[pair.anchorIndex] : numbers.receivers[pair.anchorIndex]
        else { continue }
        let raw = rows.rssi[row]
        let channel = keepsChannels ? rows.channel[row] : 0
        let time = Timestamp.moved(rows.time[row], by: clockOffset)
        for index in levels.indices {
          builders[index][pair.target].add(
            time: time, anchor: anchor, level: Double(levels[index]?[row] ?? raw),
            raw: Double(raw), channel: channel)
        }
        guard !raw.isNaN else { continue }
        targets[pair.target].readings.add(
          time: rows.time[row], level: raw,
          link: ReadingSample.link(
            beacon: beacons[Int(rows.beacon[row])], receiver: receivers[Int(rows.receiver[row])]))
        if keepsChannels {
          targets[pair.target].received[.init(anchor: anchor, channel: channel), default: 0] += 1
        }
      }
      first = block.upperBound
      line.update(first)
    }
    for text in try reader.levelNotes() { log.note(text) }
    line.finish()
    return builders
  }

  /// Returns the tables with the truth of selected traces only.
  private func chosen(_ catalogue: Catalogue) -> Catalogue {
    guard !traces.isEmpty else { return catalogue }
    var catalogue = catalogue
    catalogue.truth = catalogue.truth.filter { traces.contains(catalogue.traces[Int($0.trace)]) }
    return catalogue
  }

  private func requireUsable(
    _ nodes: MovingNodes, _ catalogue: Catalogue, of path: String
  ) throws(RSSIError) {
    guard !nodes.targets.isEmpty else {
      throw RSSIError(
        .badInput,
        "\(path) has no truth positions: import it with `truth` truth.csv (docs/evaluation.md)")
    }
    guard
      site.building != nil || (catalogue.beacons + catalogue.receivers).contains(where: \.isAnchor)
    else {
      throw RSSIError(
        .badInput,
        "\(path) has no anchors: import it with `nodes` nodes.csv, or give their places as "
          + "`site` site.toml")
    }
    for target in nodes.targets {
      try requireBounded(
        target.path, ofTrace: catalogue.traces[Int(target.trace)],
        anchors: target.role == .receiver ? catalogue.beacons.count : catalogue.receivers.count)
    }
  }

  /// Refuses truth whose epochs would not fit into memory, mostly because of one wrong time.
  private func requireBounded(
    _ path: TruthPath, ofTrace trace: String, anchors: Int
  ) throws(RSSIError) {
    guard let span = path.span else { return }
    let seconds = Double(span.upperBound) / 1e9 - Double(span.lowerBound) / 1e9
    let step: Double =
      if case .periodic(let step, _) = plan {
        Double(min(step.nanoseconds, EpochSchedule.longestBin)) / 1e9
      } else {
        0.5
      }
    guard seconds / step * Double(anchors) > 2e8 else { return }
    throw RSSIError(
      .badInput,
      "the truth of trace \(trace) lasts \(Int(seconds / 86_400)) days, too long for epochs of "
        + "\(step) s: check its times, or use a longer `epoch`")
  }
}
