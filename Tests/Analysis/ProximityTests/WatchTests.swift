import Foundation
import NumericalMethods
import PathLoss
import Proximity
import TestSupport
import Testing

struct WatchTests {
  private static let second: Int64 = 1_000_000_000

  /// Levels of -60 - 20 log10 d, known exactly.
  private static let model = DistanceModel(
    line: FittedLine(
      power: -60, exponent: 2, sigma: 4, powerVariance: 0, exponentVariance: 0, covariance: 0,
      quantile: 1.959963984540054), shadowing: 0)

  private func watch(
    _ regions: [Region] = [Region(name: "all")],
    _ change: (inout WatchSettings) -> Void = { _ in }
  ) -> Watch {
    var settings = WatchSettings()
    change(&settings)
    return Watch(regions: regions, settings: settings)
  }

  /// Ends the periods and takes a level, as a source does.
  private func take(
    _ watch: inout Watch, _ link: Int, _ seconds: Double, _ level: Double, variance: Double = .nan
  ) {
    let time = Int64(seconds * 1e9)
    while watch.endPeriod(by: time) != nil {}
    watch.take(link: link, time: time, level: level, variance: variance)
  }

  private func names(_ watch: inout Watch) -> [ProximityEvent.Kind] {
    defer { watch.events = [] }
    return watch.events.map(\.kind)
  }

  @Test func `comes and leaves once`() {
    var watch = watch()
    let link = watch.addLink(model: Self.model, range: nil, regions: [0], receiver: 0)
    for tenth in 0..<50 { take(&watch, link, Double(tenth) / 10, -66) }
    #expect(names(&watch) == [.regionEnter, .enter])
    var ends: [Int64] = []
    while let end = watch.endPeriod(by: 40 * Self.second) {
      if !watch.events.isEmpty { ends.append(end) }
      if ends.count == 1, !watch.events.isEmpty {
        #expect(watch.events.allSatisfy { $0.distance == nil && $0.zone == .unknown })
        #expect(names(&watch) == [.exit(.unheard), .regionExit])
      }
    }
    // Heard last at 4.9 s: the first whole second 30 s later.
    #expect(ends == [35 * Self.second])
    take(&watch, link, 60, -66)
    #expect(names(&watch) == [.regionEnter, .enter])
  }

  @Test func `the last to leave empties a region`() {
    var watch = watch()
    let links = (0..<2).map { _ in
      watch.addLink(model: nil, range: nil, regions: [0], receiver: 0)
    }
    take(&watch, links[0], 0, -60)
    take(&watch, links[1], 10, -60)
    #expect(names(&watch) == [.regionEnter, .enter, .enter])
    while watch.endPeriod(by: 35 * Self.second) != nil {}
    #expect(names(&watch) == [.exit(.unheard)])
    watch.finish()
    #expect(names(&watch) == [.exit(.end), .regionExit])
  }

  /// Regions are entered at each receiver by itself.
  @Test func `receivers are apart`() {
    var watch = watch()
    let links = (0..<2).map {
      watch.addLink(model: nil, range: nil, regions: [0], receiver: $0)
    }
    for link in links { take(&watch, link, 0, -60) }
    #expect(names(&watch) == [.regionEnter, .enter, .regionEnter, .enter])
  }

  @Test func `counts only the zones asked for`() {
    let region = Region(name: "close", zones: ZoneSet([.immediate, .near]))
    var watch = watch([region])
    let link = watch.addLink(model: Self.model, range: nil, regions: [0], receiver: 0)
    take(&watch, link, 0, -80)
    #expect(names(&watch) == [])
    #expect(watch.rangings(at: Self.second) == [])
    take(&watch, link, 0.1, -60)
    #expect(names(&watch) == [.regionEnter, .enter])
    take(&watch, link, 0.2, -45)
    #expect(names(&watch) == [.zone(from: .near)])
    take(&watch, link, 0.3, -85)
    #expect(names(&watch) == [.exit(.zone), .regionExit, .zone(from: .immediate)])
  }

