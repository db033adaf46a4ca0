import ArgumentParser
import Geometry
import PathLoss
import Positioning
import Support
import TracePipelines

/// Makes the folds of a cross-validation: each fits the constants without what it scores.
struct CrossValidatedFolds {
  let kind: CrossValidation
  let fitting: PathLossFitting
  /// The readings of all inputs with truth, and what they are of.
  let readings: FitReadings
  let targets: [AskedTarget]

  /// - Throws: `RSSIError` where there is nothing to leave out, or too little left to fit.
  func folds() throws -> [Fold] {
    switch kind {
    case .traces: try byTrace()
    case .places: try byPlace()
    }
  }

  private func byTrace() throws -> [Fold] {
    let names = targets.map(\.trace).reduce(into: [String]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    guard names.count >= 2 else {
      throw RSSIError(
        .badInput,
        "--cross-validate traces needs two traces with truth or more, there is one: "
          + "\(names.first ?? "none"); leave out places instead, or give a --calibration of "
          + "another recording"
      )
    }
    return try names.map { name in
      let (inside, outside) = split { target, _ in targets[target].trace == name }
      return try fold("trace \(name)", inside, outside) { $0.series != name }
    }
  }

  /// A place where a node stood.
  private struct Place: Hashable {
    var position: Point
    var height: Double?
  }

  private func byPlace() throws -> [Fold] {
    var places: [Place] = []
    var isKnown: Set<Place> = []
    func place(_ target: Int, _ epoch: Int) -> Place {
      let epoch = targets[target].epochs[epoch]
      return Place(position: epoch.truth, height: epoch.height)
    }
    for target in targets.indices {
      for epoch in targets[target].epochs.indices {
        let one = place(target, epoch)
        if isKnown.insert(one).inserted { places.append(one) }
      }
    }
    guard (3...2000).contains(places.count) else {
      throw RSSIError(
        .badInput,
        "--cross-validate places needs 3 to 2000 places where a node stood, there are "
          + "\(places.count): use --epoch stay or place, or leave out traces"
      )
    }
    let links = Set(readings.stations.map { [$0.beacon, $0.receiver] })
    return try places.map { left in
      let (inside, outside) = split { place($0, $1) == left }
      let isLeftOut = Set(
        links.map {
          PositionNumber(beacon: $0[0], receiver: $0[1], at: left.position, z: left.height).value
        })
      let name = "the place \(decimal(left.position.x, 2)), \(decimal(left.position.y, 2))"
      return try fold(name, inside, outside) { !isLeftOut.contains($0.position) }
    }
  }

  /// The epochs that a fold scores and those that it may learn from.
  private func split(
    _ isInside: (_ target: Int, _ epoch: Int) -> Bool
  ) -> (inside: [(Int, [Int])], outside: [(Int, [Int])]) {
    var inside: [(Int, [Int])] = []
    var outside: [(Int, [Int])] = []
    for target in targets.indices {
      let epochs = targets[target].epochs.indices
      let scored = epochs.filter { isInside(target, $0) }
      if !scored.isEmpty { inside.append((target, scored)) }
      if scored.count < epochs.count {
        outside.append((target, epochs.filter { !isInside(target, $0) }))
      }
    }
    return (inside, outside)
  }

  private func fold(
    _ name: String, _ inside: [(Int, [Int])], _ outside: [(Int, [Int])],
    keeping isKept: (Station) -> Bool
  ) throws -> Fold {
    var kept = readings
    kept.stations = readings.stations.filter(isKept)
    guard !kept.stations.isEmpty else {
      throw RSSIError(.badInput, "without \(name) no reading is left to fit: record more")
    }
    let calibration = fitting.calibration(of: kept)
    return Fold(
      leftOut: name, epochs: inside.map { ($0.0, $0.1) },
      constants: try LinkConstants(calibration, of: "the fit without \(name)", group: nil),
      survey: outside.map { (targets[$0.0], $0.1) })
  }
}
