import Foundation
import Geometry
import NumericalMethods
import TestSupport
import Testing

@testable import Positioning

@Suite("Links between anchors")
struct LinkCalibrationTests {
  /// A simulated site: jittered places, one box per place that sends and receives.
  struct Site {
    var links: AnchorLinks
    let powers: [Double]
    let offsets: [Double]
    let exponent: Double
    /// The anchor whose known place is off.
    let wrong: Int

    /// - Parameters:
    ///   - moved: the distance by which the known place of an anchor is off, in metres.
    init(
      _ columns: Int, _ rows: Int, _ width: Double, _ depth: Double, limit: Double = -200,
      moved: Double = 0, wall: Double? = nil, _ random: inout RandomStream<SplitMix64>
    ) {
      let count = columns * rows
      let (cell, row) = (width / Double(columns), depth / Double(rows))
      let places = (0..<count).map { number in
        Point(
          x: (Double(number % columns) + random.uniform(0.25, 0.75)) * cell,
          y: (Double(number / columns) + random.uniform(0.25, 0.75)) * row)
      }
      let model = AnchorLinks.Deviations()
      powers = (0..<count).map { _ in -59 + model.power * random.gaussian() }
      offsets = (0..<count).map { _ in model.offset * random.gaussian() }
      exponent = 2.2 + 0.4 * random.gaussian()
      var shadowing = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
      for i in 0..<count {
        for j in 0..<i {
          shadowing[i][j] = model.shadowing * random.gaussian()
          shadowing[j][i] = shadowing[i][j]
        }
      }
      var made: [AnchorLinks.Link] = []
      for i in 0..<count {
        for j in 0..<count where i != j {
          let distance = max(places[i].distance(to: places[j]), 0.5)
          let crossed = (places[i].x < width / 2) != (places[j].x < width / 2)
          let level =
            powers[j] + offsets[i] - 10 * exponent * log10(distance) + shadowing[i][j]
            - (crossed ? wall ?? 0 : 0) + model.direction * random.gaussian()
          made.append(
            .init(beacon: j, receiver: i, level: level < limit ? nil : level, packets: 1000))
        }
      }
      var known = places
      wrong = Int(random.uniform(0, Double(count)))
      let angle = 2 * Double.pi * random.uniform()
      known[wrong].x += moved * cos(angle)
      known[wrong].y += moved * sin(angle)
      links = AnchorLinks(
        made, places: known, heights: [Double](repeating: 2, count: count),
        beacons: Array(0..<count), receivers: Array(0..<count))
      if wall != nil {
        links.kinds = ["brick"]
        links.walls = { from, to in [(from.x < width / 2) != (to.x < width / 2) ? 1 : 0] }
      }
      if limit > -150 { links.sensitivity = limit }
    }
  }

  private struct Held {
    var (power, offset, exponent, level, runs) = (0.0, 0.0, 0.0, 0.0, 0.0)
    var (powerSquares, exponentSquares) = (0.0, 0.0)

    mutating func add(_ found: LinkCalibration, _ site: Site) {
      let count = Double(site.powers.count)
      func holds(_ value: LinkCalibration.Value, _ truth: Double) -> Double {
        abs(value.mean - truth) < 1.96 * value.deviation ? 1 : 0
      }
      runs += 1
      let errors = zip(found.powers, site.powers).map { $0.mean - $1 }
      let common = errors.reduce(0, +) / count
      for (value, truth) in zip(found.powers, site.powers) {
        power += holds(value, truth) / count
        powerSquares += (value.mean - truth - common) * (value.mean - truth - common) / count
      }
      for (value, truth) in zip(found.offsets, site.offsets) {
        offset += holds(value, truth) / count
      }
      // The level at 5 m of one beacon at one receiver needs the covariance of power and exponent.
      let (one, cross) = found.power(ofBeacon: 1, atReceiver: 2)
      let slope = -10 * log10(5.0)
      let variance =
        one.deviation * one.deviation + 2 * slope * cross
        + slope * slope * found.exponent.deviation * found.exponent.deviation
      level += holds(
        LinkCalibration.Value(
          mean: one.mean + slope * found.exponent.mean, deviation: variance.squareRoot()),
        site.powers[1] + site.offsets[2] + slope * site.exponent)
      exponent += holds(found.exponent, site.exponent)
      exponentSquares +=
        (found.exponent.mean - site.exponent) * (found.exponent.mean - site.exponent)
    }
  }

