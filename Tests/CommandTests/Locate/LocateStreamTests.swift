import Foundation
import Glibc
import TestSupport
import Testing

@Suite("rssi locate as sightings come")
struct LocateStreamTests {
  let folder: TemporaryDirectory
  let site: String
  let calibration: String

  init() throws {
    folder = try TemporaryDirectory()
    var text = ""
    for (node, x, y) in [("a", 0, 0), ("b", 6, 0), ("c", 0, 6), ("d", 6, 6)] {
      text += "[[anchors]]\nnode = \"\(node)\"\nrole = \"beacon\"\nx_m = \(x)\ny_m = \(y)\n"
    }
    site = try folder.write(text, to: "site.toml")
    var table = "series,time_s,receiver,beacon,distance_m,rssi_dbm\n"
    for (number, distance) in [0.5, 1, 2, 4, 8, 12].enumerated() {
      for reading in 0..<20 {
        let level = -59 - 20 * log10(distance) + Double(reading % 5) - 2
        table += "bench,\(number * 100 + reading),phone,a,\(distance),\(Int(level.rounded()))\n"
      }
    }
    calibration = folder.path("c.json")
    let fit = try rssi("fit", try folder.write(table, to: "d.csv"), "-o", calibration)
    guard fit.exitCode == 0 else {
      throw CocoaError(.featureUnsupported, userInfo: ["error": fit.error])
    }
  }

  private func line(
    _ time: Double, _ beacon: String, _ level: Int = -70, receiver: String = "phone"
  ) -> String {
    "{\"time_s\":\(String(format: "%.6f", time)),\"beacon\":\"\(beacon)\",\"receiver\":\"\(receiver)\",\"rssi_dbm\":\(level)}\n"
  }

  private func locate(_ input: String, _ arguments: String...) throws -> ProgramResult {
    try runProgram(
      builtProgram,
      ["locate", "-", "--site", site, "--calibration", calibration] + LocateRoom.quick + arguments,
      input: Data(input.utf8))
  }

