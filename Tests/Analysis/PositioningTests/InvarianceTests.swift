import Foundation
import Geometry
import Positioning
import TestSupport
import Testing

/// What no frame of reference may change: a site moved, turned, mirrored, enlarged or numbered
/// again has the same answers there.
struct InvarianceTests {
  /// How far an algorithm's answer follows the frame.
  struct Subject: CustomTestStringConvertible, Sendable {
    var algorithm: any EpochAlgorithm
    var dimensions: Surroundings.Dimensions = .plane
    /// Not of a box along the axes.
    var turns = true
    /// Not where a length is built in.
    var scales = true
    var testDescription: String { "\(algorithm.name) \(dimensions)" }
  }

  private static let subjects = [
    Subject(algorithm: NearestAnchor()), Subject(algorithm: Centroid()),
    Subject(algorithm: WeightedCentroid()), Subject(algorithm: MinMaxBox(), turns: false),
    Subject(algorithm: PowerCenter()), Subject(algorithm: PowerCenter(anchors: 5)),
    Subject(algorithm: SphereIntersection()), Subject(algorithm: EPTA(), scales: false),
    Subject(algorithm: WeightedOneCentre()), Subject(algorithm: WeightedOneCentre(anchors: .max)),
    Subject(algorithm: LinearLeastSquares()),
    Subject(algorithm: NearestAnchor(), dimensions: .space),
    Subject(algorithm: Centroid(), dimensions: .space),
    Subject(algorithm: WeightedCentroid(), dimensions: .space),
    Subject(algorithm: MinMaxBox(), dimensions: .space, turns: false),
    Subject(algorithm: PowerCenter(), dimensions: .space),
    Subject(algorithm: SphereIntersection(), dimensions: .space),
    Subject(algorithm: LinearLeastSquares(), dimensions: .space),
  ]

  /// A change of frame: a turn about the vertical, perhaps mirrored, then a scale, then a shift.
  private struct Frame {
    var angle = 0.0
    var isMirrored = false
    var scale = 1.0
    var shift = SpacePoint(x: 0, y: 0, z: 0)

    func place(_ p: SpacePoint) -> SpacePoint {
      let x = isMirrored ? -p.x : p.x
      let (c, s) = (cos(angle), sin(angle))
      return SpacePoint(
        x: scale * (c * x - s * p.y) + shift.x, y: scale * (s * x + c * p.y) + shift.y,
        z: scale * p.z + shift.z)
    }

    func observation(_ o: Observation) -> Observation {
      var moved = o
      let anchor = place(SpacePoint(o.anchor, z: o.heightDifference))
      (moved.anchor, moved.heightDifference) = (anchor.planar, anchor.z)
      moved.rssi -= 10 * o.exponent * log10(scale)
      return moved
    }
  }

  private func scene(_ subject: Subject, using generator: inout SeededGenerator) -> [Observation] {
    subject.dimensions == .plane
      ? Scene.random(anchors: 6, noise: 3, height: 0.5, using: &generator).observations
      : SpaceScene.random(anchors: 6, noise: 1, using: &generator).observations
  }

