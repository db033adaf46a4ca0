import RealModule

/// An algorithm for one plane, in a building: it answers on each floor by the anchors there, and the
/// most probable floor is chosen.
///
/// The floor comes from the map of the building, or, without a survey, from the floors of the anchors
/// that are received: each adds its strength above -105 dBm, which fades in seconds.
public struct FloorChoice: DelayedAlgorithm {
  private let base: any PositioningAlgorithm

  /// The time in seconds after which a reception has lost most of its weight: people need longer for
  /// a storey.
  private static let memory = 5.0
  /// The level in dBm of an anchor that is not received.
  private static let silent = -105.0

  public var name: String { base.name }
  public var isCausal: Bool { base.isCausal }
  public var lag: Duration { (base as? any DelayedAlgorithm)?.lag ?? .zero }

  /// Creates the choice among an algorithm's answers on all floors.
  public init(_ base: any PositioningAlgorithm) { self.base = base }

  public func lookingBack(in surroundings: Surroundings) -> (any LiveTrack)? {
    guard surroundings.building != nil else { return track(on: surroundings) }
    let planes = Plane.all(of: surroundings)
    // A floor without anchors has no track.
    let tracks = planes.map { $0.flatMap { track(on: $0.known) } }
    guard zip(planes, tracks).allSatisfy({ $0 == nil || $1 != nil }) else { return nil }
    return FloorChoiceTrack(
      planes: planes, tracks: tracks, strengths: Strengths(in: surroundings))
  }

  private func track(on plane: Surroundings) -> (any LiveTrack)? {
    (base as? any DelayedAlgorithm)?.lookingBack(in: plane) ?? base.track(in: plane)
  }

  public func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
    guard surroundings.building != nil else { return base.locate(scans, in: surroundings) }
    guard surroundings.anchors.contains(where: \.isPlaced) else {
      return scans.map { _ in .refused(.unknownPlaces) }
    }
    if DelayedTrack.canFollow(base), let track = lookingBack(in: surroundings) {
      return delayed(scans) { scans in
        var track = track
        return scans.map { track.locate($0) }
      }
    }
    let planes = Plane.all(of: surroundings)
    var answers: [Int: [Outcome]] = [:]
    return zip(floors(scans, in: surroundings), scans.indices).map { choice, scan in
      guard let plane = planes[choice.floor] else { return .refused(.unknownPlaces) }
      if answers[choice.floor] == nil {
        answers[choice.floor] = base.locate(scans.map(plane.scan), in: plane.known)
      }
      return choice.placed(answers[choice.floor]?[scan] ?? .refused(.notConverged))
    }
  }

  /// Returns the floors of scans that are all known.
  private func floors(_ scans: [Scan], in surroundings: Surroundings) -> [Choice] {
    if let map = surroundings.buildingMap {
      return FloorSmoother(on: map).answers(scans).map(Choice.init)
    }
    var strengths = Strengths(in: surroundings)
    return scans.map { strengths.choice($0) }
  }

  /// A floor, with the probabilities of all; empty if they are not known.
  private struct Choice {
    var floor: Int
    var probabilities: [Double] = []

    init(floor: Int) { self.floor = floor }

    init(_ outcome: Outcome) {
      floor = outcome.estimate?.floor ?? 0
      probabilities = outcome.estimate?.floorProbabilities ?? []
    }

    /// Returns an answer in the plane as one on the floor.
    func placed(_ outcome: Outcome) -> Outcome {
      guard case .located(var estimate) = outcome else { return outcome }
      (estimate.floor, estimate.floorProbabilities) = (floor, probabilities)
      return .located(estimate)
    }
  }

  /// The evidence about the floor, scan by scan.
  private struct Strengths {
    private var track: FloorTrack?
    private var sums: [Double]
    private let floors: [Int?]
    private var last: Int64?

    init(in surroundings: Surroundings) {
      track = surroundings.buildingMap.map { FloorTrack(on: $0, lag: 0) }
      sums = [Double](repeating: 0, count: surroundings.building?.floors.count ?? 0)
      floors = surroundings.anchors.map(\.floor)
    }

    mutating func choice(_ scan: Scan) -> Choice {
      if let outcome = track?.locate(scan) { return Choice(outcome) }
      let seconds = Double(scan.instant - (last ?? scan.instant)) * 1e-9
      last = scan.instant
      for floor in sums.indices { sums[floor] *= Double.exp(-seconds / FloorChoice.memory) }
      for one in scan.observations where floors.indices.contains(one.number) {
        if let floor = floors[one.number] { sums[floor] += max(one.rssi - FloorChoice.silent, 0) }
      }
      return Choice(floor: sums.indices.max { sums[$0] < sums[$1] } ?? 0)
    }
  }

  /// A floor as a site of one plane, with the anchors there.
  private struct Plane {
    var known: Surroundings
    /// The numbers of the anchors in the plane, by those in the building.
    private var numbers: [Int: Int]

    /// Returns the planes of a building, `nil` for floors without anchors at known places.
    static func all(of surroundings: Surroundings) -> [Plane?] {
      (surroundings.building?.floors.indices ?? 0..<0).map { Plane(floor: $0, of: surroundings) }
    }

    private init?(floor: Int, of surroundings: Surroundings) {
      let own = surroundings.anchors.indices.filter {
        surroundings.anchors[$0].floor == floor && surroundings.anchors[$0].isPlaced
      }
      guard !own.isEmpty else { return nil }
      let numbers = Dictionary(uniqueKeysWithValues: own.enumerated().map { ($1, $0) })
      known = surroundings
      known.anchors = own.map { surroundings.anchors[$0] }
      known.building = nil
      known.buildingMap = nil
      known.spots = surroundings.spots(on: floor)
      known.survey = surroundings.survey.filter { $0.floor == floor }.map { point in
        var point = point
        point.levels = point.levels.renumbered(numbers)
        point.readings = point.readings.compactMap { one in
          numbers[one.reading.anchor].map {
            var one = one
            one.reading.anchor = $0
            return one
          }
        }
        return point
      }
      known.radioMap =
        known.survey.isEmpty ? nil : RadioMap(survey: known.survey, anchors: known.anchors)
      self.numbers = numbers
    }

    /// Returns a scan with the levels of the floor's anchors.
    func scan(_ scan: Scan) -> Scan {
      var scan = scan
      scan.observations = scan.observations.compactMap { one in
        numbers[one.number].map {
          var one = one
          one.number = $0
          return one
        }
      }
      scan.readings = scan.readings.renumbered(numbers)
      return scan
    }
  }

  /// The tracks on all floors, of which one answers.
  private struct FloorChoiceTrack: LiveTrack {
    let planes: [Plane?]
    var tracks: [(any LiveTrack)?]
    var strengths: Strengths

    mutating func locate(_ scan: Scan) -> Outcome {
      let choice = strengths.choice(scan)
      var answer = Outcome.refused(.unknownPlaces)
      for floor in tracks.indices {
        guard let plane = planes[floor] else { continue }
        let outcome = tracks[floor]?.locate(plane.scan(scan))
        if floor == choice.floor, let outcome { answer = outcome }
      }
      return choice.placed(answer)
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
