import Foundation
import Geometry
import Positioning
import TestSupport
import Testing

/// Closed forms that answer with a height.
struct SpaceTests {
  private static let linear: [any EpochAlgorithm] = [
    LinearLeastSquares(), PowerCenter(), PowerCenter(anchors: 6), PowerCenter(anchors: .max),
  ]

  @Test(arguments: linear)
  func `linear algorithms find the target from exact ranges`(algorithm: any EpochAlgorithm) throws {
    var generator = SeededGenerator(seed: 34)
    for count in 4...8 {
      for _ in 0..<50 {
        let scene = SpaceScene.random(anchors: count, using: &generator)
        let p = try algorithm.estimate(scene.observations, in: SpaceScene.surroundings)
        #expect(distance(try #require(p.spacePosition), scene.truth) < 1e-6)
      }
    }
  }

  @Test func `linear algorithms' covariance is the propagated variance of the levels`() throws {
    var generator = SeededGenerator(seed: 35)
    for _ in 0..<50 {
      let scene = SpaceScene.random(anchors: 6, noise: 2, using: &generator)
      for algorithm in [LinearLeastSquares(), PowerCenter()] as [any EpochAlgorithm] {
        let answer = try algorithm.estimate(scene.observations, in: SpaceScene.surroundings)
        let expected = try algorithm.propagatedCovariance(
          of: scene.observations, in: SpaceScene.surroundings)
        #expect(isClose(try #require(answer.uncertainty.covariance), expected, relative: 1e-4))
      }
    }
  }

  @Test func `linear algorithms agree with numpy.linalg.lstsq on the centred equations`() throws {
    var generator = SeededGenerator(seed: 36)
    let scenes = (0..<20).map { _ in SpaceScene.random(anchors: 6, noise: 4, using: &generator) }
    let rows = scenes.map { scene in
      scene.observations.flatMap { [$0.anchor.x, $0.anchor.y, $0.heightDifference, $0.slantRange] }
    }
    let answers = try reference(
      """
      for row in rows:
          a = row.reshape(-1, 4)
          A = 2 * a[:, :3]
          b = (a[:, :3] ** 2).sum(axis=1) - a[:, 3] ** 2
          answer(*np.linalg.lstsq(A - A.mean(axis=0), b - b.mean(), rcond=None)[0])
      """, rows)
    for (scene, expected) in zip(scenes, answers) {
      let answer = try LinearLeastSquares().estimate(
        scene.observations, in: SpaceScene.surroundings)
      let place = SpacePoint(x: expected[0], y: expected[1], z: expected[2])
      #expect(distance(try #require(answer.spacePosition), place) < 1e-7)
    }
  }

  @Test(arguments: linear)
  func `linear algorithms have a reason for a missing height`(algorithm: any EpochAlgorithm) {
    var generator = SeededGenerator(seed: 37)
    let ceiling = SpaceScene.random(anchors: 6, ceiling: 3, using: &generator).observations
    var line = ceiling
    for index in line.indices {
      line[index].anchor = Point(x: Double(index), y: 2 * Double(index))
      line[index].heightDifference = 3 * Double(index)
    }
    var pile = ceiling
    for index in pile.indices { pile[index].anchor = pile[0].anchor }
    func refusal(_ observations: [Observation]) -> Refusal? {
      algorithm.locate(observations, in: SpaceScene.surroundings).refusal
    }
    #expect(refusal(ceiling) == .coplanarAnchors)
    #expect(refusal(line) == .collinearAnchors)
    #expect(refusal(pile) == .coincidentAnchors)
    #expect(refusal(Array(ceiling.prefix(3))) == .tooFewAnchors)
  }

  @Test func `trilateration finds both places that explain the ranges`() throws {
    var generator = SeededGenerator(seed: 38)
    for _ in 0..<300 {
      let scene = SpaceScene.random(anchors: 3, ceiling: 4, using: &generator)
      let answer = try SphereIntersection().estimate(
        scene.observations, in: SpaceScene.surroundings)
      let place = try #require(answer.spacePosition)
      let other = try #require(answer.alternative)
      #expect(distance(place, scene.truth) < 1e-5)
      #expect(distance(other, SpacePoint(scene.truth.planar, z: 8 - scene.truth.z)) < 1e-5)
    }
  }

