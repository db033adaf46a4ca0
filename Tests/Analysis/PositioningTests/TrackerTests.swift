import Foundation
import Geometry
import Simulation
import TestSupport
import Testing

@testable import Positioning

/// Common properties of the trackers that use levels.
struct TrackerTests {
  static let trackers: [String] = ["kalman", "particle-filter:particles=300"]
  static let isLong = ProcessInfo.processInfo.environment["RSSI_LONG_TESTS"] == "1"

  private func median(_ sorted: [Double]) -> Double { sorted[sorted.count / 2] }

  @Test(arguments: trackers)
  func `on simulated walks they are better than each window's best place`(name: String) throws {
    let traces = try SimulatedTrace.walks(Self.isLong ? 100 : 6, seed: 3)
    let (errors, scores) = SimulatedTrace.judge(try Algorithms.named(name), on: traces)
    let alone = SimulatedTrace.judge(MaximumLikelihood(), on: traces).errors
    #expect(errors.count == traces.count * 12 && scores.count == errors.count)
    #expect(median(errors) < median(alone), "\(name): \(median(errors)) for \(median(alone))")
    // Chi-squared of two degrees of freedom: 5.99 at 95 %. A walk's epochs are not independent.
    let covered = Double(scores.count { $0 < 5.991 }) / Double(scores.count)
    #expect(covered > (Self.isLong ? 0.88 : 0.8), "\(name) covers \(covered)")
    if Self.isLong { #expect(covered < 0.98) }
  }

  @Test(arguments: trackers)
  func `a question about the past is answered from what came after it, too`(name: String) throws {
    let algorithm = try Algorithms.named(name)
    let late = SimulatedTrace.judge(algorithm, on: try SimulatedTrace.walks(5, seed: 5, lag: 1))
      .errors
    let now = SimulatedTrace.judge(algorithm, on: try SimulatedTrace.walks(5, seed: 5)).errors
    let (lateSum, nowSum) = (late.reduce(0, +), now.reduce(0, +))
    #expect(late.count == now.count)
    #expect(lateSum < nowSum)
  }

  @Test(arguments: trackers)
  func `the order of the list of anchors changes nothing`(name: String) throws {
    var generator = SeededGenerator(seed: 11)
    let trace = try SimulatedTrace.walks(1, seed: 11)[0]
    var shuffled = trace
    let order = trace.surroundings.anchors.indices.shuffled(using: &generator)
    shuffled.surroundings.anchors = order.map { trace.surroundings.anchors[$0] }
    for scan in trace.scans.indices {
      shuffled.scans[scan].readings = trace.scans[scan].readings.map { reading in
        var moved = reading
        moved.anchor = order.firstIndex(of: reading.anchor) ?? 0
        return moved
      }.sorted { ($0.time, $0.anchor) < ($1.time, $1.anchor) }
    }
    let algorithm = try Algorithms.named(name)
    let expected = algorithm.locate(trace.scans, in: trace.surroundings)
    let found = algorithm.locate(shuffled.scans, in: shuffled.surroundings)
    for (a, b) in zip(expected, found) {
      #expect(a.refusal == b.refusal)
      guard let p = a.position, let q = b.position else { continue }
      #expect(p.distance(to: q) < 1e-6)
    }
  }

  @Test(arguments: ["kalman", "particle-filter"])
  func `a long stay does not reduce the claimed error forever`(name: String) throws {
    let traces = try SimulatedTrace.walks(3, seed: 7, duration: 40, speed: 0.02)
    let (_, scores) = SimulatedTrace.judge(try Algorithms.named(name), on: traces)
    let covered = Double(scores.count { $0 < 5.991 }) / Double(scores.count)
    // docs/trackers.md, "At rest": particles believe of a creeping target that it rests.
    withKnownIssue(isIntermittent: true) {
      #expect(covered > 0.75, "\(name) covers \(covered)")
    } when: {
      name == "particle-filter"
    }
  }

  @Test(arguments: trackers)
  func `without anything heard it refuses, and afterwards predicts with growing doubt`(name: String)
    throws
  {
    var trace = try SimulatedTrace.walks(1, seed: 9)[0]
    for index in trace.scans.indices where index < 2 || index > 5 {
      trace.scans[index].readings = []
      trace.scans[index].observations = []
    }
    let outcomes = try Algorithms.named(name).locate(trace.scans, in: trace.surroundings)
    #expect(outcomes[0].refusal == .tooFewAnchors && outcomes[1].refusal == .tooFewAnchors)
    let doubts = outcomes[5...].map { ($0.covariance?.xx ?? .nan) + ($0.covariance?.yy ?? .nan) }
    for (now, next) in zip(doubts.prefix(3), doubts.dropFirst()) { #expect(next > now) }
    let area = try #require(trace.surroundings.bounds)
    for outcome in outcomes[2...] {
      let place = try #require(outcome.position)
      #expect((area.minimum.x...area.maximum.x).contains(place.x))
      #expect((area.minimum.y...area.maximum.y).contains(place.y))
    }
  }

  @Test(arguments: trackers)
  func `after a long pause the track begins again where the target is`(name: String) throws {
    var traces = try SimulatedTrace.walks(2, seed: 11, duration: 16)
    let pause: Int64 = 600_000_000_000
    for index in traces[1].scans.indices {
      let shift = traces[0].scans.last!.instant + pause - traces[1].scans[0].start
      if index == 0 { #expect(shift != 0) }
      traces[1].scans[index].instant += shift
      traces[1].scans[index].asked += shift
      for reading in traces[1].scans[index].readings.indices {
        traces[1].scans[index].readings[reading].time += shift
      }
    }
    let algorithm = try Algorithms.named(name)
    let joined = algorithm.locate(traces[0].scans + traces[1].scans, in: traces[0].surroundings)
    for (outcome, truth) in zip(joined, traces[0].truth + traces[1].truth) {
      let place = try #require(outcome.position)
      let covariance = try #require(outcome.covariance)
      #expect(covariance.squaredScore(place.x - truth.x, place.y - truth.y) < 25)
    }
  }

  @Test(arguments: trackers)
  func `one scan and nothing known of the site is enough`(name: String) throws {
    var generator = SeededGenerator(seed: 12)
    let scene = Scene.random(anchors: 8, noise: 1, using: &generator)
    let outcome = try Algorithms.named(name).locate(scene.observations)
    let place = try #require(outcome.position)
    let covariance = try #require(outcome.covariance)
    #expect(covariance.squaredScore(place.x - scene.truth.x, place.y - scene.truth.y) < 9)
    #expect(place.distance(to: scene.truth) < 6)
  }

  @Test(arguments: trackers)
  func `in space the height has a variance`(name: String) throws {
    var surroundings = Surroundings()
    surroundings.dimensions = .space
    surroundings.anchors = (0..<12).map { index in
      let place = Point(x: Double(index % 4) * 3, y: Double(index / 4) * 4)
      return Anchor(
        place: place, heightDifference: Double(index * 7 % 4), measuredPower: -59, exponent: 2,
        sigma: 2)
    }
    surroundings.bounds = Bounds(
      minimum: Point(x: 0, y: 0), maximum: Point(x: 9, y: 8), heights: 0...3)
    let truth = SpacePoint(x: 4, y: 3, z: 1.2)
    let levels = surroundings.anchors.map { $0.expectedLevel(at: truth.planar, height: truth.z) }
    let scans = (1...5).map { (number: Int) -> Scan in
      let instant = Int64(number) * 2_000_000_000
      let readings = levels.enumerated().map {
        Reading(time: instant, anchor: $0, rssi: $1, packets: 10)
      }
      return Scan(
        instant: instant, start: instant - 2_000_000_000, observations: [], readings: readings)
    }
    let outcomes = try Algorithms.named(name).locate(scans, in: surroundings)
    guard case .located(let estimate) = outcomes[4] else {
      Issue.record("\(outcomes[4])")
      return
    }
    let height = try #require(estimate.height)
    let vertical = try #require(estimate.uncertainty.covariance?.vertical)
    #expect(estimate.position.distance(to: truth.planar) < 1 && abs(height - truth.z) < 0.9)
    #expect(vertical.zz > 0.001 && vertical.zz < 1)
  }

  @Test(arguments: trackers)
  func `a radio map is used where it is asked for, and missed where there is none`(name: String)
    throws
  {
    let text = name.contains(":") ? name + ",map=yes" : name + ":map=yes"
    let algorithm = try Algorithms.named(text)
    var trace = try SimulatedTrace.walks(1, seed: 13)[0]
    #expect(algorithm.locate(trace.scans, in: trace.surroundings)[3].refusal == .noSurvey)
    // The anchors at the left are 12 dB above their curves, those at the right below: only the map
    // knows.
    let places = trace.surroundings.anchors.map(\.place)
    func bias(_ anchor: Int) -> Double { places[anchor].x < 6 ? 12 : -12 }
    for scan in trace.scans.indices {
      for reading in trace.scans[scan].readings.indices {
        let anchor = trace.scans[scan].readings[reading].anchor
        trace.scans[scan].readings[reading].rssi += bias(anchor)
      }
    }
    let anchors = trace.surroundings.anchors
    trace.surroundings.survey = (0..<48).map { index in
      let place = Point(x: Double(index % 8) * 1.5 + 0.7, y: Double(index / 8) * 1.3 + 0.5)
      return SurveyPoint(
        place: place,
        levels: anchors.indices.map {
          Reading(
            time: 0, anchor: $0, rssi: anchors[$0].expectedLevel(at: place) + bias($0), packets: 50)
        })
    }
    trace.surroundings.radioMap = RadioMap(survey: trace.surroundings.survey, anchors: anchors)
    let errors = SimulatedTrace.judge(algorithm, on: [trace]).errors
    let without = SimulatedTrace.judge(try Algorithms.named(name), on: [trace]).errors
    #expect(median(errors) < 0.7 * median(without), "\(median(errors)) for \(median(without))")
  }
}
