import Positioning
import Testing

struct AlgorithmsTests {
  @Test("finds each algorithm under its own name, and no other")
  func names() {
    #expect(Set(Algorithms.names).count == Algorithms.all.count)
    for algorithm in Algorithms.all {
      #expect(Algorithms.named(algorithm.name)?.name == algorithm.name)
    }
    #expect(Algorithms.named("Power-Center") == nil)
  }

  @Test("every algorithm refuses by name what is not a number", arguments: Algorithms.names)
  func invalid(name: String) throws {
    let algorithm = try #require(Algorithms.named(name))
    let sound = [(0.0, 0.0), (10, 0), (0, 10)].map {
      Observation(
        anchor: Point(x: $0.0, y: $0.1), rssi: -75, measuredPower: -59, exponent: 2, sigma: 4)
    }
    #expect(algorithm.locate(sound).position != nil)
    let spoilers: [(inout Observation) -> Void] = [
      { $0.rssi = .nan }, { $0.rssi = -.infinity }, { $0.exponent = 0 }, { $0.exponent = -2 },
      { $0.sigma = 0 }, { $0.sigma = .nan }, { $0.anchor.x = .infinity },
      { $0.heightDifference = .nan }, { $0.measuredPower = .nan }, { $0.rssi = -1e9 },
    ]
    for spoil in spoilers {
      var spoilt = sound
      spoil(&spoilt[1])
      #expect(algorithm.locate(spoilt).refusal == .invalidRange)
    }
    #expect(algorithm.locate([]).refusal == .tooFewAnchors)
  }

  @Test("names refusals as reports print them")
  func refusals() {
    #expect(Refusal.allCases.map(\.description) == [
      "too-few-anchors", "collinear-anchors", "coincident-anchors", "invalid-range",
      "no-common-point", "outside-domain", "not-converged",
    ])
  }
}
