import Foundation
import Geometry
import NumericalMethods
import TestSupport
import Testing

@testable import Positioning

@Suite("Places of beacons from walks")
struct BeaconPlacesTests {
  /// Levels drawn from the model on ways through a room.
  struct Simulated {
    let model: PlaceModel
    let ways: [[Point]]
    var random: RandomStream<SplitMix64>

    /// Returns what a beacon at a place has for parameters, and the points of the survey.
    mutating func survey(
      beaconsAt places: [Point], powers: [Double]? = nil
    ) -> (points: [SurveyPoint], powers: [Double], exponents: [Double]) {
      let all = ways.enumerated().flatMap { number, way in way.map { (number, $0) } }
      let size = all.count
      let factor = choleskyRoot(
        size,
        (0..<size * size).map { index in
          let (row, column) = (index / size, index % size)
          let isSame = all[row].0 == all[column].0
          let recording = model.variation.recordingOffset * model.variation.recordingOffset
          return model.variation.covariance(all[row].1, all[column].1)
            + (isSame ? recording : 0) + (row == column ? model.variation.noise(packets: 4) : 0)
        })
      var points = all.map { number, place in
        SurveyPoint(place: place, levels: [], trace: number)
      }
      var (drawn, exponents): ([Double], [Double]) = ([], [])
      for (beacon, place) in places.enumerated() {
        let power =
          powers?[beacon] ?? model.power.mean + model.power.deviation * random.gaussian()
        let exponent = model.exponent.mean + model.exponent.deviation * random.gaussian()
        let pattern = (
          model.pattern * random.gaussian(), model.pattern * random.gaussian()
        )
        let white = (0..<size).map { _ in random.gaussian() }
        for (row, point) in all.enumerated() {
          let (dx, dy) = (point.1.x - place.x, point.1.y - place.y)
          let distance = (dx * dx + dy * dy + model.height * model.height).squareRoot()
          let error = (0...row).reduce(0) { $0 + factor[row * size + $1] * white[$1] }
          let level =
            power - 10 * exponent * log10(distance)
            + (pattern.0 * dx + pattern.1 * dy) / distance + error
          points[row].levels.append(
            Reading(time: 0, anchor: beacon, rssi: level, packets: 4))
        }
        drawn.append(power)
        exponents.append(exponent)
      }
      return (points, drawn, exponents)
    }

    private func choleskyRoot(_ size: Int, _ matrix: [Double]) -> [Double] {
      var root = [Double](repeating: 0, count: size * size)
      for row in 0..<size {
        for column in 0...row {
          let sum = (0..<column).reduce(matrix[row * size + column]) {
            $0 - root[row * size + $1] * root[column * size + $1]
          }
          root[row * size + column] =
            row == column ? sum.squareRoot() : sum / root[column * size + column]
        }
      }
      return root
    }
  }

  /// Ways along and across a room of 16 m by 10 m, a place every 2 m.
  private static let ways: [[Point]] =
    [2.0, 5, 8].map { y in (0...7).map { Point(x: 1 + 2 * Double($0), y: y) } }
    + [3.0, 8, 13].map { x in (0...3).map { Point(x: x, y: 1 + 2.6 * Double($0)) } }

  static func simulated(_ seed: UInt64, ways: [[Point]] = ways) -> Simulated {
    Simulated(
      model: .belief, ways: ways, random: RandomStream(SplitMix64(seed: seed)))
  }

