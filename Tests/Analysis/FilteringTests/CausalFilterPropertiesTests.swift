import Filtering
import TestSupport
import Testing

/// Properties of every filter without delay.
struct CausalFilterPropertiesTests {
  private static let second: Int64 = 1_000_000_000

  /// A filter, and how long it remembers, where it forgets altogether.
  struct Candidate: CustomTestStringConvertible, Sendable {
    let name: String
    var memory: Int64?
    /// A Boolean value that is true if its output is between the levels it remembers.
    var isBetween = true
    let make: @Sendable () -> any LevelFilter
    var testDescription: String { name }

    func said(_ heard: IrregularLevels) -> [FilteredLevel] { heard.said(by: Erased(make())) }
  }

  private struct Erased: LevelFilter {
    var filter: any LevelFilter
    init(_ filter: any LevelFilter) { self.filter = filter }
    mutating func update(time: Int64, rssi: Double, channel: UInt8) -> FilteredLevel {
      filter.update(time: time, rssi: rssi, channel: channel)
    }
  }

  static let all: [Candidate] = {
    let window = 2 * second
    return [
      Candidate(name: "mean", memory: window) { MeanFilter(window: .nanoseconds(window)) },
      Candidate(name: "median", memory: window) { MedianFilter(window: .nanoseconds(window)) },
      Candidate(name: "trimmed-mean", memory: window) {
        TrimmedMeanFilter(window: .nanoseconds(window), trim: 0.1)
      },
      Candidate(name: "channel-mean", memory: window) {
        ChannelMeanFilter(window: .nanoseconds(window))
      },
      Candidate(name: "hampel", memory: window) {
        HampelFilter(window: .nanoseconds(window), k: 3, floor: 1)
      },
      Candidate(name: "ewma") { EWMAFilter(tau: .nanoseconds(window)) },
      Candidate(name: "one-euro") { OneEuroFilter(fmin: 0.1, beta: 0.01, dcutoff: 1) },
      Candidate(name: "local-polynomial 0", memory: window) {
        LocalPolynomialFilter(window: .nanoseconds(window), degree: 0)
      },
      Candidate(name: "local-polynomial 2", memory: window, isBetween: false) {
        LocalPolynomialFilter(window: .nanoseconds(window), degree: 2)
      },
      Candidate(name: "peer-altbeacon-arma") { PeerAltBeaconARMA() },
      Candidate(name: "peer-altbeacon-mean", memory: 10 * window) { PeerAltBeaconMean() },
      Candidate(name: "peer-kalmanjs") { PeerKalmanJS() },
      Candidate(name: "peer-moving-mean", memory: window / 2) { PeerMovingMean() },
    ]
  }()

  @Test(arguments: all)
  func `stays between the levels it remembers, within rounding`(_ candidate: Candidate) {
    for seed in UInt64(1)...5 {
      let heard = IrregularLevels(400, window: 2 * Self.second, seed: seed)
      for (k, said) in candidate.said(heard).enumerated() {
        var inside = heard.levels[...k]
        if let memory = candidate.memory {
          inside = inside[heard.times[...k].firstIndex { $0 > heard.times[k] - memory }!...]
        }
        #expect(said.rssi.isFinite)
        guard candidate.isBetween else { continue }
        #expect(said.rssi >= inside.min()! - 1e-11 && said.rssi <= inside.max()! + 1e-11)
      }
    }
  }

  @Test(arguments: all)
  func `returns the level of constant levels`(_ candidate: Candidate) {
    var heard = IrregularLevels(200, window: 2 * Self.second, seed: 1)
    heard.levels = heard.levels.map { _ in -61 }
    for said in candidate.said(heard) { #expect(isClose(said.rssi, -61, relative: 1e-13)) }
  }

  @Test(arguments: all)
  func `knows no origin of time`(_ candidate: Candidate) {
    let heard = IrregularLevels(300, window: 2 * Self.second, seed: 2)
    let expected = candidate.said(heard).map(\.rssi)
    for shift in [-1_700_000_000 * Self.second, -1, 1, 1_700_000_000 * Self.second, .min] {
      var shifted = heard
      shifted.times = heard.times.map { $0 + shift }
      #expect(candidate.said(shifted).map(\.rssi) == expected)
    }
  }

  @Test(arguments: all)
  func `a level of 12 dB less at each sighting gives 12 dB less`(_ candidate: Candidate) {
    let heard = IrregularLevels(300, window: 2 * Self.second, seed: 3)
    var shifted = heard
    shifted.levels = heard.levels.map { $0 - 12 }
    for (a, b) in zip(candidate.said(heard), candidate.said(shifted)) {
      #expect(isClose(a.rssi - 12, b.rssi, absolute: 1e-9))
      #expect(a.variance.isNaN == b.variance.isNaN)
      if !a.variance.isNaN { #expect(isClose(a.variance, b.variance, relative: 1e-9)) }
    }
  }

  @Test(arguments: all)
  func `after a silence as long as its memory it is as new`(_ candidate: Candidate) {
    guard let memory = candidate.memory else { return }
    let heard = IrregularLevels(300, window: 2 * Self.second, seed: 4)
    var later = IrregularLevels(300, window: 2 * Self.second, seed: 5)
    let expected = candidate.said(later)
    var joined = heard
    later.times = later.times.map { $0 - later.times[0] + heard.times.last! + memory }
    joined.times += later.times
    joined.levels += later.levels
    joined.channels += later.channels
    for (a, b) in zip(candidate.said(joined).suffix(300), expected) {
      #expect(a.rssi == b.rssi)
      #expect(a.variance == b.variance || a.variance.isNaN && b.variance.isNaN)
    }
  }

  @Test(arguments: all)
  func `takes any finite level at any time`(_ candidate: Candidate) {
    var generator = SeededGenerator(seed: 6)
    let times: [Int64] = [
      .min, .min, .min + 1, -1, -1, 0, 1, 2 * Self.second, .max - 1, .max, .max,
    ]
    for _ in 0..<50 {
      var filter = candidate.make()
      for time in times {
        let magnitude = Double.random(in: -100...100, using: &generator)
        var level = Double.random(in: -10...10, using: &generator)
        for _ in 0..<Int(abs(magnitude)) { level *= magnitude < 0 ? 0.1 : 10 }
        let said = filter.update(time: time, rssi: level, channel: UInt8(36 + generator.next() % 4))
        #expect(said.rssi.isFinite)
        #expect(said.variance.isNaN || said.variance > 0)
      }
    }
  }
}
