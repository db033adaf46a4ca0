import Foundation
import TestSupport
import Testing

@Suite("Every packet is accounted for in text, JSON and the trace")
struct PacketReportTests {
  /// A btsnoop file of H4 packets, a second apart.
  private func recording(_ packets: [(bytes: [UInt8], drops: UInt32)]) -> [UInt8] {
    func big(_ number: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
    var file = Array("btsnoop\0".utf8) + big(UInt32(1)) + big(UInt32(1002))
    for (second, packet) in packets.enumerated() {
      let length = UInt32(packet.bytes.count)
      file += big(length) + big(length) + big(UInt32(3)) + big(packet.drops)
      file += big(0x00DC_DDB3_0F2F_8000 + (1_700_000_000 + Int64(second)) * 1_000_000)
      file += packet.bytes
    }
    return file
  }

  private func legacy(_ types: [UInt8]) -> [UInt8] {
    [4, 0x3E, UInt8(2 + 13 * types.count), 2, UInt8(types.count)]
      + types.flatMap { [$0, 1, 6, 5, 4, 3, 2, 1, 3, 2, 1, 6, 0xC4] }
  }

  private let directed: [UInt8] =
    [4, 0x3E, 18, 0x0B, 1, 1, 1, 6, 5, 4, 3, 2, 1, 1, 6, 5, 4, 3, 2, 1, 0xC4]
  private let periodic: [UInt8] = [4, 0x3E, 8, 0x0F, 0, 0, 127, 0xC4, 0xFF, 0, 0]

  /// A fragment of an extended advertisement, of which more follows or not.
  private func fragment(isLast: Bool) -> [UInt8] {
    [4, 0x3E, 29, 0x0D, 1, isLast ? 0 : 0x20, 0, 1, 6, 5, 4, 3, 2, 1, 1, 1, 5, 127, 0xC4]
      + [UInt8](repeating: 0, count: 9) + [3, 2, 1, 6]
  }

  /// 10 packets, 5 of them with 6 reports, and one that is cut.
  private var mixture: [UInt8] {
    let file = recording([
      (legacy([3, 9]), 0), ([1, 3, 0x0C, 0], 0), (directed, 4), (periodic, 4),
      (fragment(isLast: false), 4), (fragment(isLast: true), 4), ([2, 0, 0, 0, 0], 4),
      ([4, 0x3E, 0], 4), (legacy([3]), 7), (periodic, 7), (legacy([3]), 7),
    ])
    return file.dropLast(2)
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(filePath: path))
  }

