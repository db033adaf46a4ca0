import Evaluation
import Geometry
import PathLoss
import Positioning
import Sightings
import Sites
import Support
import TestSupport
import Testing

@testable import TracePipelines

@Suite struct SiteKnowledgeTests {
  private let anchors = SiteAnchors(
    beacons: [
      anchorNode("a", x: 0, y: 0, z: 3), anchorNode("b", x: 4, y: 0),
      anchorNode("c", x: 0, y: 4, z: 2),
    ],
    receivers: [anchorNode("r", x: 1, y: 1)])

  private func knowledge(
    _ plan: SitePlan = SitePlan(nil), survey: [SurveyTrack] = []
  ) throws -> SiteKnowledge {
    SiteKnowledge(
      plan, anchors: anchors,
      constants: try LinkConstants(
        calibration([fittedGroup("pooled", power: -60)]), of: "c.json"), survey: survey)
  }

  @Test func `in the plane heights count from the anchors' median, in space from zero`() throws {
    let plane = try knowledge().surroundings(of: "phone", .receiver, in: "t", height: 1)
    #expect(plane.anchors.map(\.heightDifference) == [2, 0, 1])
    let unknown = try knowledge().surroundings(of: "phone", .receiver, in: "t", height: nil)
    #expect(unknown.anchors.map(\.heightDifference) == [0.5, 0, -0.5])
    let space = try knowledge(SitePlan(nil, dimensions: .space))
      .surroundings(of: "phone", .receiver, in: "t", height: 1)
    #expect(space.anchors.map(\.heightDifference) == [3, 0, 2])
  }

