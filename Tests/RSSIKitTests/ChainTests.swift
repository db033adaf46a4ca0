import Foundation
import RSSIKit
import TestSupport
import Testing

/// The point at which beacons of equal distance are; an algorithm of a user.
private struct FirstAnchor: EpochAlgorithm {
  let name = "first-anchor"

  func estimate(
    _ observations: [Observation], in surroundings: Surroundings
  ) throws(Refusal) -> Estimate {
    guard let first = observations.first else { throw .tooFewAnchors }
    return Estimate(
      position: Point(x: first.anchor.x, y: first.anchor.y),
      uncertainty: .unavailable(.noErrorModel))
  }
}

/// The stages as another package sees them.
@Suite("The chain through RSSIKit")
struct ChainTests {
  private func simulated(in folder: TemporaryDirectory, walks: Int = 2) throws -> String {
    var scenario = Scenario(seed: 5)
    scenario.walks.count = walks
    scenario.walks.duration = 20
    let room = folder.path("room")
    _ = try SimulateStage(SimulateRequest(scenario, into: room)).run()
    let trace = folder.path("walks.h5")
    _ = try ImportStage(
      ImportRequest(
        files: ["\(room)/rssi.csv"], output: trace, nodes: "\(room)/nodes.csv",
        truth: ["\(room)/truth.csv"])
    ).run()
    return trace
  }

  @Test func `a trace is read by names, filtered, fitted and evaluated`() throws {
    let folder = try TemporaryDirectory()
    let path = try simulated(in: folder)
    let trace = try TraceReader(path: path)
    var counts: [String: Int] = [:]
    try trace.forEachSighting { counts[$0.beacon, default: 0] += 1 }
    #expect(counts.values.reduce(0, +) == trace.count)
    let (beacon, count) = try #require(counts.max { $0.value < $1.value })
    let sightings = try trace.sightings(of: beacon)
    #expect(sightings.count == count && sightings.allSatisfy { $0.beacon == beacon })
    #expect(throws: RSSIError.self) { try trace.sightings(of: beacon + "x") }

    var filter = KalmanFilter(q: 0.5, r: 9)
    let levels = sightings.filter { $0.trace == sightings[0].trace }.compactMap {
      filter.update($0)
    }
    #expect(levels.allSatisfy { $0.variance <= 9 })
    let link = sightings.filter { $0.trace == sightings[0].trace }
    let chained = FilterChain.levels(
      of: link, through: [try FilterSpecification("kalman:q=0.5,r=9")])
    #expect(chained.map(\.level.rssi) == levels.map(\.rssi))
    let smooth = FilterChain.levels(of: link, through: [try FilterSpecification("rts:q=0.5,r=9")])
    #expect(smooth.map(\.time) == link.filter { $0.rssi != nil }.map(\.time))
    // Each smoothed level knows as much as the filtered one and what followed; the last are equal.
    #expect(zip(smooth, levels).allSatisfy { $0.level.variance <= $1.variance + 1e-9 })
    #expect(abs(try #require(smooth.last).level.rssi - (try #require(levels.last).rssi)) < 1e-9)

    var request = EvaluationRequest()
    request.inputs = [path]
    request.crossValidate = .traces
    request.algorithms = ["centroid"]
    request.ownAlgorithms = [FirstAnchor()]
    let document = try EvaluationStage(request).run()
    #expect(Set(document.leaderboard.scores.map(\.name)) == ["centroid", "first-anchor"])

    var fit = FitRequest()
    fit.inputs = [path]
    let calibration = folder.path("calibration.json")
    try JSONEncoder().encode(FitStage(fit).run().calibration).write(
      to: URL(filePath: calibration))
    var locating = LocateRequest()
    (locating.calibration, locating.algorithm) = (calibration, "weighted-centroid")
    var located = TraceLocateRequest([path], by: try LocateBasis(locating))
    var positions: [LocatedPosition] = []
    located.take = { positions += $0.positions }
    _ = try TraceLocateStage(located).run()
    #expect(!positions.isEmpty && positions.contains { $0.estimate != nil })
  }

