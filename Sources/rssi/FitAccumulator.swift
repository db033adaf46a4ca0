import PathLoss
import RealModule
import Sightings

/// Gathers readings at known distances into one fit for each group and one for all.
struct FitAccumulator {
  private let grouping: Grouping
  private let reduction: FitCommand.Reduction
  private let series: Set<String>
  private let minDistance: Double

  private var groups: [GroupKey: Int] = [:]
  private var keys: [GroupKey] = []
  private var fits: [LogDistanceFit] = []
  /// By group, what is wrong with the levels of receivers in it.
  private var doubts: [Set<String>] = []
  private var pooled = LogDistanceFit()
  /// The readings of each position, where only their mean or median is fitted.
  private var positions: [PositionKey: PositionReadings] = [:]
  private var distances: DistanceLookup?
  private(set) var excluded: [String: Int] = [:]
  private(set) var seenSeries: Set<String> = []

  private struct GroupKey: Hashable {
    var series: String?
    var beacon: String?
    var receiver: String?
  }

  private struct PositionKey: Hashable {
    var group: Int
    var position: UInt64
  }

  private struct PositionReadings {
    var levels: [Double] = []
    /// Sum of log10 of the distances, whose mean is what the model is linear in.
    var logDistance = 0.0
  }

  init(
    grouping: Grouping, reduction: FitCommand.Reduction, series: Set<String>, minDistance: Double
  ) {
    self.grouping = grouping
    self.reduction = reduction
    self.series = series
    self.minDistance = minDistance
  }

  /// The next rows come from another file, whose indices mean something else.
  mutating func startFile() {
    distances = nil
  }

  mutating func add(_ rows: SightingColumns, _ catalogue: Catalogue) {
    if distances == nil {
      distances = DistanceLookup(catalogue)
    }
    let receiverDoubts = catalogue.receivers.map(doubt)
    var cache: (link: UInt64, group: Int?)?
    for row in 0..<rows.count {
      let link =
        UInt64(rows.trace[row]) << 48 | UInt64(rows.receiver[row]) << 32 | UInt64(rows.beacon[row])
      if cache?.link != link { cache = (link, group(rows, row, catalogue)) }
      guard let group = cache?.group else { continue }
      let rssi = Double(rows.rssi[row])
      guard !rssi.isNaN else {
        excluded["no-rssi", default: 0] += 1
        continue
      }
      guard rssi < 0 else {
        excluded["rssi-not-negative", default: 0] += 1
        continue
      }
      guard let (distance, position) = distances?.distance(rows, row, catalogue) else {
        excluded["no-distance", default: 0] += 1
        continue
      }
      guard distance > 0 else {
        excluded["zero-distance", default: 0] += 1
        continue
      }
      guard distance >= minDistance else {
        excluded["below-min-distance", default: 0] += 1
        continue
      }
      if let doubt = receiverDoubts[Int(rows.receiver[row])] { doubts[group].insert(doubt) }
      take(rssi, distance, group, position: position)
    }
  }

  private mutating func take(_ rssi: Double, _ distance: Double, _ group: Int, position: UInt64) {
    guard reduction == .samples else {
      let key = PositionKey(group: group, position: position)
      positions[key, default: PositionReadings()].levels.append(rssi)
      positions[key, default: PositionReadings()].logDistance += Double.log10(distance)
      return
    }
    fits[group].add(rssi: rssi, distance: distance, position: position)
    pooled.add(rssi: rssi, distance: distance, position: position)
  }

  /// The fits of all groups, in order of their keys, and of all readings.
  mutating func results() -> (groups: [PathLossGroup], pooled: PathLossGroup) {
    // In a fixed order, since sums of doubles depend on it.
    let ordered = positions.sorted {
      ($0.key.group, $0.key.position) < ($1.key.group, $1.key.position)
    }
    for (key, readings) in ordered {
      let level = reduction == .mean ? mean(readings.levels) : median(readings.levels)
      let distance = Double.exp10(readings.logDistance / Double(readings.levels.count))
      fits[key.group].add(rssi: level, distance: distance, position: key.position)
      pooled.add(rssi: level, distance: distance, position: key.position)
    }
    positions.removeAll()
    var all = pooled.result(key: "pooled")
    all.warnings += doubts.reduce(into: Set()) { $0.formUnion($1) }.sorted()
    guard !grouping.parts.isEmpty else { return ([all], all) }
    let results = keys.indices.map { index -> PathLossGroup in
      let key = keys[index]
      let name = [key.series, key.beacon, key.receiver].compactMap(\.self).joined(separator: "/")
      var group = fits[index].result(key: name)
      group.series = key.series
      group.beacon = key.beacon
      group.receiver = key.receiver
      group.warnings += doubts[index].sorted()
      return group
    }
    return (results.sorted { $0.key < $1.key }, all)
  }

  /// The number of a row's group, or nil where its series is not asked for.
  private mutating func group(
    _ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue
  ) -> Int? {
    let name = catalogue.traces[Int(rows.trace[row])]
    seenSeries.insert(name)
    guard series.isEmpty || series.contains(name) else { return nil }
    var key = GroupKey()
    if grouping.parts.contains(.series) { key.series = name }
    if grouping.parts.contains(.beacon) { key.beacon = catalogue.beacons[Int(rows.beacon[row])].id }
    if grouping.parts.contains(.receiver) {
      key.receiver = catalogue.receivers[Int(rows.receiver[row])].id
    }
    if let known = groups[key] { return known }
    groups[key] = keys.count
    keys.append(key)
    fits.append(LogDistanceFit())
    doubts.append([])
    return keys.count - 1
  }
}

/// Why a receiver's levels are not to be fitted as if each were one advertisement; nil where they are.
private func doubt(_ receiver: Node) -> String? {
  switch receiver.radio.rssiKind {
  case .raw: nil
  case .last:
    "\(receiver.id) tells the last of several advertisements only: few, and neither independent nor at the time told"
  case .filtered:
    "\(receiver.id) smooths levels before it tells them: sigma is too small, and levels lag behind movement"
  }
}

private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

private func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
