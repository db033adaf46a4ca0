import PathLoss
import Support
import TestSupport
import Testing

@testable import TracePipelines

@Suite struct MergedCalibrationsTests {
  private let table: FittedTable
  private let bench: String

  init() throws {
    table = try FittedTable()
    bench = try table.write("bench.csv", series: ["monday", "tuesday"])
  }

  private func part(
    _ path: String, _ change: (inout FitRequest) -> Void = { _ in }
  ) throws -> MergedCalibrations.Part {
    let calibration = try table.fit([path], change).calibration
    return .init(path: path + calibration.settings.series.joined(), calibration: calibration)
  }

  @Test func `parts of one file with different series give the fit of the whole`() throws {
    let merged = try MergedCalibrations([
      part(bench) { $0.series = ["tuesday"] }, part(bench) { $0.series = ["monday"] },
    ])
    #expect(try merged.readings.stations == part(bench).calibration.stations)
    #expect(merged.chosen.series == ["monday", "tuesday"])
    #expect(merged.agreed?.model == "log-distance" && merged.grouping == Grouping())
  }

  @Test func `readings that two calibrations have are refused`() throws {
    #expect {
      _ = try MergedCalibrations([part(bench), part(bench) { $0.series = ["monday"] }])
    } throws: { "\($0)".contains("on the same file") }
    // The same stays in another file.
    let copy = try table.write("copy.csv", series: ["monday"])
    #expect {
      _ = try MergedCalibrations([part(bench), part(copy)])
    } throws: { "\($0)".contains("left at phone, 1.0 m") }
  }

  @Test func `settings that differ are not agreed on, and different levels are refused`() throws {
    let other = try table.write("other.csv", series: ["friday"])
    let merged = try MergedCalibrations([
      part(bench),
      part(other) {
        $0.estimator = .huber
        $0.by = Grouping([.beacon])
      },
    ])
    #expect(merged.agreed == nil && merged.grouping == nil && !merged.isWeighted)
    #expect {
      _ = try MergedCalibrations([part(bench), part(other) { $0.minDistance = 5 }])
    } throws: { "\($0)".contains("`minDistance`") }
  }

  @Test func `a calibration without its readings, or with unknown groups, is refused`() throws {
    var empty = try part(bench)
    empty.calibration.stations = []
    #expect { _ = try MergedCalibrations([empty]) } throws: { "\($0)".contains("no readings") }
    var odd = try part(bench)
    odd.calibration.by = "weekday"
    #expect { _ = try MergedCalibrations([odd]) } throws: { "\($0)".contains("weekday") }
  }

  @Test func `a doubt is about the receiver whose whole name begins its sentence`() throws {
    var doubted = try part(bench)
    for (index, name) in ["phone", "phone 2"].enumerated() {
      doubted.calibration.stations[index].receiver = name
    }
    doubted.calibration.groups[0].diagnostics.append(
      Diagnostic("doubtful-receiver", "phone 2 smooths levels"))
    #expect(
      try MergedCalibrations([doubted]).readings.doubts == ["phone 2": "phone 2 smooths levels"])
  }
}