  /// 3 m is at -69.54 dBm.
  @Test func `a zone changes only well beyond its border`() {
    var watch = watch { $0.exitAfter = .seconds(2_000_000_000) }
    let link = watch.addLink(model: Self.model, range: nil, regions: [0], receiver: 0)
    var time = 0.0
    take(&watch, link, time, -69)
    _ = names(&watch)
    func expect(_ level: Double, variance: Double = 1, _ zone: Zone) {
      // An hour later, nothing is recent.
      time += 3600
      take(&watch, link, time, level, variance: variance)
      #expect(watch.ranged(link: link, at: Int64(time) * Self.second).zone == zone)
    }
    // 2.58 deviations of 1 dB.
    expect(-72.0, .near)
    expect(-72.2, .far)
    expect(-67.0, .far)
    expect(-66.9, .near)
    // A level that is not known well has to be beyond by more, but not by more than 2.5 times the
    // distance makes, 7.96 dB; one known well by 2 dB at least.
    expect(-77.4, variance: 16, .near)
    expect(-77.6, variance: 16, .far)
    expect(-67.6, variance: 0.01, .far)
    expect(-67.4, variance: 0.01, .near)
  }

  /// 2 dB are 6 dB after a change, 10 dB at most after several, and 2 dB again in the end.
  @Test func `a zone that changed changes less easily`() {
    var watch = watch { $0.exitAfter = .seconds(2_000_000_000) }
    let link = watch.addLink(model: Self.model, range: nil, regions: [0], receiver: 0)
    for (time, level, zone) in [
      (0.0, -69, Zone.near), (1, -71.6, .far), (2, -64, .far), (3, -63.5, .near),
      (4, -79.4, .near), (5, -79.6, .far), (6, -59.6, .far), (7, -59.5, .near),
      (7200, -71.6, .far),
    ] {
      take(&watch, link, time, level, variance: 0.01)
      #expect(watch.ranged(link: link, at: Int64(time) * Self.second).zone == zone, "\(time) s")
    }
  }

  /// A beacon on a border for an hour, its level as noisy as its filter claims.
  @Test func `does not flap`() {
    var generator = SeededGenerator(seed: 1)
    var changes: [Double: Int] = [:]
    for hysteresis in [0.0, 2] {
      var watch = watch {
        ($0.hysteresis, $0.deviations) = (hysteresis, hysteresis == 0 ? 0 : 2.58)
      }
      let link = watch.addLink(model: Self.model, range: nil, regions: [0], receiver: 0)
      for second in 0..<3600 {
        take(&watch, link, Double(second), -69.54 + generator.gaussian(), variance: 1)
      }
      changes[hysteresis] = watch.events.count { if case .zone = $0.kind { true } else { false } }
    }
    // Without a margin half of the seconds; with one, the level has to be beyond it by 7.7 dB soon.
    #expect(changes[0]! > 1000)
    #expect(changes[2]! <= 6)
  }

  @Test func `reports the range once`() {
    var watch = watch()
    let link = watch.addLink(model: Self.model, range: 2, regions: [0], receiver: 0)
    // 2 m is at -66.02 dBm: 2.58 dB above reach it, and three times as much below leave it.
    for level in [-70.0, -66, -65, -64, -63, -64, -66, -70, -73, -74, -76] {
      take(&watch, link, 0, level)
    }
    let events = names(&watch).filter { $0 == .rangeReached || $0 == .rangeLeft }
    #expect(events == [.rangeReached, .rangeLeft])
  }

  @Test func `without a model there is no distance`() {
    var watch = watch()
    let link = watch.addLink(model: nil, range: 2, regions: [0], receiver: 0)
    take(&watch, link, 0, -30)
    take(&watch, link, 1, -90)
    #expect(watch.events.map(\.kind) == [.regionEnter, .enter])
    #expect(watch.events.allSatisfy { $0.distance == nil && $0.zone == .unknown })
    let ranged = watch.rangings(at: Self.second)[0].beacons[0]
    #expect(ranged.distance == nil && ranged.zone == .unknown && ranged.level == -90)
  }

