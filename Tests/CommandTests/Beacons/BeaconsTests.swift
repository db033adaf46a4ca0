import Foundation
import TestSupport
import Testing

@Suite("rssi beacons")
struct BeaconsTests {
  private let folder: TemporaryDirectory
  private let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path

  init() throws { folder = try TemporaryDirectory() }

  private func devices(_ arguments: [String]) throws -> [[String: Any]] {
    let result = try runProgram(builtProgram, ["beacons", "--json"] + arguments)
    try #require(result.exitCode == 0, "\(result.error)")
    let report = try json(result.output)
    #expect(Set(report.keys) == ["devices"])
    return try #require(report["devices"] as? [[String: Any]])
  }

  /// A recording of HCI events: each a legacy report of address, data and level.
  private func recording(
    _ reports: [(time: Double, address: UInt8, type: UInt8, data: [UInt8], rssi: Int8)],
    _ name: String
  ) throws -> String {
    func big(_ number: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
    var file = Array("btsnoop\0".utf8) + big(UInt32(1)) + big(UInt32(1002))
    for report in reports {
      let event: [UInt8] =
        [2, 1, report.type, 1, report.address, 0, 0, 0, 0, 0xC0, UInt8(report.data.count)]
        + report.data + [UInt8(bitPattern: report.rssi)]
      let packet = [4, 0x3E, UInt8(event.count)] + event
      file +=
        big(UInt32(packet.count)) + big(UInt32(packet.count)) + big(UInt32(3)) + big(UInt32(0))
      file += big(0x00DC_DDB3_0F2F_8000 + Int64(((1_700_000_000 + report.time) * 1e6).rounded()))
      file += packet
    }
    try Data(file).write(to: folder.url.appending(path: name))
    return folder.path(name)
  }

  private func structure(_ type: UInt8, _ data: [UInt8]) -> [UInt8] {
    [UInt8(data.count + 1), type] + data
  }

  @Test(.needs(program: "/usr/bin/tshark"))
  func `counts and levels of a bundled recording are tshark's`() throws {
    let fields = try tsharkFields(
      walk, "bthci_evt.le_meta_subevent == 2 || bthci_evt.le_meta_subevent == 0x0d",
      "bthci_evt.bd_addr", "bthci_evt.rssi", "frame.time_epoch")
    // Each beacon of the simulated room has an address of its own.
    var levels: [String: [Double]] = [:]
    for row in fields { levels[row[0], default: []].append(try #require(Double(row[1]))) }
    let devices = try devices([walk])
    #expect(devices.count == levels.count)
    #expect(devices.count == 8)
    func key(_ mean: Double, _ count: Int) -> String { "\(count) \(String(format: "%.9f", mean))" }
    let expected = levels.values.map { key($0.reduce(0, +) / Double($0.count), $0.count) }
    let found = try devices.map { device in
      let levels = try #require(device["rssi_dbm"] as? [String: Double])
      return key(try #require(levels["mean"]), try #require(device["sightings"] as? Int))
    }
    #expect(found.sorted() == expected.sorted())
  }

  @Test func `a trace gives what its recording gives, and JSON has its keys`() throws {
    let trace = folder.path("t.h5")
    #expect(try rssi("import", walk, "-o", trace).exitCode == 0)
    let devices = try devices([trace])
    #expect(
      try JSONSerialization.data(withJSONObject: devices, options: .sortedKeys)
        == JSONSerialization.data(withJSONObject: self.devices([walk]), options: .sortedKeys))
    for device in devices {
      #expect(
        Set(device.keys) == [
          "beacon", "name", "company", "kind", "sightings", "rate_hz", "rssi_dbm",
          "stated_power_dbm", "first", "last", "channels",
        ])
      #expect(
        Set((device["rssi_dbm"] as? [String: Any] ?? [:]).keys) == [
          "min", "median", "mean", "max", "sd",
        ])
      #expect(device["kind"] as? String == "ibeacon")
      #expect(device["stated_power_dbm"] as? Double == -59)
    }
    let info = try json(rssi("info", trace, "--json").output)
    #expect(devices.compactMap { $0["first"] as? String }.min() == info["start"] as? String)
    #expect(devices.compactMap { $0["last"] as? String }.max() == info["end"] as? String)
  }

  @Test func `names and companies come from all packets of an address`() throws {
    let beacon: [UInt8] =
      structure(1, [6])
      + structure(
        0xFF, [0x4C, 0, 2, 0x15] + [UInt8](repeating: 0xAB, count: 16) + [0, 1, 0, 2, 0xC5])
    let path = try recording(
      [
        (0, 1, 0, beacon, -60), (0.01, 1, 4, structure(9, Array("Door 1".utf8)), -62),
        (1, 1, 0, beacon, -61), (1.5, 2, 0, structure(0xFF, [0x4C, 0, 0x10]), -80),
        (2, 2, 0, structure(0xFF, [0x4C, 0, 0x10]) + structure(0x0A, [8]), -81),
        (3, 3, 0, structure(8, [0x1B, 0x5B, 0x33, 0x31, 0x6D]), 127),
      ], "r.btsnoop")
    let rows = try devices([path, "--sort", "beacon"])
    try #require(rows.count == 4)
    let frame = rows[3]
    #expect(frame["name"] as? String == "Door 1")
    #expect(frame["company"] is NSNull)
    #expect(frame["stated_power_dbm"] as? Double == -59)
    #expect((frame["sightings"] as? Int, frame["rate_hz"] as? Double) == (2, 1))
    let phone = rows[1]
    let isKnown = ["/etc", "/usr/lib", "/lib"].contains {
      FileManager.default.fileExists(
        atPath: "\($0)/udev/hwdb.d/20-bluetooth-vendor-product.hwdb")
    }
    #expect(phone["company"] as? String == (isKnown ? "Apple, Inc." : "0x004C"))
    #expect(phone["stated_power_dbm"] as? Double == 8)
    // A name cannot steer the terminal; data hold it as it is.
    #expect(rows[2]["name"] as? String == "\u{1B}[31m")
    #expect((rows[2]["rssi_dbm"] as? [String: Any])?["mean"] is NSNull)
    let text = try rssi("beacons", path).output
    #expect(!text.contains("\u{1B}"))
    #expect(text.contains("u{1b}[31m"))
    #expect(text.contains("\n4 devices, 6 "))
  }

  @Test func `the text keeps to 80 columns, and has the common UUID once`() throws {
    let result = try rssi("beacons", walk, "--sort", "beacon")
    #expect(result.exitCode == 0, "\(result.error)")
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.count == 12)
    #expect(lines.first?.hasPrefix("device ") == true)
    #expect(lines[2].hasPrefix("ibeacon:…:1:1 "))
    #expect(lines[10] == "… = 5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365")
    #expect(lines[11] == "8 devices, 1064 sightings")
  }