  @Test func `a stream without an anchor names what was heard`() throws {
    let result = try locate(line(0, "e") + line(1, "f"))
    #expect(result.exitCode == 0)
    #expect(
      result.error.contains("beacons: e, f"), "\(result.error)")
  }

  @Test func `levels that a filter made are warned of, once`() throws {
    let raw = (0..<8).map { line(Double($0) * 0.5, ["a", "b", "c", "d"][$0 % 4]) }.joined()
    let filtered = raw.replacing("}\n", with: ",\"variance_db2\":2.5}\n")
    #expect(try !locate(raw).error.contains("filtered"))
    let warned = try locate(filtered)
    #expect(warned.exitCode == 0)
    #expect(
      warned.error.components(separatedBy: "warning: the stream contains filtered levels").count
        == 2,
      "\(warned.error)")
  }

  private func rows(_ result: ProgramResult) throws -> [[String: Any]] {
    #expect(result.exitCode == 0, "\(result.error)")
    return try result.output.split(separator: "\n").map { try json(String($0)) }
  }

  /// Sightings of all anchors, eight times per second.
  private func walk(_ times: StrideTo<Double>) -> String {
    times.flatMap { time in ["a", "b", "c", "d"].map { line(time, $0) } }.joined()
  }

  /// `rssi locate` on a stream that a test writes, and that it is at the end of: it waits for more.
  private func locating() throws -> (program: RunningProgram, pipe: FileHandle) {
    let input = folder.path(UUID().uuidString)
    try #require(mkfifo(input, 0o600) == 0)
    let program = try RunningProgram(
      "/bin/sh",
      [
        "-c", "exec \"$0\" locate - --site \"$1\" --calibration \"$2\" <\"$3\"", builtProgram, site,
        calibration, input,
      ])
    let pipe = try #require(FileHandle(forWritingAtPath: input))
    #expect(program.waitsUntilIdle(), "\(program.error)")
    return (program, pipe)
  }

  @Test func `a position comes before the stream ends: when it is final, and no earlier`() throws {
    let (program, pipe) = try locating()
    func lines() -> Int { program.output.split(separator: "\n").count }
    try pipe.write(contentsOf: Data(walk(stride(from: 1000.0625, to: 1001.05, by: 0.125)).utf8))
    #expect(program.waitsUntilIdle())
    // The epoch of 1001 waits for what may be late.
    #expect(lines() == 0)
    try pipe.write(contentsOf: Data(line(1001.2, "a").utf8))
    #expect(program.waits { lines() == 1 })
    try pipe.write(contentsOf: Data(walk(stride(from: 1001.25, to: 1005, by: 0.125)).utf8))
    #expect(program.waits { lines() == 4 })
    try pipe.close()
    #expect(program.wait().exitCode == 0)
    #expect(lines() == 5)
  }

  @Test func `an epoch of the present ends by the clock where no line comes`() throws {
    let (past, present) = (try locating(), try locating())
    func lines(_ program: RunningProgram) -> Int { program.output.split(separator: "\n").count }
    let now = Date().timeIntervalSince1970.rounded(.down)
    for (start, pipe) in [(now - 1e8, past.pipe), (now, present.pipe)] {
      try pipe.write(
        contentsOf: Data(walk(stride(from: start + 0.1, to: start + 0.9, by: 0.125)).utf8))
    }
    // Of the silence, too, until it is too long; the other stream is as silent meanwhile.
    #expect(present.program.waits { lines(present.program) >= 3 })
    #expect(past.program.waitsUntilIdle() && lines(past.program) == 0)
    for (program, pipe) in [past, present] {
      try pipe.close()
      #expect(program.wait().exitCode == 0)
    }
  }

  @Test func `sightings that come too late are left out and counted, slightly late ones are not`()
    throws
  {
    let start = walk(stride(from: 1000.0625, to: 1002.1, by: 0.125))
    let onTime = try locate(start + line(1002.3, "a") + line(1002.25, "b") + line(1003.5, "a"))
    let late = try locate(
      start + line(1002.3, "a") + line(1001.5, "b") + line(1002.25, "b") + line(1003.5, "a"))
    #expect(late.output == onTime.output)
    #expect(late.error.contains("came too late"), "\(late.error)")
    #expect(!onTime.error.contains("late"))
    #expect(try rows(onTime).map { $0["time_s"] as? Double } == [1001, 1002, 1003, 1004])
  }

  @Test func `each trace and node has its own positions; --node and --trace choose`() throws {
    let one = walk(stride(from: 1000.0625, to: 1003, by: 0.125))
    let two = one.replacing("phone", with: "watch")
    let both = zip(one.split(separator: "\n"), two.split(separator: "\n")).map { "\($0)\n\($1)\n" }
      .joined()
    let found = try rows(try locate(both))
    #expect(
      found.map { $0["node"] as? String } == ["phone", "watch", "phone", "watch", "phone", "watch"])
    #expect(try rows(try locate(both, "--node", "watch")).count == 3)
    let named = both.replacing("{\"time_s\"", with: "{\"trace\":\"t\",\"time_s\"")
    #expect(try rows(try locate(named, "--trace", "t")).count == 6)
    #expect(try rows(try locate(named, "--trace", "other")).isEmpty)
  }

  @Test(arguments: [1.0, 7.0])
  func `survives what no sighting should be`(seed: Double) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let good = walk(stride(from: 1000.0625, to: 1004, by: 0.125)).split(separator: "\n").map(
      String.init)
    var lines: [String] = []
    for text in good {
      lines.append(text)
      switch Int.random(in: 0..<12, using: &generator) {
      case 0:
        lines.append("{\"time_s\":9.2e9,\"beacon\":\"a\",\"receiver\":\"phone\",\"rssi_dbm\":-60}")
      case 1:
        lines.append("{\"time_s\":-9.2e9,\"beacon\":\"a\",\"receiver\":\"phone\",\"rssi_dbm\":-60}")
      case 2:
        lines.append("{\"time_s\":1001,\"beacon\":\"a\",\"receiver\":\"phone\",\"rssi_dbm\":5}")
      case 3:
        lines.append("{\"time_s\":1001,\"beacon\":\"a\",\"receiver\":\"phone\",\"rssi_dbm\":null}")
      case 4: lines.append("{\"time_s\":1001,\"beacon\":\"x\",\"receiver\":\"y\",\"rssi_dbm\":-60}")
      case 5: lines.append(String(text.prefix(Int.random(in: 0..<text.count, using: &generator))))
      case 6:
        lines.append(
          "{\"time_s\":\(Double.random(in: 0...9e9, using: &generator)),\"beacon\":\"a\",\"receiver\":\"phone\",\"rssi_dbm\":-60}"
        )
      default: break
      }
    }
    let result = try locate(lines.joined(separator: "\n") + "\n", "--silence", "2s")
    #expect(result.exitCode == 0, "\(result.error)")
    for row in try rows(result) { #expect(row["reason"] is String || row["x_m"] is Double) }
  }

  /// The example's walk among its beacons, and a calibration.
  private func example() throws -> (walk: String, options: [String]) {
    let data = repositoryRoot.appending(path: "notebooks-data/example")
    let fitted = folder.path("example.json")
    let fit = try rssi("fit", data.appending(path: "distances.csv").path, "-o", fitted)
    try #require(fit.exitCode == 0, "\(fit.error)")
    return (
      data.appending(path: "walk-1.btsnoop").path,
      ["--calibration", fitted, "--nodes", data.appending(path: "nodes.csv").path]
        + LocateRoom.quick
    )
  }

  @Test func `a source is located as the stream of its capture is`() throws {
    let (walk, options) = try example()
    let direct = try runProgram(
      builtProgram, ["locate", "replay:\(walk)", "--speed", "max"] + options)
    let capture = try rssi("capture", "replay:\(walk)", "--speed", "max", "-o", "-")
    #expect(capture.exitCode == 0, "\(capture.error)")
    let piped = try runProgram(
      builtProgram, ["locate", "-"] + options, input: Data(capture.output.utf8))
    func positions(_ result: ProgramResult) throws -> [[Double?]] {
      try rows(result).map { row in
        ["time_s", "x_m", "y_m", "var_x_m2"].map { row[$0] as? Double }
      }
    }
    #expect(try positions(direct).count >= 19)
    #expect(try positions(direct) == positions(piped))
  }

  /// Fixed gateways are the anchors; the epoch of the last sighting ends by the clock.
  @Test(.enabled(if: NATSServer.isInstalled, "needs nats-server: run scripts/bootstrap test"))
  func `a stream of a NATS server is located live`() throws {
    let server = try NATSServer(in: folder)
    try server.createStream("SITE", of: "ruuvi.>")
    let gateways = [
      ("C8:00:00:00:00:01", 0, 0), ("C8:00:00:00:00:02", 6, 0), ("C8:00:00:00:00:03", 0, 6),
    ]
    var text = ""
    for (gateway, x, y) in gateways {
      text += "[[anchors]]\nnode = \"\(gateway)\"\nrole = \"receiver\"\nx_m = \(x)\ny_m = \(y)\n"
    }
    let site = try folder.write(text, to: "gateways.toml")
    let program = try RunningProgram(
      builtProgram,
      ["locate", server.url("SITE"), "--site", site, "--calibration", calibration]
        + ["--metrics", "0"])
    let tag = "F4:1F:0C:28:CB:D6"
    // What was published before it listened is not of the present.
    let isLocated = try program.waits {
      for (gateway, _, _) in gateways {
        try server.publish(
          [
            #"{"gw_mac":"\#(gateway)","rssi":-70,"data":"0201061AFF4C000215FDA50693A4E24FB1AFCFC6EB0764782500010001C5"}"#
          ],
          to: "ruuvi.\(gateway).\(tag)")
      }
      return program.output.contains("\"x_m\":")
    }
    #expect(isLocated, "\(program.output) \(program.error)")
    // A stage reports what it has printed after that.
    var metrics: [String: Double] = [:]
    let isReported = try program.waits {
      metrics = try scrapedMetrics(of: program)
      return (metrics["rssi_positions_total{outcome=\"located\"}"] ?? 0) >= 1
    }
    #expect(isReported, "\(metrics)")
    #expect((metrics["rssi_sightings_total"] ?? 0) >= 3)
    program.send(SIGTERM)
    let result = program.wait()
    #expect(result.exitCode == 0, "\(result.error)")
    let nodes = try result.output.split(separator: "\n").map {
      try json(String($0))["node"] as? String
    }
    #expect(Set(nodes) == ["ibeacon:FDA50693-A4E2-4FB1-AFCF-C6EB07647825:1:1"])
  }
}
