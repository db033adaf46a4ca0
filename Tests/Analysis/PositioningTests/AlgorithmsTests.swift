import Geometry
import Positioning
import Support
import TestSupport
import Testing

struct AlgorithmsTests {
  @Test func `finds each algorithm under its own name, and no other`() throws {
    #expect(Set(Algorithms.names).count == Algorithms.names.count)
    for algorithm in Algorithms.all {
      #expect(try Algorithms.named(algorithm.name).name == algorithm.name)
    }
    #expect(throws: RSSIError.self) { try Algorithms.named("Power-Center") }
  }

  @Test(arguments: Algorithms.all.map(\.name))
  func `every algorithm refuses by name what is not a number`(name: String) throws {
    let algorithm = try Algorithms.named(name)
    let sound = [(0.0, 0.0), (10, 0), (4, 10)].map {
      Observation(
        anchor: Point(x: $0.0, y: $0.1), rssi: -75, measuredPower: -59, exponent: 2, sigma: 4)
    }
    var surroundings = Surroundings()
    surroundings.survey = (0..<4).map {
      SurveyPoint(
        place: Point(x: 5, y: Double($0)), levels: [Reading(time: 0, anchor: 0, rssi: -75)])
    }
    surroundings.radioMap = RadioMap(
      survey: surroundings.survey, anchors: [Anchor(sound[0])])
    try #require(surroundings.radioMap != nil)
    #expect(algorithm.locate(sound, in: surroundings).position != nil)
    let spoilers: [(inout Observation) -> Void] = [
      { $0.rssi = .nan }, { $0.rssi = -.infinity }, { $0.exponent = 0 }, { $0.exponent = -2 },
      { $0.sigma = 0 }, { $0.sigma = .nan }, { $0.anchor.x = .infinity },
      { $0.heightDifference = .nan }, { $0.measuredPower = .nan }, { $0.rssi = -1e9 },
    ]
    for spoil in spoilers {
      var spoilt = sound
      spoil(&spoilt[1])
      #expect(algorithm.locate(spoilt, in: surroundings).refusal == .invalidRange)
    }
    #expect(algorithm.locate([], in: surroundings).refusal == .tooFewAnchors)
  }

  @Test func `no level, constant or place, however wild, makes an answer that is not a number`() {
    var generator = SeededGenerator(seed: 19)
    let values: [Double] = [
      0, -0.0, 1, -1, 1e-300, 1e-9, 1e-3, 1e3, 1e6, 1e9, 1e15, 1e150, -1e150, 1e300, -1e300,
      .infinity,
      -.infinity, .nan, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -59, -75, -100, 127,
      -2000,
    ]
    var answered = 0
    for round in 0..<4000 {
      var scene = Scene.random(anchors: 4, noise: 4, using: &generator).observations
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: 0..<4, using: &generator)
        let value = values.randomElement(using: &generator)!
        switch Int.random(in: 0..<7, using: &generator) {
        case 0: scene[index].rssi = value
        case 1: scene[index].measuredPower = value
        case 2: scene[index].exponent = value
        case 3: scene[index].sigma = value
        case 4: scene[index].anchor.x = value
        case 5: scene[index].anchor.y = value
        default: scene[index].heightDifference = value
        }
      }
      // Those that search the whole site for one scan take a hundred times as long.
      for algorithm in Algorithms.all where algorithm is any EpochAlgorithm || round % 80 == 0 {
        guard let p = algorithm.locate(scene).position else { continue }
        answered += 1
        #expect(p.x.isFinite && p.y.isFinite, "\(algorithm.name): \(scene)")
      }
    }
    #expect(answered > 1000)
  }

  @Test func `names refusals as reports print them`() {
    #expect(
      Refusal.allCases.map(\.description) == [
        "too-few-anchors", "collinear-anchors", "coplanar-anchors", "coincident-anchors",
        "invalid-range", "no-common-point", "not-converged", "outside-domain", "no-survey",
        "wrong-dimensions", "unknown-places",
        "no-member-answered", "timed-out", "crashed", "invalid-answer", "declined",
      ])
  }
}

extension Anchor {
  fileprivate init(_ o: Observation) {
    self.init(
      place: o.anchor, measuredPower: o.measuredPower, exponent: o.exponent, sigma: o.sigma)
  }
}
