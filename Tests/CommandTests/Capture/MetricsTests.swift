import Foundation
import TestSupport
import Testing

private let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path

@Suite("--metrics of running stages") struct MetricsTests {
  let folder: TemporaryDirectory
  let trace: String
  let whole: Int

  init() throws {
    folder = try TemporaryDirectory()
    trace = folder.path("trace.h5")
    // What another stage reads in the same recording.
    whole = try importedSightings(walk, in: folder)
  }

  /// A capture that has received all of the walk, and waits for one more report.
  private func capture(_ address: String = "0", _ options: String...) throws -> RunningProgram {
    try RunningProgram(
      builtProgram,
      ["capture", "replay:" + heldRecording(of: walk, in: folder), "--speed", "100"]
        + ["--metrics", address, "-o", trace] + options)
  }

  private func stop(_ program: RunningProgram) throws {
    program.send(SIGTERM)
    let result = program.wait()
    #expect(result.exitCode == 0, "\(result.error)")
  }

  @Test func `counts what info counts`() throws {
    let program = try capture()
    let isWhole = try program.waits {
      try scrapedMetrics(of: program)["rssi_latency_seconds_count"] == Double(whole)
    }
    #expect(isWhole)
    let metrics = try scrapedMetrics(of: program)
    try stop(program)
    let info = try json(rssi("info", trace, "--json").output)
    #expect(info["sightings"] as? Int == whole)
    #expect(metrics["rssi_sightings_total"] == Double(whole))
    #expect(metrics["rssi_reports_total"] == Double(whole))
    #expect(metrics["rssi_queue_sightings"] == 0)
    #expect(metrics["rssi_latency_seconds_bucket{le=\"+Inf\"}"] == Double(whole))
    #expect(metrics["rssi_gaps_total{reason=\"overflow\"}"] == 0)
    #expect(
      metrics["process_start_time_seconds"].map { abs($0 - Date().timeIntervalSince1970) < 600 }
        == true)
  }

  @Test func `an address in use ends it before a file is touched`() throws {
    let (socket, port) = try listeningSocket()
    defer { close(socket) }
    try Data("old".utf8).write(to: URL(filePath: trace))
    let result = try capture("127.0.0.1:\(port)").wait()
    #expect(result.exitCode == 69)
    #expect(result.error.contains("127.0.0.1:\(port)"))
    #expect(try String(contentsOfFile: trace, encoding: .utf8) == "old")
  }

  @Test(arguments: ["", "x", "host", "1.2.3.4:", ":1", "127.0.0.1:65536", "::1:9464"])
  func `refuses what is not an address`(text: String) throws {
    let result = try capture(text).wait()
    #expect(result.exitCode == 64)
    #expect(result.error.contains("HOST:PORT"))
  }

  @Test
  func `a page under a foreign name that points at this machine reads nothing`() throws {
    let program = try capture()
    let port = try metricsPort(of: program)
    func status(_ host: String) throws -> Int {
      try httpResponse("/metrics", port: port, host: host).status
    }
    var name = [UInt8](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    let machine = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
    for own in ["127.0.0.1", "localhost", "[::1]", "192.0.2.7", machine, machine + ".local"] {
      #expect(try status("\(own):\(port)") == 200, "\(own)")
    }
    for foreign in [
      "evil.example:\(port)", "127.0.0.1.evil.example:\(port)", "localhost.evil.example:\(port)",
      "127.0.0.1:\(port == 80 ? 81 : 80)", "", machine + ".evil.example:\(port)",
    ] { #expect(try status(foreign) == 421, "\(foreign)") }
    try stop(program)
  }

  @Test(arguments: [
    ["watch", walk], ["locate", walk], ["calibrate", walk, "--all-beacons"],
    ["filter", walk, "-o", "x.h5"],
    ["advertise", "eddystone-url:https://example.org", "--measured-power", "-59", "--print"],
  ])
  func `is for stages that run until stopped`(command: [String]) throws {
    let result = try runProgram(builtProgram, command + ["--metrics", "0"])
    #expect(result.exitCode == 64)
    #expect(result.error.contains("until it is stopped"), "\(result.error)")
  }

  @Test func `a watch of a source counts too`() throws {
    let program = try RunningProgram(
      builtProgram,
      ["watch", "replay:" + heldRecording(of: walk, in: folder), "--speed", "100"]
        + ["--metrics", "0", "--format", "ndjson"])
    let isWhole = try program.waits {
      try scrapedMetrics(of: program)["rssi_sightings_total"] == Double(whole)
    }
    #expect(isWhole)
    let metrics = try scrapedMetrics(of: program)
    #expect(metrics["rssi_latency_seconds_count"] == Double(whole))
    #expect(metrics["rssi_reports_total"] == Double(whole))
    try stop(program)
  }

  /// A pose that does not end: what was received so far is counted.
  @Test func `a bench counts too`() throws {
    let program = try RunningProgram(
      builtProgram,
      ["calibrate", "replay:" + heldRecording(of: walk, in: folder), "--speed", "100"]
        + ["--metrics", "0", "--yes", "--all-beacons", "--poses", "1", "--duration", "1h"])
    let isWhole = try program.waits {
      try scrapedMetrics(of: program)["rssi_sightings_total"] == Double(whole)
    }
    #expect(isWhole, "\(program.error)")
    program.send(SIGTERM)
    let result = program.wait()
    #expect(result.error.contains("no pose is complete"), "\(result.error)")
  }

  @Test func `advertising is timed`() throws {
    let script = repositoryRoot.appending(path: "Tests/Rig/emu/h4_advertiser.py").path
    let controller = try RunningProgram(
      pythonPath, [script, folder.path("hci"), folder.path("commands.btsnoop")])
    try #require(controller.waits { controller.output.contains("ready") }, "\(controller.error)")
    let program = try RunningProgram(
      builtProgram,
      ["advertise", "eddystone-url:https://example.org", "h4:unix:" + folder.path("hci")]
        + ["--measured-power", "-59", "--metrics", "0"])
    let isAdvertising = try program.waits {
      try scrapedMetrics(of: program)["rssi_advertising_seconds"] ?? 0 > 0
    }
    #expect(isAdvertising, "\(program.error)")
    #expect(try scrapedMetrics(of: program)["rssi_advertising_restarts_total"] == 0)
    try stop(program)
  }

  @Test(.systemRun, .enabled(if: Broker.isInstalled, "needs Mosquitto: run scripts/bootstrap test"))
  func `a member of a session counts too`() throws {
    let broker = try Broker(in: folder)
    let member = try RunningProgram(
      builtProgram,
      ["session", "start", "lab", "replay:" + heldRecording(of: walk, in: folder)]
        + [
          "--name", "hall", "--members", "1", "--speed", "20", "--broker", broker.address,
          "--metrics", "0",
        ]
        + ["-o", trace])
    let isReceiving = try member.waits {
      try scrapedMetrics(of: member)["rssi_sightings_total"] ?? 0 > 0
    }
    #expect(isReceiving, "\(member.error)")
    let counted = try scrapedMetrics(of: member)
    try stop(member)
    // The counter never passes what the part has in the end.
    #expect(try sightings(trace) >= Int(counted["rssi_sightings_total"] ?? .nan))
  }

  @Test(arguments: ["watch", "filter"])
  func `a stage that reads lines counts them`(stage: String) throws {
    let lines = Pipe()
    let program = Process()
    program.executableURL = URL(filePath: builtProgram)
    program.arguments =
      [stage, "-", "--metrics", "0"] + (stage == "watch" ? ["--format", "ndjson"] : [])
    let messages = folder.url.appending(path: "messages")
    try Data().write(to: messages)
    (program.standardInput, program.standardOutput) = (lines, FileHandle.nullDevice)
    program.standardError = try FileHandle(forWritingTo: messages)
    try program.run()
    defer { program.waitUntilExit() }
    defer { try? lines.fileHandleForWriting.close() }
    let time = Date().timeIntervalSince1970
    let sighting = #""beacon":"b","receiver":"r","rssi_dbm":-60}"#
    try lines.fileHandleForWriting.write(
      contentsOf: Data(
        "{\"time_s\":\(time),\(sighting)\n{\"time_s\":1,\(sighting)\nnonsense\n".utf8))
    func page() throws -> String {
      let text = try String(contentsOf: messages, encoding: .utf8)
      guard let port = text.firstMatch(of: #/:(\d+)/metrics/#).flatMap({ Int($0.1) }) else {
        return ""
      }
      return try httpResponse("/metrics", port: port).body
    }
    let labels = "{stage=\"\(stage)\",source=\"-\""
    #expect(
      try eventually {
        let page = try page()
        return page.contains("rssi_sightings_total\(labels)} 2\n")
          && page.contains("rssi_rejected_total\(labels),reason=\"bad-json\"} 1\n")
          && page.contains("rssi_latency_seconds_count\(labels)} 1\n")
      })
  }
}
