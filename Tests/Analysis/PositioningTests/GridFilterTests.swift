import Foundation
import Geometry
import Positioning
import TestSupport
import Testing

struct GridFilterTests {
  private func estimate(_ outcome: Outcome) throws -> Estimate {
    guard case .located(let estimate) = outcome else {
      throw TestFailure(description: "\(outcome)")
    }
    return estimate
  }

  private struct TestFailure: Error { let description: String }

  @Test func `a first packet of each anchor is a posterior mean's answer`() throws {
    var walk = try GridWalk(seed: 3, walks: 1, seconds: 5, speed: 1, lag: 0)
    var seen: Set<Int> = []
    let readings = walk.scans[0].flatMap(\.readings).filter { seen.insert($0.anchor).inserted }
      .map { Reading(time: walk.scans[0][0].instant, anchor: $0.anchor, rssi: $0.rssi) }
    walk.scans[0][0].readings = readings
    let scan = walk.scans[0][0]
    let observations = readings.map {
      Observation(walk.site.anchors[$0.anchor], number: $0.anchor, rssi: $0.rssi)
    }
    let filtered = try estimate(GridFilter().locate([scan], in: walk.site)[0])
    let memoryless = try estimate(
      PosteriorMean().locate(
        [Scan(instant: 1, start: 0, observations: observations)], in: walk.site)[0])
    #expect(isClose(filtered.position, memoryless.position, within: 1e-3))
  }

  @Test func `an answer does not depend on what is heard later, and a smoother's does`() throws {
    let walk = try GridWalk(seed: 4, walks: 1, seconds: 8, speed: 1, lag: 1)
    let scans = walk.scans[0]
    let whole = GridFilter().locate(scans, in: walk.site)
    let part = GridFilter().locate(Array(scans.prefix(8)), in: walk.site)
    #expect(Array(whole.prefix(8)) == part)
    let smooth = GridSmoother().locate(scans, in: walk.site)
    #expect(smooth[7] != GridSmoother().locate(Array(scans.prefix(8)), in: walk.site)[7])
    #expect(GridFilter().isCausal && !GridSmoother().isCausal)
  }

