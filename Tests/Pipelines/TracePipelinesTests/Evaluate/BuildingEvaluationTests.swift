import Evaluation
import Foundation
import Geometry
import Positioning
import Sightings
import Support
import TestSupport
import Testing
import TraceStore

@testable import TracePipelines

/// Walks along corridors of two floors, among beacons at unknown places.
@Suite("Evaluation in a building")
struct BuildingEvaluationTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Writes the tables of eight walks of 40 s, four on each floor: a walker goes along a corridor of
  /// 40 m, and receives the beacon that is nearest on the own floor, and sometimes one of the other.
  private func tables(floor: (Int) -> String) throws -> (levels: String, truth: String) {
    var generator = SeededGenerator(seed: 6)
    var (levels, truth) = (
      "trace,time_s,receiver,beacon,rssi_dbm\n", "trace,time_s,node,x_m,y_m,floor\n"
    )
    for walk in 0..<8 {
      let start = 1_700_000_000 + 1000 * walk
      for second in [0, 40] {
        truth += "w\(walk),\(start + second),phone,\(second),\(2 + walk / 2),\(floor(walk))\n"
      }
      for tenth in 1..<400 where tenth % 3 == 0 {
        let x = Double(tenth) / 10
        let beacon = Int(x / 8) * 2 + walk % 2
        let rssi =
          -65 - Int(abs(x - 8 * Double(Int(x / 8)) - 4)) + Int.random(in: -3...3, using: &generator)
        levels += "w\(walk),\(Double(start) + x),phone,b\(beacon),\(rssi)\n"
        if Int.random(in: 0..<6, using: &generator) == 0 {
          levels += "w\(walk),\(Double(start) + x),phone,b\(beacon ^ 1),\(rssi - 20)\n"
        }
      }
    }
    return (levels, truth)
  }

  private func importing(floor: (Int) -> String = { $0 % 2 == 0 ? "F1" : "F2" }) throws -> String {
    let (levels, truth) = try tables(floor: floor)
    let output = folder.path("walks.h5")
    var request = ImportRequest(files: [try folder.write(levels, to: "rssi.csv")], output: output)
    request.truth = [try folder.write(truth, to: "truth.csv")]
    _ = try ImportStage(request).run()
    return output
  }

  private func request(_ trace: String, _ algorithms: [String]) -> EvaluationRequest {
    var request = EvaluationRequest()
    (request.inputs, request.algorithms) = ([trace], algorithms)
    (request.crossValidate, request.folds) = (.traces, 4)
    return request
  }

  @Test func `floors and places are scored without a place of a beacon`() throws {
    let trace = try importing()
    let document = try EvaluationStage(
      request(
        trace, ["grid-filter:map=yes", "grid-smoother:map=yes", "gaussian-process", "fingerprint"])
    ).run()
    #expect(document.site.floors == ["F1", "F2"])
    for score in document.leaderboard.scores {
      let floors = try #require(score.floors)
      #expect(try #require(floors.all.rate) > 0.95, "\(score.name)")
      #expect(try #require(score.statistics.errors).median < 4, "\(score.name)")
      // Every question between the first and the last mark counts.
      #expect(floors.all.asked == 8 * 20 && score.statistics.asked == 8 * 20)
    }
  }

  @Test func `questions have the levels of 10 s and the distance to walks that were not left out`()
    throws
  {
    let rows = try tables { $0 % 2 == 0 ? "F1" : "F2" }.levels.split(separator: "\n").dropFirst()
    let document = try EvaluationStage(request(try importing(), ["fingerprint"])).run()
    for trace in document.traces {
      let times = rows.map { $0.split(separator: ",") }.filter { $0[0] == trace.name }
        .compactMap { Double($0[1]) }
      for question in trace.questions {
        let instant = Double(question.instant) / 1e9
        #expect(question.recentLevels == times.count { $0 > instant - 10 && $0 <= instant })
        // Walks of one floor are 1 m apart, and each is in a fold of its own.
        #expect(isClose(question.surveyDistance ?? .nan, 1, absolute: 1e-6))
      }
    }
    let floors = try #require(document.leaderboard.scores[0].floors)
    #expect(floors.byLevels.map(\.asked).reduce(0, +) == 160)
    #expect(floors.byDistance.map(\.asked) == [160, 0, 0, 0])
    #expect(floors.rich?.asked == floors.byLevels[3].asked)
  }

  @Test func `no distance is known on a floor without a survey`() {
    var point = SurveyPoint(place: Point(x: 3, y: 4), levels: [])
    point.floor = 1
    let epoch = AskedEpoch(
      HeardEpoch(
        instant: 0, start: -1, levels: [Reading(time: 0, anchor: 0, rssi: -60, packets: 3)]),
      truth: Point(x: 0, y: 0), floor: 0)
    let conditions = QuestionConditions(
      AskedTarget(trace: "stop", node: "phone", epochs: [epoch]), survey: [point])
    for (floor, distance) in [(0, nil), (1, 5.0)] {
      var question = Question(instant: 0, asked: 0, truth: epoch.truth, truthFloor: floor)
      conditions.complete(&question, epoch: 0)
      #expect(question.surveyDistance == distance)
      // The levels of a stop have no times.
      #expect(question.recentLevels == nil)
    }
  }

  @Test func `algorithms for one plane say that places are unknown`() throws {
    let document = try EvaluationStage(
      request(try importing(), ["weighted-centroid", "particle-filter", "grid-filter"])
    ).run()
    for score in document.leaderboard.scores {
      #expect(score.refusals == [.unknownPlaces: 160], "\(score.name)")
    }
  }

  @Test func `truth without a floor is named`() throws {
    let trace = try importing { $0 == 3 ? "" : $0 % 2 == 0 ? "F1" : "F2" }
    let error = #expect(throws: RSSIError.self) {
      try EvaluationStage(request(trace, ["fingerprint"])).run()
    }
    #expect(error?.description.contains("the truth of trace \"w3\" has no floor") == true)
    #expect(error?.description.contains("F1, F2") == true)
  }

  @Test func `nodes are located over floors from a survey alone`() throws {
    let trace = try importing()
    var request = LocateRequest()
    request.survey = [trace]
    request.trace = ["w1"]
    let located = try TraceLocateStage([trace], request).run().traces
    let positions = try #require(located.first).positions
    #expect(positions.count > 30)
    #expect(positions.allSatisfy { $0.floor == "F2" && ($0.floorProbability ?? 0) > 0.5 })
    let errors = positions.compactMap { position in
      position.estimate.map { abs($0.position.x - Double(position.time) / 1e9 + 1_700_001_000) }
    }.sorted()
    #expect(errors[errors.count / 2] < 4)
  }

  /// Four beacons on each floor, of which those of the other floor are weaker by a slab.
  @Test(arguments: [false, true])
  func `anchors on floors locate without a survey`(_ areInRecording: Bool) throws {
    var (levels, nodes) = ("trace,time_s,receiver,beacon,rssi_dbm\n", "node,x_m,y_m,floor\n")
    let corners = [(0, 0), (8, 0), (8, 8), (0, 8)]
    for (number, floor) in ["F1", "F2"].enumerated() {
      for (corner, (x, y)) in corners.enumerated() {
        nodes += "\(floor)\(corner),\(x),\(y),\(floor)\n"
      }
      for second in 0..<20 {
        for other in ["F1", "F2"] {
          for corner in corners.indices {
            levels +=
              "w\(number),\(1_700_000_000 + 1000 * number + second),phone,\(other)\(corner),"
              + "\(other == floor ? -70 : -90)\n"
          }
        }
      }
    }
    let table = try folder.write(nodes, to: "nodes.csv")
    var importing = ImportRequest(
      files: [try folder.write(levels, to: "rssi.csv")], output: folder.path("two.h5"))
    if areInRecording { importing.nodes = table }
    _ = try ImportStage(importing).run()
    var request = LocateRequest()
    request.calibration = try folder.write(jsonText(calibration([])), to: "c.json")
    request.algorithm = "weighted-centroid"
    if !areInRecording { request.nodes = table }
    let located = try TraceLocateStage([folder.path("two.h5")], request).run().traces
    let positions = located.flatMap(\.positions).filter { $0.estimate != nil }
    #expect(positions.count > 30)
    for position in positions {
      #expect(position.floor == (position.node.traceName == "w0" ? "F1" : "F2"))
      #expect(position.estimate?.position.distance(to: Point(x: 4, y: 4)) ?? 9 < 0.1)
    }
  }

  @Test func `positions are stored with floors that the recording does not have`() throws {
    let survey = try importing()
    let (levels, _) = try tables { _ in "" }
    let today = folder.path("today.h5")
    _ = try ImportStage(
      ImportRequest(files: [try folder.write(levels, to: "today.csv")], output: today)
    ).run()
    var request = LocateRequest()
    (request.survey, request.trace) = ([survey], ["w1", "w2"])
    var stage = TraceLocateRequest([today], by: try LocateBasis(request))
    stage.output = PositionsOutput(path: today, name: "floors", settings: [:])
    _ = try TraceLocateStage(stage).run()
    let reader = try TraceReader(path: today)
    #expect(reader.catalogue.floors.map(\.name) == ["F1", "F2"])
    let rows = try reader.positions("floors")
    #expect(rows.count > 60)
    for row in rows {
      #expect(row.floor == (reader.catalogue.traces[Int(row.trace)] == "w1" ? 1 : 0))
      #expect(row.floorProbabilities.count == 2)
    }
  }

  /// Writes the map of some walks, or of all.
  private func map(_ trace: String, of walks: [String] = [], truthAt: TruthInstant) throws -> String
  {
    var request = MapRequest(output: folder.path("map.h5"))
    (request.inputs, request.trace) = ([trace], walks)
    request.epoch = .periodic(step: .seconds(1), window: .seconds(1))
    request.truthAt = truthAt
    _ = try MapStage(request).run()
    return request.output
  }

  @Test func `a map in a file locates as its survey does`() throws {
    let trace = try importing()
    var request = LocateRequest()
    request.epoch = .seconds(1)
    func positions() throws -> [LocatedPosition] {
      try TraceLocateStage([trace], request).run().traces.flatMap(\.positions)
    }
    request.survey = [trace]
    let bySurvey = try positions()
    (request.survey, request.radioMap) = ([], try map(trace, truthAt: .epoch))
    let byMap = try positions()
    #expect(byMap.count > 300 && byMap.count == bySurvey.count)
    for (one, other) in zip(byMap, bySurvey) {
      #expect(one.estimate == other.estimate && one.floor == other.floor)
      #expect(one.floorProbability == other.floorProbability)
    }
  }

  @Test func `a map in a file is evaluated on other walks, and refused on its own`() throws {
    let trace = try importing()
    var request = EvaluationRequest()
    (request.inputs, request.trace) = ([trace], ["w6", "w7"])
    request.algorithms = ["grid-filter:map=yes", "gaussian-process"]
    request.radioMap = try map(trace, of: (0..<6).map { "w\($0)" }, truthAt: .windowMiddle)
    for score in try EvaluationStage(request).run().leaderboard.scores {
      #expect(try #require(score.floors?.all.rate) > 0.95, "\(score.name)")
    }
    request.trace = ["w5"]
    #expect(throws: RSSIError.self) { try EvaluationStage(request).run() }
  }
}