  private func expectSame(
    _ subject: Subject, _ observations: [Observation], in frame: Frame
  ) {
    var surroundings = Surroundings()
    surroundings.dimensions = subject.dimensions
    let here = subject.algorithm.locate(observations, in: surroundings)
    let there = subject.algorithm.locate(observations.map(frame.observation), in: surroundings)
    #expect(here.refusal == there.refusal)
    guard let a = here.estimate, let b = there.estimate else { return }
    let expected = frame.place(SpacePoint(a.position, z: a.height ?? 0))
    let place = SpacePoint(b.position, z: b.height ?? frame.shift.z)
    // An answer far outside is as sensitive as it is far.
    let reach = frame.scale * (20 + hypot(a.position.x, a.position.y))
    #expect(distance(place, expected) <= 1e-7 * reach * max(1, reach / (20 * frame.scale)))
    // Of a covariance the trace and the determinant do not turn.
    guard let c = here.covariance, let d = there.covariance else {
      #expect((here.covariance == nil) == (there.covariance == nil))
      return
    }
    let square = frame.scale * frame.scale
    #expect(isClose(d.xx + d.yy, square * (c.xx + c.yy), relative: 1e-5))
    #expect(
      isClose(
        d.xx * d.yy - d.xy * d.xy, square * square * (c.xx * c.yy - c.xy * c.xy), relative: 1e-3))
  }

  @Test(arguments: subjects)
  func `a site moved, in the plane and up`(subject: Subject) {
    var generator = SeededGenerator(seed: 70)
    for _ in 0..<60 {
      let observations = scene(subject, using: &generator)
      let z = subject.dimensions == .space ? 30.0 : 0
      expectSame(subject, observations, in: Frame(shift: SpacePoint(x: 300, y: -70, z: z)))
      // As coordinates of a map are.
      expectSame(subject, observations, in: Frame(shift: SpacePoint(x: 5e5, y: 5.5e6, z: z)))
    }
  }

  @Test(arguments: subjects)
  func `a site turned and mirrored`(subject: Subject) {
    var generator = SeededGenerator(seed: 71)
    for index in 0..<60 {
      let observations = scene(subject, using: &generator)
      let angle = subject.turns ? Double.random(in: 0..<6.28, using: &generator) : Double.pi / 2
      expectSame(subject, observations, in: Frame(angle: angle, isMirrored: index % 2 == 0))
    }
  }

  @Test(arguments: subjects.filter(\.scales))
  func `a site enlarged and shrunk`(subject: Subject) {
    var generator = SeededGenerator(seed: 72)
    for scale in [1e-3, 0.5, 100] {
      for _ in 0..<30 {
        let observations = scene(subject, using: &generator)
        expectSame(subject, observations, in: Frame(scale: scale))
      }
    }
  }

  @Test(arguments: subjects)
  func `anchors in another order`(subject: Subject) {
    var generator = SeededGenerator(seed: 73)
    var surroundings = Surroundings()
    surroundings.dimensions = subject.dimensions
    for _ in 0..<60 {
      let observations = scene(subject, using: &generator)
      let here = subject.algorithm.locate(observations, in: surroundings)
      let there = subject.algorithm.locate(
        observations.shuffled(using: &generator), in: surroundings)
      #expect(here.refusal == there.refusal)
      guard let p = here.position, let q = there.position else { continue }
      #expect(isClose(p, q, within: 1e-8 * max(1, hypot(p.x, p.y))))
    }
  }

  @Test func `a survey moved and reordered moves a fingerprint's answer`() throws {
    var generator = SeededGenerator(seed: 74)
    var (here, there) = (Surroundings(), Surroundings())
    let frame = Frame(angle: 1, isMirrored: true, scale: 3, shift: SpacePoint(x: 5, y: 9, z: 0))
    for _ in 0..<40 {
      let levels = (0..<4).map {
        Reading(time: 0, anchor: $0, rssi: Double.random(in: -90 ..< -50, using: &generator))
      }
      let place = Point(
        x: Double.random(in: 0..<20, using: &generator),
        y: Double.random(in: 0..<20, using: &generator))
      here.survey.append(SurveyPoint(place: place, levels: levels))
      there.survey.append(
        SurveyPoint(place: frame.place(SpacePoint(place, z: 0)).planar, levels: levels))
    }
    there.survey.shuffle(using: &generator)
    for _ in 0..<20 {
      var observations = Scene.random(anchors: 4, noise: 4, using: &generator).observations
      for index in observations.indices { observations[index].number = index }
      let p = try #require(Fingerprint().locate(observations, in: here).estimate)
      let q = try #require(Fingerprint().locate(observations, in: there).estimate)
      let expected = frame.place(SpacePoint(p.position, z: 0)).planar
      #expect(isClose(q.position, expected, within: 1e-9))
      let (c, d) = (
        try #require(p.uncertainty.covariance), try #require(q.uncertainty.covariance)
      )
      #expect(isClose(d.xx + d.yy, 9 * (c.xx + c.yy), relative: 1e-9))
    }
  }
}