  @Test func `the likelihood is the Gaussian density of the levels, by the dense covariance`()
    throws
  {
    var world = Self.simulated(1, ways: Array(Self.ways.prefix(1)))
    let points = world.survey(beaconsAt: [Point(x: 5, y: 3)]).points
    let levels = points.map {
      SurveyedLevel(
        stretch: Stretch(centre: $0.place, reach: Point(x: 0.6, y: 0.2)),
        residual: $0.levels[0].rssi, packets: 4, recording: $0.trace)
    }
    let model = PlaceModel.belief
    let likelihood = try #require(PlaceLikelihood(levels, model))
    let places = (0..<11).map { Point(x: Double($0), y: 7 - Double($0)) }
    let values = likelihood.logLikelihood(at: places)
    let coefficients = likelihood.coefficients(at: places)
    for (number, place) in places.enumerated() {
      let basis = levels.map { level -> [Double] in
        func mean(_ value: (Double, Double, Double) -> Double) -> Double {
          level.stretch.mean { node in
            let (dx, dy) = (node.x - place.x, node.y - place.y)
            return value(dx, dy, (dx * dx + dy * dy + model.height * model.height).squareRoot())
          }
        }
        return [
          1, mean { -10 * log10($2) }, mean { $0 / $2 }, mean { $1 / $2 },
        ]
      }
      let variances = [
        model.power.deviation, model.exponent.deviation, model.pattern, model.pattern,
      ].map { $0 * $0 }
      var covariance = levels.covariance(model.variation) {
        model.variation.covariance(levels[$0].stretch, levels[$1].stretch).value
      }
      for row in levels.indices {
        for column in 0...row {
          for k in 0..<4 {
            covariance[row * levels.count + column] +=
              basis[row][k] * variances[k] * basis[column][k]
          }
        }
      }
      let factor = try #require(CholeskyFactor(covariance, size: levels.count))
      let errors = levels.indices.map {
        levels[$0].residual - model.power.mean - model.exponent.mean * basis[$0][1]
      }
      let solved = factor.solve(errors)
      let density =
        -0.5 * dot(errors, solved) - 0.5 * factor.logDeterminant
        - 0.5 * Double(levels.count) * log(2 * Double.pi)
      #expect(abs(values[number] - density) < 1e-4)
      // The posterior by the covariance of levels and coefficients.
      for (k, mean, found, variance) in [
        (0, model.power.mean, coefficients[number].power, coefficients[number].powerVariance),
        (
          1, model.exponent.mean, coefficients[number].exponent,
          coefficients[number].exponentVariance
        ),
      ] {
        let column = basis.map { $0[k] * variances[k] }
        #expect(abs(found - mean - dot(column, solved)) < 1e-4)
        #expect(abs(variance - variances[k] + dot(column, factor.solve(column))) < 1e-4)
      }
    }
  }