  /// Checks the sums that any report must satisfy.
  private func checkSums(_ report: [String: Any]) throws {
    func number(_ key: String) throws -> Int { try #require(report[key] as? Int, "\(key)") }
    let others = try #require(report["other_events"] as? [String: Int])
    #expect(
      try number("packets") == number("packets_with_reports") + others.values.reduce(0, +)
        + number("rejected_packets"))
    #expect(
      try number("reports") == number("sightings") + (report["left_out"] as? Int ?? 0)
        + number("joined_fragments") + number("pointers") + number("rejected_reports"))
  }

  private func checkMixture(_ report: [String: Any]) throws {
    try checkSums(report)
    for (key, value) in [
      ("packets", 11), ("packets_with_reports", 5), ("rejected_packets", 2), ("reports", 6),
      ("sightings", 4), ("joined_fragments", 1), ("pointers", 0), ("rejected_reports", 1),
      ("dropped", 7),
    ] { #expect(report[key] as? Int == value, "\(key)") }
    #expect(
      report["other_events"] as? [String: Int]
        == ["command": 1, "le-periodic-advertising-report": 2, "acl-data": 1])
    #expect(
      report["rejected"] as? [String: Int]
        == ["reserved-event-type": 1, "truncated-event": 1, "truncated-record": 1])
    #expect(report["gaps"] as? [String: Int] == ["overflow": 2])
  }

  @Test func `import and replay agree`() throws {
    let folder = try TemporaryDirectory()
    let (path, trace) = (folder.path("mixture.btsnoop"), folder.path("t.h5"))
    try write(mixture, to: path)
    let result = try rssi("import", path, "-o", trace, "--json")
    #expect(result.exitCode == 0, "\(result.error)")
    try checkMixture(json(result.output))
    let replay = try rssi(
      "capture", "replay:\(path)", "--speed", "max", "-o", folder.path("r.h5"), "--json")
    #expect(replay.exitCode == 0, "\(replay.error)")
    try checkMixture(json(replay.output))

    for file in [trace, folder.path("r.h5")] {
      let info = try json(rssi("info", file, "--json").output)
      #expect(info["joined_fragments"] as? Int == 1)
      #expect((info["other_events"] as? [String: Int])?.count == 3)
      #expect((info["rejected"] as? [String: Int])?.count == 3)
      let rows = try runPython(
        """
        import h5py, sys
        with h5py.File(sys.argv[1]) as f:
            rejected = f["rejected"]
            print(dict(zip(rejected["reason"].asstr()[:].tolist(), rejected["count"][:].tolist())))
            gaps, start = f["gaps"], f.attrs["start"].decode()
            print(start, [list(map(round, gaps[c][:])) for c in ("start_s", "end_s", "dropped")])
        """, [file])
      #expect(rows.exitCode == 0, "\(rows.error)")
      #expect(rows.output.contains("'other:le-periodic-advertising-report': 2"))
      #expect(rows.output.contains("'report:joined-fragment': 1"))
      #expect(rows.output.contains("2023-11-14T22:13:20Z [[1, 7], [2, 8], [4, 3]]"))
    }
    let text = try rssi("import", path, "-o", trace).output
    #expect(text.contains("11: 5 with reports") && text.contains("4 other, 2 refused"))
    #expect(
      text.contains("6: 4 sightings") && text.contains("1 joined fragments"))
    #expect(text.contains("2 × le-periodic"))
  }

  @Test func `tables have reports but no packets`() throws {
    let folder = try TemporaryDirectory()
    try write(mixture, to: folder.path("mixture.btsnoop"))
    try write(
      Array("time_s,receiver,beacon,rssi_dbm\n1,a,b,-60\nx,a,b,-60\n2,a,b,-61\n".utf8),
      to: folder.path("t.csv"))
    try write(
      Array(#"{"time_s":1,"beacon":"b","receiver":"a","rssi_dbm":-60}"#.utf8)
        + Array("\nno\n".utf8),
      to: folder.path("t.ndjson"))
    let result = try rssi(
      "import", folder.path("mixture.btsnoop"), folder.path("t.csv"), folder.path("t.ndjson"), "-o",
      folder.path("t.h5"), "--json")
    let report = try json(result.output)
    try checkSums(report)
    #expect(report["packets"] as? Int == 11)
    #expect(report["reports"] as? Int == 11)
    #expect(report["rejected_reports"] as? Int == 3)
  }

  @Test func `packets without a sighting are reported`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("quiet.btsnoop")
    try write(recording([(periodic, 0), (periodic, 0), ([4, 0x3E, 0], 0)]), to: path)
    let result = try rssi("import", path, "-o", folder.path("t.h5"))
    #expect(result.exitCode == 0)
    #expect(
      result.error.contains("3 packets") && result.error.contains("2 le-periodic")
        && result.error.contains("1 refused as"))
    let replay = try rssi("capture", "replay:\(path)", "--speed", "max", "-o", folder.path("r.h5"))
    #expect(replay.exitCode == 0)
    #expect(replay.error.contains("3 packets"))
    let info = try json(rssi("info", folder.path("r.h5"), "--json").output)
    #expect(info["other_events"] as? [String: Int] == ["le-periodic-advertising-report": 2])
  }

  @Test(.needs(data: "captures"))
  func `every public recording`() throws {
    let folder = try #require(sharedData("captures"))
    let paths = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.contains(".btsnoop") || $0.contains(".pcap") }.map { "\(folder.path)/\($0)" }
    let output = try TemporaryDirectory()
    for path in paths {
      let result = try rssi("import", path, "-o", output.path("t.h5"), "--json", "--quiet")
      #expect(result.exitCode == 0, "\(result.error)")
      let imported = try json(result.output)
      try checkSums(imported)
      let replay = try rssi(
        "capture", "replay:\(path)", "--speed", "max", "-o", output.path("r.h5"), "--json",
        "--quiet", "--no-pack")
      #expect(replay.exitCode == 0, "\(replay.error)")
      let replayed = try json(replay.output)
      try checkSums(replayed)
      for key in ["packets", "packets_with_reports", "rejected_packets", "reports", "sightings"] {
        #expect(replayed[key] as? Int == imported[key] as? Int, "\(key) of \(path)")
      }
    }
  }

  @Test func `unselected parts are left out, and still accounted for`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("mixture.btsnoop")
    try write(mixture, to: path)
    for options in [["--min-rssi", "-50"], ["--count", "2"], ["--kind", "ibeacon"]] {
      let result = try runProgram(
        builtProgram,
        ["capture", "replay:\(path)", "--speed", "max", "-o", folder.path("t.h5"), "--json"]
          + options)
      #expect(result.exitCode == 0, "\(result.error)")
      let report = try json(result.output)
      try checkSums(report)
      #expect(report["reports"] as? Int == 6)
      #expect(report["left_out"] as? Int == (options[0] == "--count" ? 2 : 4))
    }
  }
}