  @Test func `trilateration uses the bounds if these separate the two places`() throws {
    var generator = SeededGenerator(seed: 39)
    let scene = SpaceScene.random(anchors: 3, ceiling: 4, using: &generator)
    var surroundings = SpaceScene.surroundings
    surroundings.bounds = Bounds(
      minimum: Point(x: 0, y: 0), maximum: Point(x: 20, y: 20), heights: 4...10)
    let answer = try SphereIntersection().estimate(scene.observations, in: surroundings)
    let place = try #require(answer.spacePosition)
    #expect(distance(place, SpacePoint(scene.truth.planar, z: 8 - scene.truth.z)) < 1e-5)
  }

  @Test func `trilateration's covariance is the propagated variance of the levels`() throws {
    var generator = SeededGenerator(seed: 40)
    var (with, without) = (0, 0)
    for _ in 0..<200 {
      var scene = SpaceScene.random(anchors: 3, using: &generator)
      // Small errors, as first order supposes.
      for index in scene.observations.indices { scene.observations[index].sigma *= 0.01 }
      let answer = try SphereIntersection().estimate(
        scene.observations, in: SpaceScene.surroundings)
      guard let covariance = answer.uncertainty.covariance else {
        #expect(answer.uncertainty == .unavailable(.outsideDomain))
        without += 1
        continue
      }
      with += 1
      let expected = try SphereIntersection().propagatedCovariance(
        of: scene.observations, in: SpaceScene.surroundings)
      #expect(isClose(covariance, expected, relative: 1e-3))
    }
    #expect(with > 100 && without > 0)
  }

  @Test func `spheres that do not meet have the foot of their common points`() throws {
    let scene = [(0.0, 0.0), (10, 0), (0, 10)].map {
      Observation(
        anchor: Point(x: $0.0, y: $0.1), heightDifference: 3, rssi: -59, measuredPower: -59,
        exponent: 2, sigma: 4)
    }
    let answer = try SphereIntersection().estimate(scene, in: SpaceScene.surroundings)
    #expect(distance(try #require(answer.spacePosition), SpacePoint(x: 5, y: 5, z: 3)) < 1e-9)
    #expect(answer.uncertainty == .unavailable(.outsideDomain))
    #expect(answer.alternative == nil)
  }

  @Test
  func `no level, constant or place, however wild, makes an answer that is not a number`() throws {
    let names = [
      "nearest-anchor", "centroid", "weighted-centroid", "min-max", "power-center",
      "power-center:anchors=all", "sphere-intersection", "epta-one-centre",
      "epta-one-centre:anchors=all", "linear-least-squares",
      "combination:power-center=1,sphere-intersection=2",
      "inverse-covariance:of=power-center+linear-least-squares",
      "attract:of=linear-least-squares",
    ]
    let algorithms = try names.map { try Algorithms.named($0) }
    let values: [Double] = [
      0, 1, -1, 1e-300, 1e-9, 1e3, 1e9, 1e15, 1e150, -1e150, 1e300, .infinity, .nan, -59, -100,
      -200,
      .leastNonzeroMagnitude,
    ]
    var generator = SeededGenerator(seed: 46)
    var answered = 0
    for round in 0..<1500 {
      var scene = SpaceScene.random(anchors: 5, noise: 2, using: &generator).observations
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = scene.indices.randomElement(using: &generator)!
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
      var surroundings = round % 2 == 0 ? SpaceScene.surroundings : Surroundings()
      surroundings.spots = [Point(x: 5, y: 5)]
      for algorithm in algorithms {
        guard let answer = algorithm.locate(scene, in: surroundings).estimate else { continue }
        answered += 1
        var numbers = [answer.position.x, answer.position.y, answer.height ?? 0]
        if let c = answer.uncertainty.covariance {
          numbers += [
            c.xx, c.xy, c.yy, c.vertical?.xz ?? 0, c.vertical?.yz ?? 0, c.vertical?.zz ?? 0,
          ]
        }
        let isFinite = numbers.allSatisfy(\.isFinite)
        #expect(isFinite, "\(algorithm.name): \(answer) of \(scene)")
      }
    }
    #expect(answered > 3000)
  }
}
