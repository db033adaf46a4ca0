import Evaluation
import Geometry
import PathLoss
import Positioning
import Sightings

/// What was heard of each moving node of one file, gathered row by row.
struct HeardTargets {
  /// What a level counts for.
  enum Use {
    /// Raw levels, where no filter was chosen.
    case windowsAndBins
    /// Levels of a filter.
    case windows
    /// Raw levels, beside those of a filter.
    case bins
  }

  /// Readings of a target that are compared with those of other recordings; 0.5 MB.
  private static let comparedReadings = 32_768

  private let nodes: MovingNodes
  private let catalogue: Catalogue
  private let plan: EpochPlan
  private var windows: [EpochAccumulator] = []
  private var bins: [EpochAccumulator] = []
  /// By target, its raw levels as they were recorded.
  private var readings: [ReadingSample] = []
  /// Nanoseconds that the truth's clock is ahead of the receivers'.
  private let clockOffset: Int64

  init(
    _ nodes: MovingNodes, _ catalogue: Catalogue, plan: EpochPlan, truth: TruthInstant,
    rule: EpochAccumulator.LevelRule, clockOffset: Int64
  ) {
    (self.nodes, self.catalogue, self.plan) = (nodes, catalogue, plan)
    self.clockOffset = clockOffset
    for target in nodes.targets {
      let anchors = target.anchorCount(catalogue)
      windows.append(
        EpochAccumulator(
          epochs: plan.epochs(of: target.path, truth: truth), anchorCount: anchors, rule: rule))
      bins.append(EpochAccumulator(epochs: plan.bins(of: target.path), anchorCount: anchors))
      readings.append(ReadingSample(capacity: Self.comparedReadings))
    }
  }

  /// - Parameters:
  ///   - recorded: nanoseconds since the Unix epoch, by the receiver's clock.
  ///   - level: dBm.
  ///   - raw: the same as it was received, by which readings are recognised.
  mutating func add(
    _ pair: MovingNodes.Pair, recorded: Int64, level: Float, raw: Float, to use: Use
  ) {
    let (target, anchor) = (pair.target, pair.anchorIndex)
    let time = Timestamp.moved(recorded, by: clockOffset)
    if use != .bins { windows[target].add(time: time, anchor: anchor, rssi: Double(level)) }
    guard use != .windows else { return }
    bins[target].add(time: time, anchor: anchor, rssi: Double(level))
    readings[target].add(time: recorded, level: raw)
  }

  /// A moving node, once all rows are in.
  ///
  /// - Parameters:
  ///   - numbers: those of the file's nodes as anchors of the site.
  ///   - path: the file.
  func target(_ index: Int, numbers: [Int?], path: String) -> AskedTarget {
    let target = nodes.targets[index]
    let trace = catalogue.traces[Int(target.trace)]
    let node =
      target.role == .receiver
      ? catalogue.receivers[Int(target.node)].id : catalogue.beacons[Int(target.node)].id
    let epochs = epochs(index, numbers)
    var sample = readings[index]
    sample.sort()
    let isAlone = nodes.targets.count { $0.trace == target.trace } == 1
    return AskedTarget(
      name: isAlone ? trace : "\(trace)/\(node)", trace: trace, node: node, role: target.role,
      height: SortedSample(epochs.compactMap(\.height)).quantile(0.5), path: path, epochs: epochs,
      readings: sample)
  }

  private func epochs(_ index: Int, _ numbers: [Int?]) -> [AskedEpoch] {
    let (path, windows, bins) = (nodes.targets[index].path, windows[index], bins[index])
    /// The levels of a window by the anchors' numbers in the site.
    func readings(_ accumulator: EpochAccumulator, _ index: Int) -> [Reading] {
      accumulator.levels(ofEpoch: index).compactMap { level in
        numbers[level.anchor].map {
          Reading(time: level.latest, anchor: $0, rssi: level.rssi, packets: level.sightings)
        }
      }
    }
    var bin = 0
    let epochs = windows.epochs.indices.map { (index: Int) -> AskedEpoch in
      let epoch = windows.epochs[index]
      var short: [Reading] = []
      while bin < bins.epochs.count, bins.epochs[bin].end <= epoch.end {
        short += readings(bins, bin).sorted { ($0.time, $0.anchor) < ($1.time, $1.anchor) }
        bin += 1
      }
      return AskedEpoch(
        HeardEpoch(
          instant: epoch.instant, start: epoch.start, levels: readings(windows, index),
          readings: short),
        asked: epoch.asked, truth: epoch.truth, height: path.height(at: epoch.asked),
        velocity: path.velocity(at: epoch.asked))
    }
    return plan == .places ? epochs.joinedByPlace : epochs
  }
}

extension EpochPlan {
  fileprivate func epochs(of path: TruthPath, truth: TruthInstant) -> [Epoch] {
    switch self {
    case .periodic(let step, let window): path.epochs(every: step, window: window, truth: truth)
    case .stays, .places: path.stayEpochs
    }
  }

  /// Short windows without gaps between them, a whole number of which makes up each epoch of a
  /// walk.
  fileprivate func bins(of path: TruthPath) -> [Epoch] {
    switch self {
    case .periodic(let step, _):
      path.epochs(every: step).flatMap { epoch in
        ReadingBins(from: epoch.start, to: epoch.end, step: step).bounds.map {
          Epoch(instant: $0.end, start: $0.start, end: $0.end, truth: epoch.truth)
        }
      }
    // A node that stops does not walk: a stop is one question, with the levels of its whole time.
    case .stays, .places: []
    }
  }
}
