import Foundation
import TestSupport
import Testing

@testable import Positioning

struct ReceptionLearningTests {
  /// Windows of a second of an anchor whose mean level wanders between two levels as a Poisson
  /// process of packets of 3 dB, of which those below -90 dBm are lost.
  private static func windows(
    _ count: Int, rate: Double, from low: Double, to high: Double, pausing: Bool = false,
    using generator: inout SeededGenerator
  ) -> [ReceptionWindow] {
    (0..<count).map { index in
      let mean = low + (high - low) * (0.5 + 0.5 * sin(Double(index) / 30))
      var levels: [Double] = []
      var time = 0.0
      while true {
        time -= log(Double.random(in: 0.0.nextUp..<1, using: &generator)) / rate
        guard time < 1 else { break }
        let level = mean + 3 * generator.gaussian()
        if level >= -90, !(pausing && index % 4 == 0) { levels.append(level.rounded()) }
      }
      return ReceptionWindow(seconds: 1, levels: levels)
    }
  }

  @Test func `finds the rate and the sensitivity that packets were lost with`() throws {
    var generator = SeededGenerator(seed: 31)
    let learned = Anchor.Reception.learned(from: [
      Self.windows(600, rate: 2, from: -80, to: -50, using: &generator),
      Self.windows(3000, rate: 1, from: -98, to: -60, using: &generator),
      Self.windows(600, rate: 3, from: -100, to: -87, using: &generator),
    ])
    let near = try #require(learned[0])
    let wide = try #require(learned[1])
    #expect(abs(near.rate - 2) < 0.35 && abs(wide.rate - 1) < 0.2)
    #expect(near.sensitivity == wide.sensitivity && abs(near.sensitivity - -90) <= 1.5)
    // Never received well: its rate is unknown.
    #expect(learned[2] == nil)
  }

  @Test func `pauses of the receiver make silence less informative`() throws {
    var generator = SeededGenerator(seed: 32)
    let learned = Anchor.Reception.learned(from: [
      Self.windows(800, rate: 8, from: -78, to: -55, pausing: true, using: &generator),
      Self.windows(800, rate: 8, from: -102, to: -84, using: &generator),
    ])
    // Half the windows between two heard ones are silent: exp(-rate) = 1/2, though packets are
    // many.
    #expect(abs(try #require(learned[0]).rate - log(2)) < 0.1)
  }

  @Test func `nothing is learned without lost packets, or from few packets`() {
    var generator = SeededGenerator(seed: 33)
    let strong = [
      Self.windows(400, rate: 4, from: -65, to: -50, using: &generator),
      Self.windows(400, rate: 4, from: -70, to: -50, using: &generator),
    ]
    #expect(Anchor.Reception.learned(from: strong) == [nil, nil])
    let short = strong.map { Array($0.prefix(10)) }
    #expect(Anchor.Reception.learned(from: short) == [nil, nil])
    #expect(Anchor.Reception.learned(from: []) == [])
  }
}
