import Evaluation
import Geometry
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
    case series(String)
    /// The numbers of positions.
    case positions(Set<UInt64>)
  }

  /// Returns whether a fit may see a station.
  func mayFit(_ station: Station) -> Bool {
    switch leftOut {
    case .series(let name): station.series != name
    case .positions(let numbers): !numbers.contains(station.position)
    }
  }
}

extension CrossValidation {
  /// Returns the epochs that each fold scores and may see.
  ///
  /// - Parameter stations: all that could be fitted.
  /// - Throws: `RSSIError` if there is no unit to leave out.
  func splits(
    of targets: [AskedTarget], stations: [Station]
  ) throws(RSSIError) -> [CrossValidationSplit] {
    switch self {
    case .traces: try splitsByTrace(targets)
    case .places: try splitsByPlace(targets, stations)
    }
  }

  private func splitsByTrace(
    _ targets: [AskedTarget]
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
    return names.map { name in
      let (scored, learned) = split(targets) { target, _ in targets[target].trace == name }
      return CrossValidationSplit(
        name: "trace \(name)", scored: scored, learned: learned, leftOut: .series(name))
    }
  }

  /// A place at which a node stood.
  private struct Place: Hashable {
    var position: Point
    var height: Double?

    init(_ epoch: AskedEpoch) { (position, height) = (epoch.truth, epoch.height) }
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