  @Test func `a stale beacon has no distance`() {
    var watch = watch()
    let link = watch.addLink(model: Self.model, range: nil, regions: [0], receiver: 0)
    take(&watch, link, 0, -60)
    #expect(watch.ranged(link: link, at: 9 * Self.second).distance?.distance == 1)
    #expect(watch.ranged(link: link, at: 10 * Self.second).distance == nil)
  }

  @Test func `ranks by distance with the unknown last`() {
    var watch = watch()
    let models = [Self.model, nil, Self.model, nil]
    for (index, level) in [-80.0, -50, -60, -40].enumerated() {
      _ = watch.addLink(model: models[index], range: nil, regions: [0], receiver: 0)
      take(&watch, index, 0, level)
    }
    #expect(watch.rangings(at: 0)[0].beacons.map(\.link) == [2, 0, 3, 1])
  }

  /// The interval has a closed form where the curve is known: 1.96 sd / (10 n) decades.
  @Test(arguments: [(4.0, 0.0), (1, 5), (0.25, 6)])
  func `distance intervals`(variance: Double, shadowing: Double) throws {
    var model = Self.model
    model.shadowing = shadowing
    let estimate = try #require(model.distance(atLevel: -74, variance: variance))
    let interval = try #require(estimate.interval)
    let decades = 1.959963984540054 * (variance + shadowing * shadowing).squareRoot() / 20
    #expect(abs(estimate.distance - pow(10, 0.7)) < 1e-12)
    #expect(abs(interval.upper / estimate.distance / pow(10, decades) - 1) < 1e-9)
    #expect(abs(interval.lower / estimate.distance / pow(10, -decades) - 1) < 1e-9)
  }

  /// A clock that is set back, and a gap of a year, cost neither time nor events.
  @Test func `clocks that are set`() {
    var watch = watch()
    let link = watch.addLink(model: Self.model, range: nil, regions: [0], receiver: 0)
    take(&watch, link, 1e6, -60)
    take(&watch, link, 1e3, -60)
    take(&watch, link, 1e3 + 1, -60)
    #expect(names(&watch) == [.regionEnter, .enter])
    take(&watch, link, 4e7, -60)
    #expect(names(&watch) == [.exit(.unheard), .regionExit, .regionEnter, .enter])
    for time in [Int64.max, .min, 0, .max - 1, .min + 1] {
      while watch.endPeriod(by: time) != nil {}
      watch.take(link: link, time: time, level: -60, variance: 1)
      _ = watch.rangings(at: time)
    }
  }

  /// Every beacon that enters a region leaves it, whatever the levels and the silences.
  @Test func `enters and exits alternate`() {
    var generator = SeededGenerator(seed: 5)
    let regions = [
      Region(name: "all"),
      Region(name: "near", zones: ZoneSet([.near])),
    ]
    for _ in 0..<20 {
      var watch = watch(regions)
      let links = (0..<5).map { _ in
        watch.addLink(model: Self.model, range: 1, regions: [0, 1], receiver: 0)
      }
      var time = 0.0
      for _ in 0..<500 {
        time += Double.random(in: 0..<1, using: &generator) < 0.02 ? 40 : 0.3
        take(
          &watch, links.randomElement(using: &generator)!, time,
          Double.random(in: -90 ... -45, using: &generator), variance: 2)
      }
      watch.finish()
      var isIn: [[Int]: Bool] = [:]
      var occupancy = [0, 0]
      for event in watch.events {
        let key = [event.link, event.region ?? -1]
        switch event.kind {
        case .enter:
          #expect(isIn[key] != true)
          isIn[key] = true
          occupancy[event.region!] += 1
        case .exit:
          #expect(isIn[key] == true)
          isIn[key] = false
          occupancy[event.region!] -= 1
        case .regionEnter, .regionExit: #expect(occupancy[event.region!] == 0)
        case .zone(let before): #expect(before != event.zone)
        case .levelChange: Issue.record("nothing was said of a change")
        case .rangeReached:
          #expect(isIn[key] != true)
          isIn[key] = true
        case .rangeLeft:
          #expect(isIn[key] == true)
          isIn[key] = false
        }
      }
      #expect(!isIn.values.contains(true))
    }
  }
}
