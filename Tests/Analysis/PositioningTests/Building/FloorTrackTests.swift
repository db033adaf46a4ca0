import Geometry
import TestSupport
import Testing

@testable import Positioning

@Suite("Positions on floors")
struct FloorTrackTests {
  private static let site: (map: BuildingMap?, walks: [SimulatedBuilding.Walk]) = {
    var building = SimulatedBuilding(seed: 4)
    let survey = building.walks(24, windows: 30).flatMap(\.survey)
    return (
      BuildingMap(building.building, survey: survey, anchors: building.anchors),
      building.walks(16, windows: 30)
    )
  }()

  /// The answers to the questions of all walks, with the truth.
  private func answers(
    _ answer: (BuildingMap, [Scan]) -> [Outcome]
  ) throws -> [(estimate: Estimate, floor: Int, place: Point)] {
    let map = try #require(Self.site.map)
    return try Self.site.walks.flatMap { walk in
      try zip(answer(map, walk.scans), walk.truth).map {
        (try #require($0.estimate), $1.floor, $1.place)
      }
    }
  }

  private func filter(_ map: BuildingMap, _ scans: [Scan]) -> [Outcome] {
    var track = FloorTrack(on: map, lag: 0)
    return scans.map { track.locate($0) }
  }

  @Test func `floors and places are found without the places of beacons`() throws {
    for (answer, most) in [
      ({ map, scans in scans.map { map.answer($0) } }, 4.5), (filter, 3.5),
      ({ FloorSmoother(on: $0).answers($1) }, 3),
    ] as [((BuildingMap, [Scan]) -> [Outcome], Double)] {
      let answers = try answers(answer)
      let right = answers.filter { $0.estimate.floor == $0.floor }
      #expect(Double(right.count) > 0.97 * Double(answers.count))
      let errors = right.map { $0.estimate.position.distance(to: $0.place) }.sorted()
      #expect(errors[errors.count / 2] < most, "\(errors[errors.count / 2])")
    }
  }

  /// 480 windows of 16 walks: claims of 95 % may be wrong in some 2.5 % by chance.
  @Test func `claims of floors and ellipses hold`() throws {
    for answer in [filter, { FloorSmoother(on: $0).answers($1) }] {
      let answers = try answers(answer)
      let sure = answers.filter { ($0.estimate.floorProbabilities.max() ?? 0) >= 0.95 }
      #expect(sure.count > answers.count / 2)
      #expect(Double(sure.count { $0.estimate.floor == $0.floor }) >= 0.96 * Double(sure.count))
      let inside = answers.count { one in
        guard let ellipse = one.estimate.uncertainty.covariance else { return false }
        let (dx, dy) = (
          one.place.x - one.estimate.position.x, one.place.y - one.estimate.position.y
        )
        return ellipse.squaredScore(dx, dy) < 5.99
      }
      #expect(Double(inside) > 0.9 * Double(answers.count), "\(inside) of \(answers.count)")
      for one in answers {
        #expect(abs(one.estimate.floorProbabilities.reduce(0, +) - 1) < 1e-3)
      }
    }
  }

  @Test func `a smoother is a filter that looks back from the end`() throws {
    let map = try #require(Self.site.map)
    let scans = Array(Self.site.walks[0].scans.prefix(20))
    let smoothed = FloorSmoother(on: map).answers(scans)
    var track = FloorTrack(on: map, lag: 60_000_000_000)
    for scan in scans { _ = track.locate(scan) }
    for (scan, outcome) in zip(scans, smoothed).dropLast() {
      let again = track.locate(
        Scan(
          instant: scans[19].instant, asked: scan.asked, start: scans[19].instant, observations: [])
      )
      let (one, other) = (try #require(outcome.estimate), try #require(again.estimate))
      #expect(one.floor == other.floor)
      #expect(one.position.distance(to: other.position) < 0.02)
    }
  }

  @Test func `a live track answers as the whole trace`() throws {
    let map = try #require(Self.site.map)
    var known = Surroundings()
    (known.building, known.buildingMap) = (map.building, map)
    known.anchors = Array(repeating: .unknown, count: 24)
    var settings = GridSettings()
    settings.usesMap = true
    let scans = Self.site.walks[1].scans
    let filter = GridFilter(settings)
    let whole = filter.locate(scans, in: known)
    var live = try #require(filter.track(in: known))
    #expect(scans.map { live.locate($0) } == whole)
    #expect(whole == self.filter(map, scans))
    #expect(
      GridSmoother(settings).locate(scans, in: known) == FloorSmoother(on: map).answers(scans))
  }

  @Test func `after a long gap nothing is known of the target`() throws {
    let map = try #require(Self.site.map)
    let scans = Self.site.walks[0].scans
    var (track, fresh) = (FloorTrack(on: map, lag: 0), FloorTrack(on: map, lag: 0))
    for scan in scans.prefix(10) { _ = track.locate(scan) }
    let hour: Int64 = 3_600_000_000_000
    let later = scans.prefix(10).map { scan in
      var scan = scan
      (scan.instant, scan.asked, scan.start) = (
        scan.instant + hour, scan.asked + hour, scan.start + hour
      )
      for index in scan.readings.indices { scan.readings[index].time += hour }
      return scan
    }
    #expect(later.map { track.locate($0) } == later.map { fresh.locate($0) })
  }

  @Test func `kNN votes for the floor of the most similar windows`() throws {
    func point(_ x: Double, floor: Int, _ levels: [Int: Double]) -> SurveyPoint {
      var point = SurveyPoint(
        place: Point(x: x, y: 0),
        levels: levels.sorted { $0.key < $1.key }.map {
          Reading(time: 0, anchor: $0.key, rssi: $0.value)
        })
      point.floor = floor
      return point
    }
    let neighbours = FloorNeighbours(
      [
        point(0, floor: 0, [0: -65]), point(2, floor: 0, [0: -65]),
        point(50, floor: 1, [1: -65]),
      ], on: Building(floors: [.init(name: "a"), .init(name: "b")]), anchors: 3, neighbours: 2)
    func scan(_ levels: [Int: Double]) -> Scan {
      Scan(
        instant: 2, start: 0,
        observations: levels.map { Observation(.unknown, number: $0.key, rssi: $0.value) })
    }
    let answers = neighbours.answers([scan([0: -70]), scan([1: -90]), scan([2: -60]), scan([:])])
    #expect(answers[0].estimate?.floor == 0 && answers[0].estimate?.position == Point(x: 1, y: 0))
    #expect(answers[0].estimate?.floorProbabilities == [1, 0])
    #expect(answers[1].estimate?.floor == 1 && answers[1].estimate?.position == Point(x: 50, y: 0))
    #expect(answers[2].refusal == .tooFewAnchors && answers[3].refusal == .tooFewAnchors)
  }

  @Test func `algorithms for a plane answer by the anchors of the floor`() throws {
    var known = Surroundings()
    known.building = Building(floors: [.init(name: "1"), .init(name: "2"), .init(name: "3")])
    // Floor 3 has no anchor. A slab attenuates by 20 dB.
    let corners = [Point(x: 0, y: 0), Point(x: 10, y: 0), Point(x: 0, y: 10), Point(x: 10, y: 10)]
    known.anchors = [0, 1].flatMap { floor in
      corners.map { corner in
        var anchor = Anchor(place: corner, measuredPower: -59, exponent: 2, sigma: 4)
        anchor.floor = floor
        return anchor
      }
    }
    func scan(_ second: Int64, on floor: Int) -> Scan {
      let here = Point(x: 2, y: 3)
      return Scan(
        instant: second * 1_000_000_000, start: (second - 1) * 1_000_000_000,
        observations: known.anchors.indices.map { number in
          let anchor = known.anchors[number]
          let rssi =
            anchor.expectedLevel(at: here) - (anchor.floor == floor ? 0 : 20)
          return Observation(anchor, number: number, rssi: rssi)
        })
    }
    let scans = [scan(1, on: 0), scan(2, on: 0), scan(20, on: 1), scan(21, on: 1)]
    let outcomes = FloorChoice(MaximumLikelihood()).locate(scans, in: known)
    #expect(outcomes.map { $0.estimate?.floor } == [0, 0, 1, 1])
    for outcome in outcomes {
      #expect(try #require(outcome.estimate).position.distance(to: Point(x: 2, y: 3)) < 0.1)
    }
    // A stream gives the same, also with memory and a lag.
    let timed = scans.map { scan in
      var scan = scan
      scan.readings = scan.observations.map {
        Reading(time: scan.instant - 500_000_000, anchor: $0.number, rssi: $0.rssi)
      }
      return scan
    }
    for name in ["maximum-likelihood", "kalman", "grid-filter:lag=1s"] {
      let choice = FloorChoice(try Algorithms.named(name))
      var live = try #require(DelayedTrack(choice, in: known))
      var answers = timed.flatMap { live.locate($0) }
      answers += live.finish()
      #expect(answers.map(\.instant) == scans.map(\.instant), "\(name)")
      #expect(answers.map(\.outcome) == choice.locate(timed, in: known), "\(name)")
      #expect(answers.last?.outcome.estimate?.floor == 1)
    }
    // Without a place of an anchor there is no answer.
    known.anchors = known.anchors.map { _ in .unknown }
    #expect(
      FloorChoice(MaximumLikelihood()).locate(scans, in: known).map(\.refusal)
        == Array(repeating: .unknownPlaces, count: 4))
  }
}