  @Test func `intervals of powers, offsets and the exponent hold, and errors are small`() throws {
    var random = RandomStream(SplitMix64(seed: 3))
    var held = Held()
    for _ in 0..<100 {
      let site = Site(4, 3, 20, 15, &random)
      held.add(try #require(LinkCalibration(site.links, deviations: .init())), site)
    }
    #expect((0.92...0.98).contains(held.power / held.runs))
    #expect((0.92...0.98).contains(held.offset / held.runs))
    #expect((0.88...1).contains(held.exponent / held.runs))
    #expect((0.88...1).contains(held.level / held.runs))
  }

  @Test func `with unheard links intervals hold, and without them they do not`() throws {
    var random = RandomStream(SplitMix64(seed: 5))
    var (all, heard) = (Held(), Held())
    var lost = 0
    for _ in 0..<60 {
      var site = Site(4, 3, 50, 40, limit: -92, &random)
      lost += site.links.links.count { $0.level == nil }
      all.add(try #require(LinkCalibration(site.links, deviations: .init())), site)
      site.links.links.removeAll { $0.level == nil }
      heard.add(try #require(LinkCalibration(site.links, deviations: .init())), site)
    }
    #expect((0.88...1).contains(all.exponent / all.runs))
    #expect((0.92...0.98).contains(all.power / all.runs))
    #expect(heard.exponent < all.exponent)
  }

  @Test func `deviations and a wall's loss are learned`() throws {
    var random = RandomStream(SplitMix64(seed: 7))
    var (holds, deviations) = (0, [0.0, 0, 0, 0])
    for _ in 0..<20 {
      let site = Site(4, 3, 20, 15, wall: 6, &random)
      let found = try #require(LinkCalibration(site.links))
      if abs(found.wallLosses[0].mean - 6) < 1.96 * found.wallLosses[0].deviation { holds += 1 }
      let own = found.deviations
      for (index, value) in [own.shadowing, own.direction, own.power, own.offset].enumerated() {
        deviations[index] += value / 20
      }
    }
    #expect(holds >= 16)
    for (found, truth) in zip(deviations, [4, 1.5, 3, 2]) { #expect(abs(found / truth - 1) < 0.2) }
  }

  @Test func `a misplaced anchor is named, and few in their places are`() throws {
    var random = RandomStream(SplitMix64(seed: 11))
    var (false_, right) = (0, 0)
    for _ in 0..<40 {
      let site = Site(4, 3, 20, 15, &random)
      let calibration = try #require(LinkCalibration(site.links, deviations: .init()))
      if LinkPlaces(site.links, calibration).misplaced != nil { false_ += 1 }
      let moved = Site(4, 3, 20, 15, moved: 12, &random)
      let its = try #require(LinkCalibration(moved.links, deviations: .init()))
      if LinkPlaces(moved.links, its).misplaced == moved.wrong { right += 1 }
    }
    #expect(false_ <= 6)
    #expect(right >= 24)
  }

  @Test func `an anchor off by its detectable displacement is found in four of five sites`() throws
  {
    func places(_ site: Site) throws -> LinkPlaces {
      LinkPlaces(site.links, try #require(LinkCalibration(site.links, deviations: .init())))
    }
    var (found, sites) = (0, 0)
    for seed in 0..<40 {
      var random = RandomStream(SplitMix64(seed: UInt64(100 + seed)))
      let site = Site(4, 3, 20, 15, &random)
      guard let displacement = try places(site).anchors[site.wrong].detectable else { continue }
      // The same site, where the table of nodes is wrong.
      random = RandomStream(SplitMix64(seed: UInt64(100 + seed)))
      let moved = try places(Site(4, 3, 20, 15, moved: displacement, &random))
      sites += 1
      if moved.anchors[site.wrong].logRatio > moved.threshold { found += 1 }
    }
    #expect(sites > 20)
    #expect((0.62...0.95).contains(Double(found) / Double(sites)))
  }

  @Test func `two anchors have too few links`() {
    var random = RandomStream(SplitMix64(seed: 13))
    let site = Site(2, 1, 5, 5, &random)
    #expect(LinkCalibration(site.links) == nil)
  }
}
