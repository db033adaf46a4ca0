import Geometry
import NumericalMethods
import RealModule
import TestSupport
import Testing

@testable import Simulation

struct RicianLinkTests {
  private let beacon = SimulatedBeacon(
    index: 0, position: Point(x: 0, y: 0), height: 1, measuredPower: -59)

  private func link(
    _ scenario: Scenario, _ trace: Int = 0, maps: [ShadowingMap]? = nil
  ) -> RicianLink {
    RicianLink(
      beacon, in: scenario,
      streams: LinkStreams(seed: scenario.seed, purpose: .link, trace: trace, beacon: 0),
      maps: maps.map { [$0] }
    )
  }

  /// A radio without anything random in its levels, that loses nothing.
  private func silent() -> Scenario {
    var scenario = Scenario(seed: 4)
    scenario.propagation.shadowingDeviation = 0
    scenario.propagation.commonDeviation = 0
    scenario.propagation.channelDeviation = 0
    scenario.propagation.fadingDeviation = 0
    scenario.propagation.kFactor = 100
    scenario.propagation.kFactorDeviation = 0
    scenario.propagation.noiseDeviation = 0
    scenario.reception.lossProbability = 0
    scenario.reception.sensitivity = -200
    return scenario
  }

  private func hear(_ link: inout RicianLink, _ placement: Placement, _ event: Int = 0)
    -> SimulatedSighting?
  {
    link.advertise(at: placement, channel: 37 + UInt8(event % 3), time: link.nextEvent, trace: 0)
  }

  /// The share received is (1 - loss) / (1 + exp(-(level - sensitivity) / scale)).
  @Test(arguments: [-96, -91, -88, -86.5, -80, -60.0], [0, 0.4])
  func `reception is logistic`(_ level: Double, _ loss: Double) {
    var scenario = silent()
    scenario.reception.sensitivity = -88
    scenario.reception.lossProbability = loss
    var link = link(scenario)
    let placement = Placement(distance: Double.pow(10, (-59 - level) / 20), walked: 0)
    let heard = (0..<20_000).filter { hear(&link, placement, $0) != nil }.count
    #expect(isShare(heard, of: 20_000, (1 - loss) / (1 + Double.exp((-88 - level) / 2.5))))
  }

  /// At the edge the stronger packets are received: those of a mean level of -88 dBm with noise of
  /// 4 dB lie above it by E[g L(g)] / E[L(g)], integrated by the trapezium rule.
  @Test func `the edge selects strong packets`() {
    var scenario = silent()
    scenario.reception.sensitivity = -88
    scenario.propagation.noiseDeviation = 4
    var link = link(scenario)
    let placement = Placement(distance: Double.pow(10, 29.0 / 20), walked: 0)
    let heard = (0..<40_000).compactMap { hear(&link, placement, $0) }
    let excess = Moments(heard.map { Double($0.rssi) - $0.meanRSSI })
    var (share, sum) = (0.0, 0.0)
    for g in stride(from: -24, through: 24, by: 0.01) {
      let weight = Double.exp(-g * g / 32) / (1 + Double.exp(-g / 2.5))
      share += weight
      sum += g * weight
    }
    #expect(isShare(heard.count, of: 40_000, 0.5))
    #expect(excess.hasMean(sum / share, deviation: excess.deviation))
  }

  /// Nothing in front of the person, all of the loss behind, half of it to the side and without a
  /// person none.
  @Test(arguments: [(1, 0.0), (0, 4), (-1, 8), (nil, 0)] as [(Double?, Double)])
  func `the body weakens what is behind`(_ facing: Double?, _ loss: Double) {
    var scenario = silent()
    scenario.propagation.bodyLoss = 8
    var link = link(scenario)
    let heard = hear(&link, Placement(distance: 1, walked: 0, facing: facing))
    #expect(heard?.meanRSSI == -59 - loss)
  }

