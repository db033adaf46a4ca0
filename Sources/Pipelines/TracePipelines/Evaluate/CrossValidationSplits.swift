import Evaluation
import Geometry
import NumericalMethods
import PathLoss
import Support

/// The epochs that one fold of a cross-validation scores, and those that its fit and its algorithms
/// may see.
struct CrossValidationSplit {
  /// The name of the unit that is left out, such as `trace walk-1`.
  var name: String
  var scored: [TargetEpochs]
  /// The epochs that may be learned from.
  var learned: [TargetEpochs]
  fileprivate(set) var leftOut: LeftOut

  /// The stations that a fit may not see.
  enum LeftOut: Hashable {
    case series(Set<String>)
    /// The numbers of positions.
    case positions(Set<UInt64>)
  }

  /// Returns whether a fit may see a station.
  func mayFit(_ station: Station) -> Bool {
    switch leftOut {
    case .series(let names): !names.contains(station.series)
    case .positions(let numbers): !numbers.contains(station.position)
    }
  }
}

extension CrossValidation {
  /// Returns the epochs that each fold scores and may see.
  ///
  /// - Parameters:
  ///   - stations: all that could be fitted.
  ///   - folds: the number of folds of traces; nil = one per trace.
  /// - Throws: `RSSIError` if there is no unit to leave out.
  func splits(
    of targets: [AskedTarget], stations: [Station], folds: Int?
  ) throws(RSSIError) -> [CrossValidationSplit] {
    switch self {
    case .traces: try splitsByTrace(targets, folds: folds)
    case .places: try splitsByPlace(targets, stations)
    }
  }

  private func splitsByTrace(
    _ targets: [AskedTarget], folds: Int?
  ) throws(RSSIError) -> [CrossValidationSplit] {
    let names = targets.map(\.trace).reduce(into: [String]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    guard names.count >= 2 else {
      throw RSSIError(
        .badInput,
        "`crossValidate` traces needs at least 2 traces with truth, found 1: "
          + "\(names.first ?? "none"); leave out places instead, or give a `calibration` of "
          + "another recording")
    }
    return Self.parts(names, of: targets, count: folds).map { part in
      let (scored, learned) = split(targets) { target, _ in part.contains(targets[target].trace) }
      let name = part.count == 1 ? "trace \(part.first ?? "")" : "\(part.count) traces"
      return CrossValidationSplit(
        name: name, scored: scored, learned: learned, leftOut: .series(part))
    }
  }

  /// Returns the traces of each fold, drawn at random among the traces that start on each floor, so
  /// that each fold has a share of all floors.
  private static func parts(
    _ names: [String], of targets: [AskedTarget], count: Int?
  ) -> [Set<String>] {
    guard let count, count < names.count else { return names.map { [$0] } }
    var random = SplitMix64(seed: 1)
    let floors = Dictionary(grouping: names) { name in
      targets.first { $0.trace == name }?.epochs.first?.floor ?? 0
    }
    var parts = [Set<String>](repeating: [], count: count)
    var next = 0
    for (_, names) in floors.sorted(by: { $0.key < $1.key }) {
      for name in names.shuffled(using: &random) {
        parts[next % count].insert(name)
        next += 1
      }
    }
    return parts
  }

  /// A place at which a node stood.
  private struct Place: Hashable {
    var position: Point
    var height: Double?
    var floor: Int?

    init(_ epoch: AskedEpoch) {
      (position, height, floor) = (epoch.truth, epoch.height, epoch.floor)
    }
  }

  private func splitsByPlace(
    _ targets: [AskedTarget], _ stations: [Station]
  ) throws(RSSIError) -> [CrossValidationSplit] {
    var places: [Place] = []
    var isKnown: Set<Place> = []
    for place in targets.lazy.flatMap(\.epochs).map(Place.init)
    where isKnown.insert(place).inserted {
      places.append(place)
    }
    guard (3...2000).contains(places.count) else {
      throw RSSIError(
        .badInput,
        "`crossValidate` places needs 3 to 2000 places where a node stood, found "
          + "\(places.count): use `epoch` stay or place, or leave out traces")
    }
    let links = Set(stations.map { [$0.beacon, $0.receiver] })
    return places.map { left in
      let (scored, learned) = split(targets) { Place(targets[$0].epochs[$1]) == left }
      let positions = links.map { link in
        PositionNumber(beacon: link[0], receiver: link[1], at: left.position, z: left.height).value
      }
      return CrossValidationSplit(
        name: "the place \(decimal(left.position.x, 2)), \(decimal(left.position.y, 2))",
        scored: scored, learned: learned, leftOut: .positions(Set(positions)))
    }
  }

  /// Returns the epochs that a fold scores, and the others.
  private func split(
    _ targets: [AskedTarget], _ isScored: (_ target: Int, _ epoch: Int) -> Bool
  ) -> (scored: [TargetEpochs], learned: [TargetEpochs]) {
    var scored: [TargetEpochs] = []
    var learned: [TargetEpochs] = []
    for (target, asked) in targets.enumerated() {
      let inside = asked.epochs.indices.filter { isScored(target, $0) }
      if !inside.isEmpty { scored.append(TargetEpochs(target: target, epochs: inside)) }
      guard inside.count < asked.epochs.count else { continue }
      let outside = asked.epochs.indices.filter { !isScored(target, $0) }
      learned.append(TargetEpochs(target: target, epochs: outside))
    }
    return (scored, learned)
  }
}
