import Evaluation
import PathLoss
import Positioning
import Sightings
import TraceStore

/// The levels of all epochs of one trace file, ready for the algorithms.
struct EpochReading {
  /// The epochs of one moving node in one trace, each with what its anchors were heard at.
  private struct Target {
    var epochs: [(truth: Point, observations: [Observation])]
  }

  /// What was heard of one moving node at one epoch, before it is given a meaning.
  private struct GatheredEpoch {
    var truth: Point
    /// Metres; nil where the truth has none.
    var height: Double?
    var levels: [EpochAccumulator.Level]
  }

  private var targets: [Target] = []

  /// Reads the file once.
  ///
  /// - Parameters:
  ///   - traces: names of the traces to score; empty = all.
  ///   - filter: the filter whose levels to use; nil = the raw ones.
  ///   - truth: the instant whose truth counts.
  ///   - progress: makes the progress line for so many rows.
  init(
    _ reader: TraceReader, traces: Set<String>, plan: EpochPlan, filter: String?,
    truth: TruthInstant, constants: LinkConstants, progress: (Int) -> Progress
  ) throws {
    var catalogue = reader.catalogue
    if !traces.isEmpty {
      catalogue.truth = catalogue.truth.filter { traces.contains(reader.catalogue.traces[Int($0.trace)]) }
    }
    let nodes = MovingNodes(catalogue)
    guard !nodes.targets.isEmpty else {
      throw Failure(
        Failure.badInput,
        "\(reader.path) has no truth positions: import it with --truth truth.csv (docs/evaluation.md)")
    }
    guard (catalogue.beacons + catalogue.receivers).contains(where: \.isAnchor) else {
      throw Failure(
        Failure.badInput,
        "\(reader.path) has no anchors: import it with --nodes nodes.csv, which gives their places")
    }
    let rule: EpochAccumulator.LevelRule = filter == nil ? .mean : .last
    try Self.requireBearable(nodes, plan, catalogue)
    var accumulators = nodes.targets.map { target -> EpochAccumulator in
      let anchors = target.role == .receiver ? catalogue.beacons.count : catalogue.receivers.count
      let epochs: [Epoch] =
        switch plan {
        case .periodic(let step, let window):
          target.path.epochs(every: step, window: window, truth: truth)
        case .stays, .places: target.path.stayEpochs
        }
      return EpochAccumulator(epochs: epochs, anchorCount: anchors, rule: rule)
    }
    var line = progress(reader.count)
    var done = 0
    try reader.forEachBlock([.time, .link, .rssi], filtered: filter) { rows in
      let rows = copy rows
      for row in 0..<rows.count {
        guard rows.rssi[row] < 0, let pair = nodes.pair(rows, row) else { continue }
        accumulators[pair.target].add(
          time: rows.time[row], anchor: pair.anchorIndex, rssi: Double(rows.rssi[row]))
      }
      done += rows.count
      line.update(done)
    }
    line.finish()
    for (target, accumulator) in zip(nodes.targets, accumulators) {
      var gathered = (0..<accumulator.epochs.count).map { (index: Int) -> GatheredEpoch in
        let epoch = accumulator.epochs[index]
        return GatheredEpoch(
          truth: epoch.truth, height: target.path.height(at: epoch.instant),
          levels: accumulator.levels(ofEpoch: index))
      }
      if case .places = plan { gathered = Self.pooledByPlace(gathered) }
      targets.append(
        Target(
          epochs: try gathered.map { epoch in
            (epoch.truth,
              try epoch.levels.map { level in
                try Self.observation(level, target, epoch.height, catalogue, constants)
              })
          }))
    }
  }

  /// Refuses truth whose epochs would not fit into memory: mostly one wrong time among the positions.
  private static func requireBearable(
    _ nodes: MovingNodes, _ plan: EpochPlan, _ catalogue: Catalogue
  ) throws {
    guard case .periodic(let step, _) = plan else { return }
    for target in nodes.targets {
      guard let span = target.path.span else { continue }
      let anchors = target.role == .receiver ? catalogue.beacons.count : catalogue.receivers.count
      let seconds = Double(span.upperBound) / 1e9 - Double(span.lowerBound) / 1e9
      let epochs = seconds / (Double(step) / 1e9)
      guard epochs * Double(anchors) <= 2e8 else {
        throw Failure(
          Failure.badInput,
          "the truth of trace \(catalogue.traces[Int(target.trace)]) lasts \(Int(seconds / 86_400)) days, too long for epochs of \(Double(step) / 1e9) s: check its times, or use a longer --epoch"
        )
      }
    }
  }

  /// What an algorithm does in each trace.
  func score(_ algorithm: any PositioningAlgorithm) -> [TraceRecord] {
    targets.map { target in
      var record = TraceRecord()
      let scans = target.epochs.map { Scan(instant: 0, start: 0, observations: $0.observations) }
      for (epoch, outcome) in zip(target.epochs, algorithm.locate(scans, in: Surroundings())) {
        record.append(outcome, truth: epoch.truth)
      }
      return record
    }
  }

  private static func observation(
    _ level: EpochAccumulator.Level, _ target: MovingNodes.Target, _ height: Double?,
    _ catalogue: Catalogue, _ constants: LinkConstants
  ) throws -> Observation {
    let beacon: String
    let receiver: String
    let anchor: Node
    switch target.role {
    case .receiver:
      anchor = catalogue.beacons[level.anchor]
      (beacon, receiver) = (anchor.id, catalogue.receivers[Int(target.node)].id)
    case .beacon:
      anchor = catalogue.receivers[level.anchor]
      (beacon, receiver) = (catalogue.beacons[Int(target.node)].id, anchor.id)
    }
    let link = try constants.constants(
      beacon: beacon, receiver: receiver, trace: catalogue.traces[Int(target.trace)])
    let difference = height.map { anchor.z - $0 } ?? 0
    return Observation(
      anchor: Point(x: anchor.x, y: anchor.y),
      heightDifference: difference.isFinite ? difference : 0, rssi: level.rssi,
      measuredPower: link.measuredPower, exponent: link.exponent, sigma: link.sigma)
  }

  /// Joins the visits of each place: levels become their mean, weighted by the sightings behind them.
  private static func pooledByPlace(
    _ visits: [GatheredEpoch]
  ) -> [GatheredEpoch] {
    var places: [Point: Int] = [:]
    var pooled: [GatheredEpoch] = []
    for visit in visits {
      guard let place = places[visit.truth] else {
        places[visit.truth] = pooled.count
        pooled.append(visit)
        continue
      }
      for level in visit.levels {
        guard let index = pooled[place].levels.firstIndex(where: { $0.anchor == level.anchor }) else {
          pooled[place].levels.append(level)
          continue
        }
        let known = pooled[place].levels[index]
        let total = known.sightings + level.sightings
        pooled[place].levels[index].rssi +=
          (level.rssi - known.rssi) * Double(level.sightings) / Double(total)
        pooled[place].levels[index].sightings = total
      }
    }
    return pooled
  }
}