  /// Offsets of channels have their deviation over beacons and links, and no sum.
  @Test func `channels differ about their mean`() throws {
    var scenario = silent()
    scenario.propagation.measuredPower = -59
    scenario.propagation.channelDeviation = 3
    scenario.propagation.fadingDeviation = 4
    var (first, products, sums): ([Double], [Double], [Double]) = ([], [], [])
    for seed in 0..<4_000 {
      scenario.seed = UInt64(seed)
      var link = link(scenario)
      let levels = try (0..<3).map { channel in
        let heard = hear(&link, Placement(distance: 1, walked: 0), channel)
        return Double(try #require(heard).rssi) + 59
      }
      first.append(levels[0])
      products.append(levels[1] * levels[2])
      sums.append(levels.reduce(0, +))
    }
    let variance = 3.0 * 3 + 4 * 4
    #expect(Moments(first).hasMean(0, deviation: variance.squareRoot()))
    #expect(Moments(first).hasGaussianVariance(variance + 1.0 / 12))
    #expect(Moments(products).hasMean(-variance / 2, deviation: variance * 1.25.squareRoot()))
    // Only rounding is left of the sum.
    #expect(sums.allSatisfy { abs($0) <= 1.5 })
  }

  /// Two walks have the persistent share of the shadowing in common, two beacons what is common to
  /// all.
  @Test func `shadowing persists`() {
    var scenario = silent()
    scenario.propagation.shadowingDeviation = 4
    scenario.propagation.shadowingPersistence = 0.6
    let count = 8_000
    var (squares, again, across): ([Double], [Double], [Double]) = ([], [], [])
    for world in 0..<count {
      scenario.seed = UInt64(world)
      func map(_ purpose: StreamPurpose, _ beacon: Int, _ deviation: Double) -> ShadowingMap {
        ShadowingMap(
          deviation: deviation, distance: 2,
          from: RandomStream(seed: scenario.seed, for: purpose, beacon))
      }
      let common = map(.common, 0, 1)
      let deviation = 4 * 0.6.squareRoot()
      let place = Placement(distance: 1, walked: 0, place: Point(x: 3, y: 5))
      func level(_ trace: Int, _ beacon: Int) -> Double {
        var link = link(scenario, trace, maps: [map(.map, beacon, deviation), common])
        return hear(&link, place)!.meanRSSI + 59
      }
      let (one, two, other) = (level(0, 0), level(1, 0), level(2, 1))
      squares.append(one)
      again.append(one * two)
      across.append(one * other)
    }
    #expect(Moments(squares).hasMean(0, deviation: 17.0.squareRoot()))
    #expect(Moments(squares).hasGaussianVariance(17))
    let persistent = 16 * 0.6 + 1
    #expect(
      Moments(again).hasMean(
        persistent, deviation: (17 * 17 + persistent * persistent).squareRoot()))
    #expect(Moments(across).hasMean(1, deviation: 290.0.squareRoot()))
  }

  /// Without a place the shadowing stays, however far the beacon is carried.
  @Test func `shadowing stays without a place`() {
    var scenario = silent()
    scenario.propagation.shadowingDeviation = 4
    var link = link(scenario)
    let levels = (0..<5).map {
      hear(&link, Placement(distance: 1, walked: Double($0)))!.meanRSSI
    }
    #expect(Set(levels).count == 1)
  }

  static let changes: [@Sendable (inout Scenario) -> Void] = [
    { $0.reception.sensitivity = -75 }, { $0.propagation.kFactor = 0 },
    { $0.propagation.noiseDeviation = 3 }, { $0.propagation.fadingDeviation = 0 },
  ]

  /// Another edge, fading or noise leaves the mean levels and the events as they were.
  @Test(arguments: changes.indices)
  func `purposes have streams of their own`(_ index: Int) {
    var other = Scenario(seed: 3)
    other.reception.lossProbability = 0
    let scenario = other
    Self.changes[index](&other)
    var (a, b) = (link(scenario), link(other))
    var both = 0
    for event in 0..<200 {
      let placement = Placement(distance: 2, walked: 0.1 * Double(event))
      #expect(a.nextEvent == b.nextEvent)
      let (first, second) = (hear(&a, placement, event), hear(&b, placement, event))
      if let first, let second {
        #expect(first.meanRSSI == second.meanRSSI)
        both += 1
      }
    }
    #expect(both > 5)
  }
}

struct ShadowingMapTests {
  /// E[x(p) x(q)] = σ² exp(-|p - q| / d); the product's standard deviation is σ² √(1 + ρ²).
  @Test(arguments: [0, 0.5, 2, 6.0])
  func `covariance falls exponentially`(_ distance: Double) {
    var levels: [Double] = []
    let products = (0..<20_000).map { seed in
      let map = ShadowingMap(
        deviation: 4, distance: 2, from: RandomStream(seed: UInt64(seed), for: .map))
      let level = map.level(at: Point(x: 3, y: 1))
      levels.append(level)
      return level * map.level(at: Point(x: 3 + 0.6 * distance, y: 1 - 0.8 * distance))
    }
    let rho = Double.exp(-distance / 2)
    #expect(Moments(products).hasMean(16 * rho, deviation: 16 * (1 + rho * rho).squareRoot()))
    #expect(Moments(levels).hasMean(0, deviation: 4))
    #expect(Moments(levels).hasGaussianVariance(16))
  }
}

struct EventScheduleTests {
  /// The next event is the earliest, and of equal ones that of the lowest index.
  @Test(arguments: [1, 2, 3, 8, 100])
  func `gives events in order`(_ count: Int) throws {
    var stream = RandomStream(seed: 5, for: .events, count)
    var times = (0..<count).map { _ in Int64(stream.uniform() * 20) }
    var queue = EventSchedule(times)
    for _ in 0..<2_000 {
      let next = try #require(queue.first)
      let expected = try #require(times.indices.min { times[$0] < times[$1] })
      #expect(next.index == expected && next.time == times[expected])
      times[expected] += Int64(stream.uniform() * 20)
      queue.postpone(to: times[expected])
    }
  }

  @Test func `is empty without links`() {
    #expect(EventSchedule([]).first == nil)
  }
}
