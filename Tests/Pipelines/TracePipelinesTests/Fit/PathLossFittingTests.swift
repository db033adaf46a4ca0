import PathLoss
import Support
import TestSupport
import Testing
import TraceStore

@testable import TracePipelines

@Suite struct PathLossFittingTests {
  private let table: FittedTable

  init() throws { table = try FittedTable() }

  @Test func `fits a table, names who did it and keeps what a picture needs`() throws {
    let path = try table.write("bench.csv", series: ["monday", "tuesday"])
    let fit = try table.fit([path]) {
      $0.by = Grouping([.series])
      $0.keepsTimes = true
    }
    #expect(isClose(fit.calibration.pooled.measuredPower ?? .nan, -60, absolute: 1e-9))
    #expect(isClose(fit.calibration.pooled.exponent ?? .nan, 2, absolute: 1e-9))
    #expect(fit.calibration.groups.map(\.key) == ["monday", "tuesday"])
    #expect(fit.calibration.toolVersion == "1.2.3" && fit.calibration.commandLine == "tests")
    #expect(fit.readings.timed?.readings.count == 24)
    #expect(try table.fit([path]).readings.timed == nil)
  }

  @Test func `a part of the readings is fitted as if the rest did not exist`() throws {
    let path = try table.write("bench.csv", series: ["monday"])
    var request = FitRequest()
    request.inputs = [path]
    let fitting = try FitRun(
      request, in: StageContext(tool: .init(version: "", commandLine: "")))
    var readings = try fitting.readings()
    readings.stations.removeAll { $0.distance > 10 }
    #expect(fitting.calibration(of: readings).pooled.positions == 2)
  }

  @Test func `levels and a filter that the inputs lack are named`() throws {
    let path = try table.write("bench.csv", series: ["monday"])
    #expect {
      try table.fit([path]) { $0.series = ["friday"] }
    } throws: { "\($0)".contains("no series \"friday") }
    #expect {
      try table.fit([path, path])
    } throws: { "\($0)".contains("given twice") }
    #expect {
      try table.fit([path]) { $0.minDistance = 200 }
    } throws: { "\($0)".contains("12 × below-min") }
  }

  typealias Change = @Sendable (inout FitRequest) -> Void

  private static let outOfRange: [(property: String, change: Change)] = [
    ("sensitivity", { $0.sensitivity = 3 }),
    ("distanceAt", { $0.distanceAt = [-60, 0] }),
    ("minDistance", { $0.minDistance = -.infinity }),
    ("bootstrap", { $0.bootstrap = 99 }),
    ("lostShare", { $0.lostShare = 1 }),
    ("advertisingInterval", { $0.advertisingInterval = 0 }),
    ("referencePower", { $0.referencePower = 0 }),
    ("exponent", { $0.exponent = .nan }),
    ("merge", { ($0.merge, $0.filtered) = (true, "kalman") }),
  ]

  @Test(arguments: outOfRange.indices)
  func `a request with a value out of range is refused by the property's name`(index: Int) throws {
    let (property, change) = Self.outOfRange[index]
    var request = FitRequest()
    #expect(throws: Never.self) { try request.check() }
    change(&request)
    #expect {
      try request.check()
    } throws: { error in
      (error as? RSSIError)?.kind == .usage && "\(error)".contains("`\(property)`")
    }
  }

  private static let exclusive: [Change] = [
    { $0.model = .walls },
    { ($0.model, $0.estimator) = (.hierarchical, .tukey) },
    { ($0.model, $0.by) = (.hierarchical, Grouping([.series])) },
    { ($0.model, $0.bootstrap) = (.altBeacon, 100) },
    { ($0.estimator, $0.perPosition) = (.truncated, .mean) },
    { $0.exponent = 2 },
    { $0.sensitivity = -90 },
    { $0.lostShare = 0.1 },
  ]

  @Test(arguments: exclusive.indices)
  func `options that exclude each other are refused before an input is read`(index: Int) {
    #expect {
      try table.fit(["/nowhere"], Self.exclusive[index])
    } throws: {
      ($0 as? RSSIError)?.kind == .usage
    }
  }
}