  @Test func `a fit of values is that of a table of the same readings`() throws {
    let folder = try TemporaryDirectory()
    var generator = SeededGenerator(seed: 3)
    var (readings, table): ([DistanceReading], String) = (
      [], "time_s,distance_m,rssi_dbm,receiver,beacon\n"
    )
    for distance in [0.5, 1, 2, 3, 5, 8, 13] {
      for _ in 0..<20 {
        let level = (-59 - 22 * log10(distance) + Double.random(in: -4...4, using: &generator))
          .rounded()
        readings.append(
          DistanceReading(beacon: "b", receiver: "r", distance: distance, rssi: level))
        table += "\(readings.count),\(distance),\(level),r,b\n"
      }
    }
    let path = folder.path("readings.csv")
    try table.write(toFile: path, atomically: true, encoding: .utf8)
    var request = FitRequest()
    request.inputs = [path]
    let expected = try FitStage(request).run().calibration.pooled
    let fit = try PathLossFit().fit(readings.shuffled(using: &generator))
    #expect(fit.measuredPower == expected.measuredPower && fit.exponent == expected.exponent)
    #expect(fit.powerInterval == expected.powerInterval && fit.samples == 140)
  }

  @Test func `a line without noise gives its own constants`() throws {
    let readings = [1, 2, 4, 8, 16.0].map {
      DistanceReading(distance: $0, rssi: -50 - 20 * log10($0))
    }
    let fit = try PathLossFit().fit(readings)
    #expect(isClose(try #require(fit.measuredPower), -50, absolute: 1e-4))
    #expect(isClose(try #require(fit.exponent), 2, absolute: 1e-4))
    for bad in [
      DistanceReading(distance: 0, rssi: -50), DistanceReading(distance: .nan, rssi: -50),
      DistanceReading(distance: 1, rssi: .infinity),
    ] { #expect(throws: RSSIError.self) { try PathLossFit().fit([bad]) } }
  }

  @Test func `errors of a stage are typed, and name what failed`() {
    do throws(RSSIError) {
      _ = try ImportStage(ImportRequest(files: ["no.csv"], output: "x.h5")).run()
      Issue.record("a missing file was imported")
    } catch {
      #expect(error.kind == .noInput && error.subject == "no.csv")
    }
  }
}

@Suite("Sightings of a source")
struct SourceSightingsTests {
  private func trace(_ folder: TemporaryDirectory) throws -> String {
    let room = folder.path("room")
    var scenario = Scenario(seed: 8)
    scenario.walks.count = 1
    scenario.walks.duration = 10
    _ = try SimulateStage(SimulateRequest(scenario, into: room)).run()
    let trace = folder.path("walk.h5")
    _ = try ImportStage(
      ImportRequest(files: ["\(room)/rssi.csv"], output: trace, nodes: "\(room)/nodes.csv")
    ).run()
    return trace
  }

  @Test func `a replay gives the sightings of its trace`() async throws {
    let folder = try TemporaryDirectory()
    let path = try trace(folder)
    var expected: [NamedSighting] = []
    try TraceReader(path: path).forEachSighting { expected.append($0) }
    var source = try SourceRequest("replay:\(path)")
    source.speed = .infinity
    var found: [NamedSighting] = []
    for try await sighting in source.sightings() { found.append(sighting) }
    #expect(found.map(\.time) == expected.map(\.time))
    #expect(
      found.map(\.beacon) == expected.map(\.beacon) && found.map(\.rssi) == expected.map(\.rssi))
  }

  @Test func `a task that takes no more ends the source`() async throws {
    let folder = try TemporaryDirectory()
    // At the speed at which it was recorded it would take 10 s.
    let source = try SourceRequest("replay:\(trace(folder))")
    for try await sighting in source.sightings() {
      #expect(!sighting.beacon.isEmpty)
      break
    }
  }

  @Test func `a source that is not there is an error`() async throws {
    await #expect(throws: RSSIError.self) {
      for try await _ in try SourceRequest("replay:/no/such.h5").sightings() {}
    }
    #expect(throws: RSSIError.self) { try SourceRequest("somewhere") }
  }
}

@Suite("Times") struct TimestampTests {
  @Test func `times add, subtract, compare and print`() throws {
    let time = try #require(Timestamp(seconds: 1_700_000_000.25))
    #expect(time.description == "2023-11-14T22:13:20.250000Z" && time.seconds == 1_700_000_000.25)
    #expect((time + .milliseconds(750)).nanoseconds == 1_700_000_001_000_000_000)
    #expect(time + .seconds(2) - time == .seconds(2) && time < time + .nanoseconds(1))
    #expect(Timestamp(nanoseconds: .max) + .seconds(1) == Timestamp(nanoseconds: .max))
    #expect(Timestamp(nanoseconds: .min) + .seconds(-1) == Timestamp(nanoseconds: .min))
    #expect(time + .seconds(Int64.max) == Timestamp(nanoseconds: .max))
    #expect(Timestamp(seconds: 1e12) == nil && Timestamp(seconds: .nan) == nil)
  }
}
