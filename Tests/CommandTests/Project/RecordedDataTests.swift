import Foundation
import TestSupport
import Testing

@Suite(
  "Public recordings give the published and the independently computed answers",
  .needs(data: "flat-walks"))
struct RecordedDataTests {
  private func path(_ name: String) throws -> String { try #require(sharedData(name)).path }

  private func references() throws -> [String: [Double]] {
    let text = try String(contentsOfFile: path("reference-fits.csv"), encoding: .utf8)
    var rows: [String: [Double]] = [:]
    for line in text.split(whereSeparator: \.isNewline).dropFirst() {
      let fields = line.split(separator: ",")
      rows[String(fields[0])] = fields.dropFirst().compactMap { Double($0) }
    }
    return rows
  }

  /// Compares every group that has a reference row, to the four decimals that the table has; its
  /// sigma is the root mean square of the residuals.
  private func check(_ arguments: [String], _ name: (String) -> String) throws -> Int {
    let references = try references()
    // The references are of ordinary least squares.
    let plain = arguments.contains("--per-position") ? [] : ["--per-position", "packets"]
    let result = try runProgram(builtProgram, ["fit"] + arguments + plain + ["--json"])
    #expect(result.exitCode == 0, "\(result.error)")
    let groups = try #require(try json(result.output)["groups"] as? [[String: Any]])
    var checked = 0
    for group in groups {
      let key = try #require(group["key"] as? String)
      guard let expected = references[name(key)] else { continue }
      for (column, field) in ["measured_power_dbm", "exponent", "residual_sd_db"].enumerated() {
        let value = try #require(group[field] as? Double)
        #expect(abs(value - expected[column]) < 6e-5, "\(name(key)) \(field)")
      }
      #expect(group["samples"] as? Int == Int(expected[3]), "\(name(key))")
      checked += 1
    }
    return checked
  }

  @Test func `fits of the flat's distances, all samples, means and medians`() throws {
    let input = try path("flat-walks/distances.csv")
    for (reduction, label) in [
      ("packets", "all samples"), ("mean", "per-distance means"),
      ("median", "per-distance medians"),
    ] {
      let count = try check([input, "--by", "series", "--per-position", reduction]) {
        "flat-walks/\($0)/\(label)"
      }
      #expect(count == 4)
    }
  }

  /// 352,768 readings, read twice.
  @Test(.systemRun) func `fits of the cable car, each series`() throws {
    let cable = try path("cable-car/distances.csv")
    #expect(try check([cable, "--by", "series"]) { "cable-car/\($0)/d>0" } == 15)
    #expect(
      try check([cable, "--by", "series", "--min-distance", "0.5"]) { "cable-car/\($0)/d>=0.5m" }
        == 15)
  }

  @Test func `fits of carried phones, each series and each phone`() throws {
    let phones = try path("carried-phones/distances.csv")
    #expect(try check([phones, "--by", "series"]) { "carried-phones/\($0)/pooled" } == 6)
    #expect(try check([phones, "--by", "series,receiver"]) { "carried-phones/\($0)" } == 12)
    #expect(try check([phones]) { _ in "carried-phones/ALL" } == 1)
  }

  @Test func `fits of walks and standing points, whose distances come from positions`() throws {
    let folder = try TemporaryDirectory()
    for (data, name) in [
      ("flat-walks", "flat-walks/traces pooled in-sample"), ("office-scans", "office-scans/pooled"),
      ("sparse-floor", "sparse-floor/all readings"), ("sparse-room", "sparse-room/all readings"),
    ] {
      let trace = try imported(data, in: folder)
      #expect(try check([trace]) { _ in name } == 1)
    }
  }

  private func imported(_ data: String, in folder: TemporaryDirectory) throws -> String {
    let trace = folder.path(data + ".h5")
    let result = try rssi(
      "import", path(data + "/rssi.csv"), "--nodes", path(data + "/nodes.csv"), "--truth",
      path(data + "/truth.csv"), "-o", trace)
    #expect(result.exitCode == 0, "\(result.error)")
    return trace
  }

