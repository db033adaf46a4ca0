package import Evaluation
import Geometry
import Sightings
import Sites
package import Support
package import TraceStore

/// Reads what is asked and what was heard of every moving node of trace files.
package struct TargetReading {
  private let plan: EpochPlan
  private let site: SitePlan
  private let log: any ActivityLog
  /// What the progress names before the file, such as `eval`.
  private let stage: String
  /// Names of the traces to ask about; empty = all.
  package var traces: Set<String> = []
  /// The instant whose truth counts; nil = the middle of raw windows, the end of filtered ones.
  package var truthAt: TruthInstant?
  /// Nanoseconds that the truth's clock is ahead of the receivers'.
  package var clockOffset: Int64 = 0
  /// What takes the offsets of channels off raw levels; nil = nothing.
  package var channels: ChannelCorrection?
  /// Of all files so far.
  package var anchors: SiteAnchors

  package init(
    _ plan: EpochPlan, site: SitePlan, anchors: SiteAnchors = SiteAnchors(), stage: String,
    log: any ActivityLog
  ) {
    self.plan = plan
    self.site = site
    self.anchors = anchors
    self.stage = stage
    self.log = log
  }

  /// Reads one file.
  ///
  /// - Parameter filter: the filter whose levels windows use; nil = raw ones. Trackers always hear
  ///   raw ones.
  package mutating func read(_ reader: TraceReader, filter: String?) throws -> [AskedTarget] {
    try reader.requireUsablePlaces(note: log.note)
    let catalogue = chosen(try site.placing(site.heard(in: reader)))
    let nodes = MovingNodes(catalogue)
    try requireUsable(nodes, catalogue, of: reader.path)
    let numbers = anchors.numbers(of: catalogue)
    var heard = HeardTargets(
      nodes, catalogue, plan: plan, truth: truthAt ?? (filter == nil ? .windowMiddle : .epoch),
      rule: filter == nil ? .mean : .last, clockOffset: clockOffset)
    try hear(reader, filter, nodes, into: &heard)
    return nodes.targets.indices.map { index in
      heard.target(
        index,
        numbers: nodes.targets[index].role == .receiver ? numbers.beacons : numbers.receivers,
        path: reader.path)
    }
  }

  /// Reads the levels of all links between a moving node and an anchor.
  private mutating func hear(
    _ reader: TraceReader, _ filter: String?, _ nodes: MovingNodes,
    into heard: inout HeardTargets
  ) throws {
    let passes: [(filter: String?, use: HeardTargets.Use)] =
      filter.map { [($0, .windows), (nil, .bins)] } ?? [(nil, .windowsAndBins)]
    let catalogue = reader.catalogue
    channels?.beginRecording()
    let line = log.progress("\(stage) \(reader.path)", total: reader.count * passes.count)
    var done = 0
    for pass in passes {
      let isRaw = pass.filter == nil
      let fields: SightingFields = isRaw && channels != nil ? [.channel] : []
      try reader.forEachBlock(fields.union([.time, .link, .rssi]), filtered: pass.filter) { rows in
        for row in 0..<rows.count {
          guard let pair = nodes.pair(rows.link(row)) else { continue }
          let raw = rows.rssi[row]
          let level = isRaw ? channels.level(of: row, in: rows, catalogue) : raw
          guard !level.isNaN else { continue }
          heard.add(pair, recorded: rows.time[row], level: level, raw: raw, to: pass.use)
        }
        done += rows.count
        line.update(done)
      }
    }
    for text in try reader.levelNotes() { log.note(text) }
    line.finish()
  }

  /// The tables with the truth of chosen traces only.
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
    guard (catalogue.beacons + catalogue.receivers).contains(where: \.isAnchor) else {
      throw RSSIError(
        .badInput,
        "\(path) has no anchors: import it with `nodes` nodes.csv, or give `site` site.toml, "
          + "which have their places")
    }
    for target in nodes.targets {
      try requireBounded(
        target.path, ofTrace: catalogue.traces[Int(target.trace)],
        anchors: target.anchorCount(catalogue))
    }
  }

  /// Refuses truth whose epochs would not fit into memory: mostly one wrong time among the
  /// positions.
  private func requireBounded(
    _ path: TruthPath, ofTrace trace: String, anchors: Int
  ) throws(RSSIError) {
    guard let span = path.span else { return }
    let seconds = Double(span.upperBound) / 1e9 - Double(span.lowerBound) / 1e9
    let step: Double =
      if case .periodic(let step, _) = plan { Double(min(step, ReadingBins.longest)) / 1e9 } else {
        0.5
      }
    guard seconds / step * Double(anchors) > 2e8 else { return }
    throw RSSIError(
      .badInput,
      "the truth of trace \(trace) lasts \(Int(seconds / 86_400)) days, too long for epochs of "
        + "\(step) s: check its times, or use a longer `epoch`")
  }
}

extension MovingNodes.Target {
  /// How many nodes may be its anchors.
  func anchorCount(_ catalogue: Catalogue) -> Int {
    role == .receiver ? catalogue.beacons.count : catalogue.receivers.count
  }
}
