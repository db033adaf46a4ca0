import RealModule

/// An algorithm for one plane, in a building: it answers on each floor by the anchors there, and the
/// most probable floor is chosen.
///
/// The floor comes from the map of the building, or, without a survey, from the floors of the anchors
/// that are received: each adds its strength above -105 dBm, which fades in
/// seconds.
public struct FloorChoice: PositioningAlgorithm {
  private let base: any PositioningAlgorithm

  /// The time in seconds after which a reception has lost most of its weight: people need longer for
  /// a storey.
  private static let memory = 5.0
  /// The level in dBm of an anchor that is not received.
  private static let silent = -105.0

  public var name: String { base.name }
  public var isCausal: Bool { base.isCausal }

  /// Creates the choice among an algorithm's answers on all floors.
  public init(_ base: any PositioningAlgorithm) { self.base = base }

  public func track(in surroundings: Surroundings) -> (any LiveTrack)? { nil }

  public func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
    guard let building = surroundings.building else { return base.locate(scans, in: surroundings) }
    guard surroundings.anchors.contains(where: \.isPlaced) else {
      return scans.map { _ in .refused(.unknownPlaces) }
    }
    let floors = floors(scans, in: surroundings, count: building.floors.count)
    var onFloor: [Int: [Outcome]] = [:]
    return scans.indices.map { scan in
      let (floor, probabilities) = floors[scan]
      if onFloor[floor] == nil {
        onFloor[floor] = answers(scans, on: floor, in: surroundings)
      }
      guard case .located(var estimate)? = onFloor[floor]?[scan] else {
        return onFloor[floor]?[scan] ?? .refused(.notConverged)
      }
      estimate.floor = floor
      estimate.floorProbabilities = probabilities
      return .located(estimate)
    }
  }

  private func answers(_ scans: [Scan], on floor: Int, in surroundings: Surroundings) -> [Outcome] {
    let numbers = surroundings.anchors.indices.filter {
      surroundings.anchors[$0].floor == floor && surroundings.anchors[$0].isPlaced
    }
    guard !numbers.isEmpty else { return scans.map { _ in .refused(.unknownPlaces) } }
    var known = surroundings
    let newNumbers = Dictionary(uniqueKeysWithValues: numbers.enumerated().map { ($1, $0) })
    known.anchors = numbers.map { surroundings.anchors[$0] }
    known.building = nil
    known.spots = surroundings.spots(on: floor)
    known.survey = surroundings.survey.filter { $0.floor == floor }.map { point in
      var point = point
      point.levels = point.levels.renumbered(newNumbers)
      point.readings = point.readings.compactMap { one in
        newNumbers[one.reading.anchor].map {
          var one = one
          one.reading.anchor = $0
          return one
        }
      }
      return point
    }
    known.radioMap =
      known.survey.isEmpty
      ? nil : RadioMap(survey: known.survey, anchors: known.anchors)
    return base.locate(
      scans.map { scan in
        var scan = scan
        scan.observations = scan.observations.compactMap { one in
          newNumbers[one.number].map {
            var one = one
            one.number = $0
            return one
          }
        }
        scan.readings = scan.readings.renumbered(newNumbers)
        return scan
      }, in: known)
  }

  private func floors(
    _ scans: [Scan], in surroundings: Surroundings, count: Int
  ) -> [(floor: Int, probabilities: [Double])] {
    if let map = surroundings.buildingMap {
      var track = FloorTrack(on: map, lag: 0)
      let outcomes =
        base.isCausal
        ? scans.map { track.locate($0) } : FloorSmoother(on: map).answers(scans)
      return outcomes.map {
        ($0.estimate?.floor ?? 0, $0.estimate?.floorProbabilities ?? [])
      }
    }
    var strengths = [Double](repeating: 0, count: count)
    var last = scans.first?.instant ?? 0
    return scans.map { scan in
      let seconds = Double(scan.instant - last) * 1e-9
      last = scan.instant
      for floor in strengths.indices { strengths[floor] *= Double.exp(-seconds / Self.memory) }
      for one in scan.observations where surroundings.anchors.indices.contains(one.number) {
        guard let floor = surroundings.anchors[one.number].floor else { continue }
        strengths[floor] += max(one.rssi - Self.silent, 0)
      }
      return (strengths.indices.max { strengths[$0] < strengths[$1] } ?? 0, [])
    }
  }
}

extension [Reading] {
  fileprivate func renumbered(_ numbers: [Int: Int]) -> [Reading] {
    compactMap { reading in
      numbers[reading.anchor].map {
        var reading = reading
        reading.anchor = $0
        return reading
      }
    }
  }
}