  @Test func `eval of the flat's walks reproduces the errors of plain methods`() throws {
    let folder = try TemporaryDirectory()
    let trace = try imported("flat-walks", in: folder)
    let calibration = folder.path("c.json")
    let fit = try rssi(
      "fit", path("flat-walks/distances.csv"), "--series", "distance-measurements/line-of-sight",
      "-o", calibration)
    #expect(fit.exitCode == 0, "\(fit.error)")
    // The plain method gives each mean the same weight, however many its packets are.
    try String(contentsOfFile: calibration, encoding: .utf8)
      .replacing(/"successive_sd_db" *: *[0-9.]+/, with: "\"successive_sd_db\": null")
      .write(toFile: calibration, atomically: true, encoding: .utf8)
    func errors(_ arguments: String...) throws -> [String: [String: Double]] {
      let result = try runProgram(
        builtProgram,
        [
          "eval", trace, "--calibration", calibration, "--algorithms",
          "weighted-centroid,maximum-likelihood", "--json",
        ] + arguments)
      #expect(result.exitCode == 0, "\(result.error)")
      let algorithms = try #require(try json(result.output)["algorithms"] as? [[String: Any]])
      return Dictionary(
        uniqueKeysWithValues: algorithms.compactMap { algorithm in
          guard let name = algorithm["name"] as? String,
            let errors = algorithm["error_m"] as? [String: Double]
          else { return nil }
          return (name, errors)
        })
    }
    let raw = try errors()
    // Columns of the reference table: median, mean, RMS, p75, p95.
    for (name, expected) in [
      "maximum-likelihood": [1.17, 1.36, 1.68, 1.64, 3.12],
      "weighted-centroid": [1.11, 1.34, 1.56, 1.89, 2.68],
    ] {
      for (field, value) in zip(["median", "mean", "rms", "p75", "p95"], expected) {
        #expect(abs(try #require(raw[name]?[field]) - value) <= 0.011, "\(name) \(field)")
      }
    }
    #expect(try rssi("filter", trace, "-o", trace).exitCode == 0)
    let filtered = try errors()
    #expect(
      try #require(filtered["maximum-likelihood"]?["mean"])
        < #require(raw["maximum-likelihood"]?["mean"]))
  }

  @Test func `recordings give the counts on which two independent decoders agree`() throws {
    let folder = try TemporaryDirectory()
    let table = try String(contentsOfFile: path("captures/expected.csv"), encoding: .utf8)
    var checked = 0
    for line in table.split(whereSeparator: \.isNewline).dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard fields[0].hasSuffix(".btsnoop") else { continue }
      let result = try rssi(
        "import", path("captures/" + fields[0]), "-o", folder.path("c.h5"), "--json")
      #expect(result.exitCode == 0, "\(result.error)")
      let report = try json(result.output)
      #expect(report["sightings"] as? Int == Int(fields[4]), "\(fields[0])")
      #expect(report["distinct_addresses"] as? Int == Int(fields[6]))
      let rssi = try #require(report["rssi_dbm"] as? [String: Any])
      #expect(rssi["min"] as? Double == Double(fields[7]))
      #expect(rssi["max"] as? Double == Double(fields[8]))
      if let mean = Double(fields[9]) {
        #expect(abs(try #require(rssi["mean"] as? Double) - mean) < 0.00501)
      }
      #expect((report["kinds"] as? [String: Int])?["ibeacon"] == Int(fields[fields.count - 3]))
      #expect((report["rejected"] as? [String: Int])?.isEmpty == true)
      checked += 1
    }
    #expect(checked == 5)
  }

  @Test
  func `an exported recording decodes in tshark to the same reports as the original`() throws {
    let folder = try TemporaryDirectory()
    for name in ["h4_1002_legacy_csacca", "h4_1002_ext_darkelf", "h4_1002_ext_mauricelam"] {
      let original = try path("captures/\(name).btsnoop")
      let copy = folder.path("\(name).btsnoop")
      #expect(try rssi("import", original, "-o", folder.path("c.h5")).exitCode == 0)
      #expect(try rssi("export", folder.path("c.h5"), "-o", copy).exitCode == 0)
      func reports(_ file: String) throws -> String {
        try runProgram(
          "/usr/bin/env",
          [
            "tshark", "-r", file, "-Y", "bthci_evt.rssi", "-T", "fields", "-e", "frame.time_epoch",
            "-e", "bthci_evt.bd_addr", "-e", "bthci_evt.rssi", "-e", "btcommon.eir_ad.entry.data",
          ]
        ).output
      }
      #expect(try reports(copy) == reports(original))
      #expect(try reports(copy).count > 500)
    }
  }
}