  @Test(arguments: [2, 3] as [UInt64])
  func `ellipses and intervals of simulated beacons hold with their probability`(seed: UInt64)
    throws
  {
    var world = Self.simulated(seed)
    let truths = (0..<80).map { _ in
      Point(x: world.random.uniform(-2, 18), y: world.random.uniform(-2, 12))
    }
    let survey = world.survey(beaconsAt: truths)
    let found = BeaconPlaces(survey: survey.points, .init(anchors: 80), model: world.model)
    var (ellipses, powers, exponents) = (0, 0, 0)
    for beacon in found.beacons {
      let place = try #require(beacon.place)
      let truth = truths[beacon.anchor]
      if place.covariance.squaredScore(truth.x - place.mean.x, truth.y - place.mean.y) < 5.991 {
        ellipses += 1
      }
      if abs(survey.powers[beacon.anchor] - place.power.mean) < 1.96 * place.power.deviation {
        powers += 1
      }
      if abs(survey.exponents[beacon.anchor] - place.exponent.mean)
        < 1.96 * place.exponent.deviation
      {
        exponents += 1
      }
    }
    // 76 are expected; fewer than 71 or all but two happen in about one of 100 runs each.
    for held in [ellipses, powers, exponents] { #expect((70...80).contains(held)) }
  }

  @Test func `the model is learned from beacons at unknown places`() {
    var world = Self.simulated(5)
    let truths = (0..<16).map { _ in
      Point(x: world.random.uniform(0, 16), y: world.random.uniform(0, 10))
    }
    let survey = world.survey(beaconsAt: truths)
    let found = BeaconPlaces(survey: survey.points, .init(anchors: 16))
    let errors = found.beacons.compactMap { beacon in
      beacon.place.map { $0.mean.distance(to: truths[beacon.anchor]) }
    }.sorted()
    #expect(errors[8] < 2)
    #expect(abs(found.model.power.mean - world.model.power.mean) < 6)
    #expect((1.2...2.8).contains(found.model.exponent.mean))
    #expect((1.5...5).contains(found.model.variation.spread))
  }

  @Test func `a beacon beside a single straight way has two modes`() throws {
    var world = Self.simulated(
      7, ways: (0..<4).map { _ in (0..<16).map { Point(x: Double($0), y: 0) } })
    let survey = world.survey(beaconsAt: [Point(x: 8, y: 5)], powers: [-60])
    let found = BeaconPlaces(survey: survey.points, .init(anchors: 1), model: world.model)
    let beacon = try #require(found.beacons.first)
    #expect(beacon.verdict == .twoModes)
    #expect((0.2...0.8).contains(try #require(beacon.place).elsewhere))
  }

  @Test func `a beacon at two places moves, and one at one place does not`() {
    var world = Self.simulated(11, ways: Self.ways + Self.ways)
    let survey = world.survey(beaconsAt: [Point(x: 3, y: 3), Point(x: 13, y: 7)])
    let half = survey.points.count / 2
    let points = survey.points.enumerated().map { number, point in
      var point = point
      if number < half { return point }
      // In the second half the first beacon is where the second one is.
      point.levels[0].rssi = point.levels[1].rssi
      return point
    }
    let found = BeaconPlaces(survey: points, .init(anchors: 2), model: world.model)
    #expect(found.beacons.map(\.verdict) == [.moves, .placed])
  }

  @Test func `seven levels place no beacon, and a far one is too uncertain`() throws {
    var world = Self.simulated(13)
    let survey = world.survey(beaconsAt: [Point(x: 5, y: 5), Point(x: 8, y: 5)])
    var points = survey.points
    for number in points.indices {
      if number >= 7 { points[number].levels.removeFirst() }
    }
    var settings = BeaconPlaces.Settings(anchors: 3)
    settings.largestDeviation = 0.1
    let found = BeaconPlaces(survey: points, settings, model: world.model)
    #expect(found.beacons.map(\.anchor) == [0, 1])
    #expect(found.beacons.map(\.verdict) == [.fewReadings, .uncertain])
    #expect(found.beacons[0].place == nil)
  }

  @Test func `on another floor a beacon has an apparent place near its own`() throws {
    var world = Self.simulated(17)
    let truth = Point(x: 6, y: 4)
    var points = world.survey(beaconsAt: [truth], powers: [-60]).points
    for var point in world.survey(beaconsAt: [Point(x: 9, y: 6)], powers: [-75]).points {
      point.floor = 1
      point.trace += 10
      for level in point.levels.indices { point.levels[level].packets = 2 }
      points.append(point)
    }
    var settings = BeaconPlaces.Settings(anchors: 1)
    settings.shifts = [Point(x: 0, y: 0), Point(x: 0, y: 0)]
    let found = BeaconPlaces(survey: points, settings, model: world.model)
    let beacon = try #require(found.beacons.first)
    let (own, other) = (try #require(beacon.place), try #require(beacon.apparent.first))
    #expect(own.floor == 0 && own.mean.distance(to: truth) < 3)
    #expect(other.floor == 1 && other.mean.distance(to: Point(x: 9, y: 6)) < 4)
    #expect(other.power.mean < own.power.mean - 6)
  }

  @Test func `levels without numbers and impossible places are passed over`() {
    var world = Self.simulated(19)
    var points = world.survey(beaconsAt: [Point(x: 5, y: 5)]).points
    let known = BeaconPlaces(survey: points, .init(anchors: 1), model: world.model).beacons[0]
    points[0].levels += [
      Reading(time: 0, anchor: 0, rssi: .nan, packets: 1),
      Reading(time: 0, anchor: 5, rssi: -50, packets: 1),
    ]
    points.append(
      SurveyPoint(
        place: Point(x: .nan, y: 0), levels: [Reading(time: 0, anchor: 0, rssi: -50, packets: 1)]))
    let found = BeaconPlaces(survey: points, .init(anchors: 1), model: world.model).beacons[0]
    #expect(found.place?.mean == known.place?.mean)
    #expect(BeaconPlaces(survey: [], .init(anchors: 0)).beacons.isEmpty)
    #expect(BeaconPlaces(survey: [], .init(anchors: 3)).beacons.isEmpty)
  }
}

@Suite("Known places against places from walks")
struct KnownPlaceTests {
  @Test func `true places agree, and four of five are found at the detectable displacement`() throws
  {
    var world = BeaconPlacesTests.simulated(29)
    let truths = (0..<80).map { _ in
      Point(x: world.random.uniform(0, 16), y: world.random.uniform(0, 10))
    }
    let points = world.survey(beaconsAt: truths).points
    func checked(_ known: [Point]) -> (places: BeaconPlaces, misplaced: Int) {
      var settings = BeaconPlaces.Settings(anchors: 80)
      settings.known = known
      let places = BeaconPlaces(survey: points, settings, model: world.model)
      return (places, places.beacons.count { ($0.known?.logRatio ?? 0) > places.threshold })
    }
    let (places, falseAlarms) = checked(truths)
    #expect(abs(places.threshold - log(80 / 0.05)) < 1e-12)
    // One is expected in 5 % of all surveys.
    #expect(falseAlarms <= 1)
    let moved = try zip(places.beacons, truths).map { beacon, truth in
      let (distance, angle) = (try #require(beacon.known).detectable, world.random.uniform(0, 6.28))
      return Point(x: truth.x + distance * cos(angle), y: truth.y + distance * sin(angle))
    }
    #expect((52...76).contains(checked(moved).misplaced))
  }
}