  @Test func `docs/beacons.md shows the true output`() throws {
    let page = try String(
      contentsOf: repositoryRoot.appending(path: "docs/beacons.md"), encoding: .utf8)
    let block = try #require(page.split(separator: "```").first { $0.hasPrefix("\ndevice ") })
    #expect(try rssi("beacons", walk).output == block.dropFirst())
  }

  @Test func `CSV has full identities and its numbers, by Python's csv`() throws {
    let path = folder.path("devices.csv")
    let written = try rssi("beacons", walk, "-o", path)
    #expect(written.exitCode == 0, "\(written.error)")
    #expect(written.output == "")
    let printed = try rssi("beacons", walk, "--format", "csv").output
    #expect(try String(contentsOfFile: path, encoding: .utf8) == printed)
    let read = try runPython(
      """
      import csv, sys
      for row in csv.DictReader(open(sys.argv[1])):
          print(row["beacon"], row["sightings"], float(row["rssi_mean_dbm"]) < 0, row["first"][-1])
      print(",".join(row))
      """, [path])
    let lines = read.output.split(separator: "\n")
    #expect(lines.count == 9)
    #expect(lines[0] == "ibeacon:5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:3 146 True Z")
    #expect(
      lines[8]
        == "beacon,name,company,kind,sightings,rate_hz,rssi_min_dbm,rssi_median_dbm,rssi_mean_dbm,"
        + "rssi_max_dbm,rssi_sd_db,stated_power_dbm,first,last,channels")
    // A name that a spreadsheet would evaluate.
    let formula = try recording(
      [(0, 1, 0, structure(9, Array("=1+1".utf8)), -60)], "formula.btsnoop")
    #expect(try rssi("beacons", formula, "--format", "csv").output.contains(",'=1+1,"))
  }

  @Test func `a folder is its traces, and devices of several files are one`() throws {
    let traces = folder.url.appending(path: "traces")
    try FileManager.default.createDirectory(at: traces, withIntermediateDirectories: true)
    var sum = 0
    for number in 1...2 {
      let trace = traces.appending(path: "walk-\(number).h5").path
      let recording = walk.replacing("walk-1", with: "walk-\(number)")
      #expect(try rssi("import", recording, "-o", trace).exitCode == 0)
      sum += try sightings(trace)
    }
    let rows = try devices([traces.path])
    #expect(rows.count == 8)
    #expect(rows.compactMap { $0["sightings"] as? Int }.reduce(0, +) == sum)
    let text = try rssi("beacons", traces.path).output
    #expect(text.contains("\n8 devices, \(sum) "))
    // No output replaces a trace of the folder.
    let output = traces.appending(path: "walk-1.h5").path
    #expect(try rssi("beacons", traces.path, "-o", output).exitCode == 64)
  }

  @Test func `streams and tables`() throws {
    let line = #"{"time_s":1,"beacon":"tag","receiver":"r","rssi_dbm":-63.5,"channel":37}"# + "\n"
    let result = try rssi("beacons", "-", input: line)
    #expect(result.output.contains("\n1 device, 1 "))
    #expect(result.output.contains(" -63.5 "))
  }

  @Test func `unusable inputs`() throws {
    let empty = try folder.write("time_s,receiver,beacon,rssi_dbm\n", to: "empty.csv")
    #expect(try rssi("beacons", empty).exitCode == 65)
    let silent = try recording([], "silent.btsnoop")
    let trace = folder.path("silent.h5")
    #expect(try rssi("import", silent, "-o", trace).exitCode == 0)
    let none = try rssi("beacons", trace)
    #expect((none.exitCode, none.output) == (0, "0 devices, 0 sightings\n"))
    #expect(try devices([trace]).isEmpty)
    #expect(try rssi("beacons", trace, "--format", "csv").output.split(separator: "\n").count == 1)

    let damaged = folder.path("damaged.h5")
    let whole = try Data(contentsOf: URL(filePath: trace))
    try whole.prefix(whole.count / 2).write(to: URL(filePath: damaged))
    #expect(try rssi("beacons", damaged).exitCode == 65)
    #expect(try rssi("beacons", folder.path("missing.h5")).exitCode == 66)
    #expect(try rssi("beacons", trace, trace).exitCode == 65)
    #expect(try rssi("beacons", walk, "--json", "--format", "csv").exitCode == 64)
    #expect(try rssi("beacons", walk, "--sort", "height").exitCode == 64)
  }
}