  @Test
  func `anchors of one fit share what it does not know, those of their own fits do not`() throws {
    var fit = fittedGroup("pooled", power: -60)
    (fit.powerError, fit.exponentError, fit.powerExponentCovariance) = (2, 0.5, 0.4)
    var own = fittedGroup("a", power: -60)
    (own.beacon, own.powerError, own.exponentError, own.powerExponentCovariance) = ("a", 1, 0.5, 0)
    func known(_ groups: [PathLossGroup]) throws -> CurveError? {
      try SiteKnowledge(
        SitePlan(nil), anchors: anchors,
        constants: LinkConstants(calibration(groups), of: "c.json")
      ).surroundings(of: "phone", .receiver, in: "t", height: 1).curveError
    }
    #expect(
      try known([fit])
        == CurveError(powerVariance: 4, exponentVariance: 0.25, covariance: 0.4))
    #expect(try known([fit, own]) == nil)
    #expect(
      try knowledge().surroundings(of: "phone", .receiver, in: "t", height: 1).curveError == nil)
  }

  @Test func `only epochs that may be learned from are in the survey`() throws {
    let walk = AskedTarget(
      trace: "t", node: "phone",
      epochs: [
        askedEpoch(at: 1, x: 1, y: 1, levels: [0: -60]), askedEpoch(at: 2, x: 2, y: 2),
        askedEpoch(at: 3, x: 3, y: 3, height: 1.5, levels: [1: -70]),
      ])
    let tag = AskedTarget(
      trace: "t", node: "tag", role: .beacon,
      epochs: [askedEpoch(at: 1, x: 9, y: 9, levels: [0: -50])])
    let knowledge = try knowledge(survey: [
      SurveyTrack(tag), SurveyTrack(walk, epochs: [1, 2]),
    ])
    let known = try knowledge.surroundings(of: "phone", .receiver, in: "u", height: 1)
    #expect(known.survey.map(\.place) == [Point(x: 3, y: 3)])
    #expect(known.survey[0].height == 0.5 && known.survey[0].trace == 0)
    // Without a height the node is at the survey's.
    let unknown = try knowledge.surroundings(of: "phone", .receiver, in: "u", height: nil)
    #expect(unknown.survey.map(\.height) == [0])
    #expect(unknown.anchors.map(\.heightDifference) == [1.5, 0, 0.5])
  }

  @Test func `readings of a survey have their places and the way to them`() throws {
    let second: Int64 = 1_000_000_000
    var epoch = askedEpoch(at: 3, x: 3, y: 0, levels: [0: -60])
    epoch.heard.readings = [1, 2, 3, 9].map {
      Reading(time: $0 * second, anchor: 0, rssi: -60 - Double($0))
    }
    let walk = AskedTarget(
      trace: "t", node: "phone", epochs: [epoch],
      truth: TruthPath([
        .init(time: 0, position: Point(x: 0, y: 0)),
        .init(time: 2 * second, position: Point(x: 2, y: 2)),
        .init(time: 4 * second, position: Point(x: 4, y: 2)),
      ]))
    let readings = try knowledge(survey: [SurveyTrack(walk)])
      .surroundings(of: "phone", .receiver, in: "u", height: 1).survey[0].readings
    #expect(
      readings.map(\.place) == [Point(x: 1, y: 1), Point(x: 2, y: 2), Point(x: 3, y: 2)])
    #expect(readings.map(\.reading.rssi) == [-61, -62, -63])
    for (reading, way) in zip(readings, [0, 2.0.squareRoot(), 2.0.squareRoot() + 1]) {
      #expect(isClose(reading.way, way))
    }
  }

  @Test func `a survey on the move goes on as another recording after a minute's pause`() throws {
    func recordings(isMoving: Bool) throws -> [Int] {
      let track = AskedTarget(
        trace: "t", node: "phone",
        epochs: [1, 3, 70, 72].map { (seconds: Double) in
          var epoch = askedEpoch(at: seconds, x: 1, y: 1, levels: [0: -60])
          if !isMoving { epoch.heard.readings = [] }
          return epoch
        })
      let other = AskedTarget(
        trace: "u", node: "phone", epochs: [askedEpoch(at: 73, x: 2, y: 1, levels: [0: -60])])
      return try knowledge(survey: [SurveyTrack(track), SurveyTrack(other)])
        .surroundings(of: "phone", .receiver, in: "v", height: nil).survey.map(\.trace)
    }
    #expect(try recordings(isMoving: true) == [0, 0, 1, 1, 2])
    #expect(try recordings(isMoving: false) == [0, 0, 0, 0, 1])
  }

  @Test
  func `a requested area counts before the site's, which spans walls, rooms and anchors`() throws {
    var site = Site()
    site.walls = [.init([Point(x: 0, y: 0), Point(x: 10, y: 5)])]
    site.anchors = [.init(node: "a", role: .beacon, place: Point(x: -1, y: 7))]
    let area = Bounds(minimum: Point(x: 1, y: 1), maximum: Point(x: 2, y: 2))
    #expect(SitePlan(site, bounds: area).bounds == area)
    #expect(
      SitePlan(site).bounds
        == Bounds(minimum: Point(x: -1, y: 0), maximum: Point(x: 10, y: 7)))
    site.walls = []
    #expect(SitePlan(site).bounds == nil)
  }

  @Test func `anchors of one name at different places have different numbers`() {
    var anchors = anchors
    var catalogue = Catalogue()
    catalogue.beacons = [
      anchorNode("b", x: 4, y: 0), Node(id: "d", kind: ""), anchorNode("b", x: 5, y: 0),
      anchorNode("a", x: 0, y: 0, z: 3),
    ]
    #expect(anchors.numbers(of: catalogue).beacons == [1, nil, 3, 0])
    #expect(anchors.locating(.receiver).map(\.id) == ["a", "b", "c", "b"])
    #expect(anchors.locating(.beacon).map(\.id) == ["r"])
  }

  @Test func `visits of a place become one epoch, each level weighted by its packets`() {
    var visits = [
      askedEpoch(at: 1, x: 1, y: 1, levels: [0: -60]),
      askedEpoch(at: 2, x: 2, y: 2, levels: [0: -50]),
      askedEpoch(at: 3, x: 1, y: 1, levels: [0: -66, 1: -80]),
    ]
    visits[2].heard.levels[0].packets = 2
    let joined = visits.joinedByPlace
    #expect(joined.map(\.truth) == [Point(x: 1, y: 1), Point(x: 2, y: 2)])
    #expect(joined[0].heard.levels.map(\.rssi) == [-64, -80])
    #expect(joined[0].heard.levels.map(\.packets) == [3, 1])
    #expect(joined[0].heard.levels[0].time == seconds(3))
  }
}