  @Test(arguments: [1, nil] as [Double?])
  func `looking back from the end, the filter finds what the smoother does`(speed: Double?) throws {
    var settings = GridSettings()
    settings.speed = speed
    let (filter, smoother) = (GridFilter(settings), GridSmoother(settings))
    let walk = try GridWalk(seed: 5, walks: 1, seconds: 10, speed: 1, lag: 1.25)
    let scans = walk.scans[0]
    let filtered = filter.locate(scans, in: walk.site)
    for count in [4, 11, scans.count] {
      let smooth = smoother.locate(Array(scans.prefix(count)), in: walk.site)
      let (a, b) = (try estimate(smooth[count - 1]), try estimate(filtered[count - 1]))
      #expect(isClose(a.position, b.position, within: 5e-3))
      let (c, d) = (try #require(a.uncertainty.covariance), try #require(b.uncertainty.covariance))
      #expect(isClose(c.xx, d.xx, absolute: 0.02) && isClose(c.xy, d.xy, absolute: 0.02))
    }
    // The last scan asks for an early time: the filter goes all the way back.
    var late = scans
    late[late.count - 1].asked = scans[4].asked
    let back = try estimate(filter.locate(late, in: walk.site)[late.count - 1])
    let smooth = try estimate(smoother.locate(scans, in: walk.site)[4])
    #expect(isClose(back.position, smooth.position, within: 0.02))
  }

  @Test func `a smoother of unknown speed follows slow and fast targets`() throws {
    func error(_ speed: Double?, ofTargetsAt pace: Double) throws -> Double {
      var settings = GridSettings()
      settings.speed = speed
      let walk = try GridWalk(seed: 11, walks: 2, seconds: 12, speed: pace, lag: 0, step: 1)
      let errors = try zip(walk.scans, walk.truths).flatMap { scans, truths in
        try zip(GridSmoother(settings).locate(scans, in: walk.site), truths).map {
          try estimate($0).position.distance(to: $1)
        }
      }
      return errors.reduce(0, +) / Double(errors.count)
    }
    #expect(try error(nil, ofTargetsAt: 0.3) < error(2, ofTargetsAt: 0.3))
    #expect(try error(nil, ofTargetsAt: 2) < error(0.5, ofTargetsAt: 2))
  }

  @Test func `a gap makes it less sure and no more`() throws {
    let walk = try GridWalk(seed: 6, walks: 1, seconds: 6, speed: 1, lag: 0)
    let heard = walk.scans[0].last!
    var scans = [
      Scan(
        instant: heard.instant - 2_000_000_000, start: heard.instant - 3_000_000_000,
        observations: []),
      heard,
    ]
    for seconds in [1, 2, 5, 20, 4000] as [Int64] {
      let instant = heard.instant + seconds * 1_000_000_000
      scans.append(Scan(instant: instant, start: scans[scans.count - 1].instant, observations: []))
    }
    for algorithm in [GridFilter(), GridSmoother()] as [any PositioningAlgorithm] {
      let outcomes = algorithm.locate(scans, in: walk.site)
      #expect(outcomes[0].refusal == .tooFewAnchors)
      let traces = try outcomes.dropFirst().map {
        let c = try #require($0.covariance)
        return c.xx + c.yy
      }
      for (before, after) in zip(traces, traces.dropFirst()) { #expect(after > before) }
      // In the end anywhere in the room: the variances of a uniform place.
      #expect(isClose(traces[5], (12 * 12 + 8 * 8) / 12.0, absolute: 0.3))
    }
  }

  @Test func `one reading, several scans at once and late readings are answered`() throws {
    let walk = try GridWalk(seed: 7, walks: 1, seconds: 3, speed: 1, lag: 0)
    let instant = walk.scans[0][0].instant
    let one = Reading(time: instant + 7_000_000_000, anchor: 2, rssi: -60)
    let scans = [
      Scan(instant: instant, start: instant - 1, observations: [], readings: [one]),
      Scan(instant: instant, start: instant - 1, observations: [], readings: []),
    ]
    for algorithm in [GridFilter(), GridSmoother()] as [any PositioningAlgorithm] {
      let outcomes = algorithm.locate(scans, in: walk.site)
      #expect(outcomes.count == 2 && outcomes.allSatisfy { $0.position != nil })
      #expect(isClose(outcomes[0].position!, outcomes[1].position!, within: 1e-6))
      var spoilt = scans
      spoilt[1].readings = [Reading(time: instant, anchor: 99, rssi: -60)]
      #expect(algorithm.locate(spoilt, in: walk.site)[1].refusal == .invalidRange)
      spoilt[1].readings = [Reading(time: instant, anchor: 1, rssi: .nan)]
      #expect(algorithm.locate(spoilt, in: walk.site)[1].refusal == .invalidRange)
      #expect(algorithm.locate(spoilt, in: walk.site)[0].position != nil)
    }
  }

  @Test func `walls keep the target in its room though levels drift beyond`() throws {
    var site = Surroundings()
    site.bounds = Bounds(minimum: Point(x: 0, y: 0), maximum: Point(x: 8, y: 4))
    site.walls = [Segment(from: Point(x: 4, y: -1), to: Point(x: 4, y: 5))]
    site.anchors = [(0.5, 0.5), (7.5, 3.5), (7.5, 0.5), (0.5, 3.5)].map {
      Anchor(place: Point(x: $0.0, y: $0.1), measuredPower: -59, exponent: 2, sigma: 3)
    }
    func scans(_ path: [Point]) -> [Scan] {
      path.enumerated().map { number, place in
        let instant = Int64(number + 1) * 1_000_000_000
        let readings = site.anchors.enumerated().map { index, anchor in
          Reading(
            time: instant, anchor: index, rssi: -59 - 20 * log10(anchor.place.distance(to: place)))
        }
        return Scan(
          instant: instant, start: instant - 1_000_000_000, observations: [], readings: readings)
      }
    }
    // First clearly on the left, then the levels say 4.6: through the wall, which is impossible.
    let path =
      [Point](repeating: Point(x: 1, y: 2), count: 8)
      + [Point](repeating: Point(x: 4.6, y: 2), count: 2)
    let kept = try estimate(GridFilter().locate(scans(path), in: site)[9])
    #expect(kept.position.x < 4)
    var open = site
    open.walls = [Segment(from: Point(x: 4, y: -1), to: Point(x: 4, y: 1.5))]
    #expect(
      try estimate(GridFilter().locate(scans(path), in: open)[9]).position.x > kept.position.x + 0.2
    )
  }

  @Test(
    .systemRun,
    arguments: [0.0, 1])
  func `its 95 % ellipses hold a simulated walk's places about as often`(lag: Double) throws {
    let isLong = ProcessInfo.processInfo.environment["RSSI_LONG_TESTS"] == "1"
    let walk = try GridWalk(
      seed: 8, walks: isLong ? 60 : 3, seconds: 24, speed: 1, lag: lag, step: 1)
    for algorithm in [GridFilter(), GridSmoother()] as [any PositioningAlgorithm] {
      var (held, asked) = (0, 0)
      for (scans, truths) in zip(walk.scans, walk.truths) {
        for (outcome, truth) in zip(algorithm.locate(scans, in: walk.site), truths) {
          let answer = try estimate(outcome)
          let c = try #require(answer.uncertainty.covariance)
          asked += 1
          if c.squaredScore(answer.position.x - truth.x, answer.position.y - truth.y) <= 5.991 {
            held += 1
          }
        }
      }
      // Answers of one walk resemble each other: four walks are accurate to some percent.
      let least = isLong ? 0.93 : 0.88
      #expect(Double(held) >= least * Double(asked), "\(algorithm.name): \(held) of \(asked)")
    }
  }
}
