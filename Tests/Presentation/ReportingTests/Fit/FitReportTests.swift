import NumericalMethods
import PathLoss
import Testing

@testable import Reporting

@Suite struct FitReportTests {
  private func group(_ key: String, warnings: [String] = []) -> PathLossGroup {
    var group = PathLossGroup(key: key, samples: 40, positions: 6)
    group.measuredPower = -59.25
    group.exponent = 2
    group.diagnostics = warnings.map { Diagnostic("code", $0) }
    return group
  }

  private func calibration(_ groups: [PathLossGroup]) -> Calibration {
    Calibration(
      toolVersion: "1", commandLine: "rssi fit", model: "log-distance",
      estimator: "least-squares", settings: FitConfiguration(), by: "beacon", groups: groups,
      pooled: groups[0], excluded: [:], inputs: [], stations: [])
  }

  private func text(_ groups: [PathLossGroup], levels: [Double] = []) -> String {
    FitReport(calibration(groups), levels: levels).text.text()
  }

  @Test func `each warning is shown once, with its groups or their number`() {
    let text = text([
      group("a", warnings: ["all of them", "only a"]), group("b", warnings: ["all of them"]),
      group("c", warnings: ["all of them"]), group("d", warnings: ["all of them"]),
    ])
    #expect(text.hasSuffix("warnings\n  4 groups: all of them\n  a: only a\n"))
  }

  @Test func `the remedy for a diagnostic follows its sentence`() {
    let text = FitReport(
      calibration([group("a", warnings: ["differs"])]), levels: [],
      advice: ["code": "--by receiver"]
    ).text.text()
    #expect(text.hasSuffix("  a: differs (--by receiver)\n"))
  }

  @Test func `names of groups cannot steer a terminal`() {
    #expect(text([group("a\u{1b}[2J\nb")]).contains("a\\u{1b}[2J\\u{a}b  "))
  }

  @Test func `distances are shown where they were asked for, with open ends`() {
    var group = group("pooled")
    var known = DistanceAtLevel(level: -79.25, distance: 10)
    known.interval = Interval(lower: 8, upper: 12.5)
    group.distanceAt = [known]
    #expect(!text([group]).contains("-79.25"))
    let row = text([group], levels: [-79.25]).split(separator: "\n").last
    #expect(
      row?.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        == "pooled -79.25 10.00 8.00 – 12.50 no end")
  }
}
