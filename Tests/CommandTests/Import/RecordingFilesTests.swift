import Foundation
import TestSupport
import Testing

@Suite("Files as people bring them: doubled, joined, cut, with a clock that was set")
struct RecordingFilesTests {
  private let folder: TemporaryDirectory
  private let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path

  init() throws { folder = try TemporaryDirectory() }

  private func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(filePath: folder.path(name)))
    return folder.path(name)
  }

  /// A btsnoop file of a beacon's reports at times in seconds.
  ///
  /// - Parameter length: the bytes that are recorded of each packet; nil = all.
  private func recording(_ times: [Double], levels: [Int8] = [-60], length: Int? = nil) -> [UInt8] {
    func big(_ number: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
    let beacon: [UInt8] =
      [2, 1, 6, 26, 0xFF, 0x4C, 0, 2, 21] + Array(1...16) + [0, 1, 0, 7, 0xC5]
    return times.enumerated().reduce(
      into: Array("btsnoop\0".utf8) + big(UInt32(1)) + big(UInt32(1002))
    ) {
      let packet: [UInt8] =
        [4, 0x3E, 42, 2, 1, 3, 1, 6, 5, 4, 3, 2, 0xC1, 30] + beacon
        + [UInt8(bitPattern: levels[$1.offset % levels.count])]
      $0 += big(UInt32(packet.count)) + big(UInt32(length ?? packet.count)) + big(UInt32(3))
      $0 += big(UInt32(0)) + big(0x00DC_DDB3_0F2F_8000 + Int64($1.element * 1e6))
      $0 += packet.prefix(length ?? packet.count)
    }
  }

  @Test(arguments: [
    ["import", "-o", "x.h5"], ["beacons"], ["fit"], ["calibrate", "--distance", "1m"],
    ["filter", "--compare", "kalman"],
  ])
  func `a file that is given twice is refused by every stage, which names both`(stage: [String])
    throws
  {
    let copy = folder.path("copy.btsnoop")
    let link = folder.path("link.btsnoop")
    try FileManager.default.copyItem(atPath: walk, toPath: copy)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: walk)
    let options = stage.map { $0 == "x.h5" ? folder.path($0) : $0 }
    for other in [walk, copy, link, folder.path("./copy.btsnoop")] {
      let first = other == folder.path("./copy.btsnoop") ? copy : walk
      let result = try runProgram(
        builtProgram, [options[0], first, other] + options.dropFirst())
      #expect(result.exitCode == 65, "\(other) \(result.error)")
      #expect(
        result.error.contains(first) && result.error.contains(other == first ? first : "btsnoop"))
      #expect(result.error.contains("would count twice"))
    }
    #expect(try !folder.names().contains("x.h5"))
  }

  @Test func `traces that are copies are refused by merge, eval, locate and export`() throws {
    let (one, two) = (folder.path("one.h5"), folder.path("two.h5"))
    #expect(try rssi("import", walk, "-o", one).exitCode == 0)
    try FileManager.default.copyItem(atPath: one, toPath: two)
    for stage in [
      ["merge", "-o", folder.path("x.h5")], ["eval"], ["locate"], ["export", "-o", "-"],
      ["map", "-o", folder.path("x.h5")],
    ] {
      let result = try runProgram(
        builtProgram, [stage[0], one, two] + stage.dropFirst())
      #expect(
        result.exitCode == 65 && result.error.contains("\(one) and \(two)"),
        "\(stage) \(result.error)")
    }
    #expect(try rssi("info", one, one).exitCode == 0)
  }

  @Test func `joined recordings are read whole, and what belongs to no record is counted`() throws {
    let (one, two) = (recording([1_714_557_600, 1_714_557_601]), recording([1_714_557_602]))
    for (bytes, sightings, unread) in [
      (one + two, 3, 0), (one.dropLast(7) + two, 2, 24 + 45 - 7),
      (one + Array("rubbish".utf8), 2, 7),
      (one + [UInt8](repeating: 0, count: 4096), 2, 4096), (one, 2, 0),
    ] {
      let path = try write(Array(bytes), to: "joined.btsnoop")
      let result = try rssi("import", path, "-o", folder.path("x.h5"), "--json")
      #expect(result.exitCode == 0)
      let report = try json(result.output)
      #expect(report["sightings"] as? Int == sightings)
      #expect(report["bytes_unread"] as? Int == unread)
      #expect(result.error.contains("not read") == (unread > 0), "\(result.error)")
    }
  }

  @Test func `recordings that overlap, and sightings that are there twice, are warned of`()
    throws
  {
    let times = (0..<300).map { 1_714_557_600 + Double($0) / 10 + 0.003 }
    let one = try write(recording(Array(times[..<200])), to: "one.btsnoop")
    let two = try write(recording(Array(times[150...])), to: "two.btsnoop")
    let result = try rssi("import", one, two, "-o", folder.path("x.h5"))
    #expect(result.exitCode == 0)
    #expect(
      result.error.contains("have about 33 %"))
    let joined = try write(recording(times) + recording(times), to: "both.btsnoop")
    let both = try rssi("import", joined, "-o", folder.path("x.h5"))
    #expect(both.error.contains("100 % of the"))
    #expect(try !rssi("import", one, "-o", folder.path("x.h5")).error.contains("twice"))
    // Whole seconds have equal rows that are not the same.
    let table = try folder.write(
      "time_s,receiver,beacon,rssi_dbm\n"
        + (0..<200).map { "\(1_714_557_600 + $0 / 4),r,b,-60\n" }.joined(), to: "whole.csv")
    #expect(try !rssi("import", table, "-o", folder.path("x.h5")).error.contains("twice"))
  }

  @Test func `cut packets are named with what to do`() throws {
    let cut = try write(
      recording((0..<50).map { 1_714_557_600 + Double($0) }, length: 20), to: "snap.log")
    let result = try rssi("import", cut, "-o", folder.path("x.h5"))
    #expect(
      result.error.contains("cut at 20 bytes"))
    #expect(!result.error.contains("while a program"))
  }

  @Test func `a clock that was set is reported by import, and blamed by filter`() throws {
    let times = (0..<50).map { 1_714_557_600 + Double($0) / 10 - ($0 < 25 ? 0 : 3600) }
    let set = try write(recording(times), to: "set.log")
    let trace = folder.path("set.h5")
    let imported = try rssi("import", set, "-o", trace, "--json")
    #expect(imported.error.contains("go back by 1 h"))
    #expect(try json(imported.output)["gaps"] as? [String: Int] == ["clock-step": 1])
    let filtered = try rssi("filter", trace, "-o", folder.path("f.h5"), "--json")
    #expect(filtered.error.contains("went back in time"), "\(filtered.error)")
    #expect(!filtered.error.contains("--reset-after"))
    let report = try json(filtered.output)
    #expect(report["restarts"] as? Int == 1 && report["clock_steps"] as? Int == 1)
  }

  @Test func `import takes a span of time of recordings, tables and streams`() throws {
    let times = (0..<120).map { 1_714_557_600 + Double($0) }
    let log = try write(recording(times), to: "log.btsnoop")
    let table = try folder.write(
      "time_s,receiver,beacon,rssi_dbm\n"
        + times.map { "\(Int($0)),r,b,-60\n" }.joined(), to: "table.csv")
    let stream = try folder.write(
      times.map { #"{"time_s":\#(Int($0)),"receiver":"r","beacon":"b","rssi_dbm":-60}"# + "\n" }
        .joined(),
      to: "lines.ndjson")
    for file in [log, table, stream] {
      for (span, count) in [
        (["--from", "+30s", "--to", "+90s"], 60), (["--to", "+1m"], 60), (["--from", "+2m"], nil),
        (["--from", "2024-05-01T10:01:50Z"], 10),
        (["--from", "1714557600", "--to", "1714557601"], 1),
      ] as [([String], Int?)] {
        let result = try runProgram(
          builtProgram, ["import", file, "-o", folder.path("x.h5"), "--json"] + span)
        guard let count else {
          #expect(result.exitCode == 65 && result.error.contains("is in the selected span"))
          continue
        }
        #expect(result.exitCode == 0, "\(result.error)")
        let report = try json(result.output)
        #expect(report["sightings"] as? Int == count, "\(file) \(span)")
        #expect(report["reports"] as? Int == 120)
      }
    }
    #expect(
      try rssi("import", log, "-o", folder.path("x.h5"), "--from", "+9s", "--to", "+3s").exitCode
        == 64)
  }

  @Test func `calibrate cuts a log of several poses, whichever stage names the distance`()
    throws
  {
    // Three poses of a minute, and ten seconds of the next.
    let times = (0..<1900).map { 1_714_557_600 + Double($0) / 10 }
    let levels = (0..<1900).map { [Int8(-60), -58, -62, -90][$0 / 600] }
    let log = try write(recording(times, levels: levels), to: "log.btsnoop")
    let trace = folder.path("metre.h5")
    #expect(try rssi("import", log, "--distance", "1m", "-o", trace).exitCode == 0)
    for arguments in [[log, "--distance", "1m"], [trace]] {
      let result = try runProgram(
        builtProgram, ["calibrate", "--split", "1m", "--json"] + arguments)
      #expect(result.exitCode == 0, "\(result.error)")
      let beacons = try #require(json(result.output)["beacons"] as? [[String: Any]])
      let power = try #require(beacons.first?["measured_power_dbm"] as? Double)
      #expect(abs(power + 60) < 1e-6)
      let poses = try #require(beacons.first?["poses"] as? [[String: Any]])
      #expect(poses.map { $0["pose"] as? String }.count == 3)
    }
    let named = try rssi(
      "calibrate", log, "--distance", "1m", "--split", "1m", "--pose", "a", "--pose", "b", "--pose",
      "c")
    #expect(named.exitCode == 0 && named.output.contains("\n  b "), "\(named.output)")
    let refused = try rssi("calibrate", log, "--distance", "1m", "--split", "1m", "--pose", "a")
    #expect(refused.exitCode == 64 && refused.error.contains("3 poses of --split"))
    #expect(try rssi("calibrate", log, "--distance", "1m", "--split", "1s").exitCode == 64)
  }
}
