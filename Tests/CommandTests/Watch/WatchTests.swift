import Foundation
import TestSupport
import Testing

/// `rssi watch`, as a script uses it.
struct WatchTests {
  private func lines(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { try json(String($0)) }
  }

  /// A recording gives the same bytes as a file, as a stream, and played as if it were live.
  @Test func `events depend on the sightings alone`() throws {
    let folder = try TemporaryDirectory()
    let room = try simulatedRoom(in: folder)
    let walk = "\(room)/walk-1.btsnoop"
    let trace = folder.path("walk-1.h5")
    try #require(try rssi("import", walk, "--receiver", "hci0", "-o", trace).exitCode == 0)
    let options = ["--ranging", "--quiet", "--exit-after", "2s"]
    let program = builtProgram
    let file = try runProgram(program, ["watch", trace] + options)
    try #require(file.exitCode == 0, "\(file.error)")
    #expect(file.output.contains("\"event\":\"zone\""))
    #expect(try runProgram(program, ["watch", trace] + options).output == file.output)
    #expect(
      try runProgram(program, ["watch", walk] + options).output == file.output)
    // Lines have no measured power, so a registry provides it.
    let export = try runProgram(program, ["export", trace, "--format", "ndjson"])
    let calibration = folder.path("c.json")
    try #require(
      try rssi("fit", "\(room)/distances.csv", "-o", calibration, "--quiet").exitCode == 0)
    let calibrated = options + ["--calibration", calibration]
    let stream = try runProgram(
      program, ["watch", "-"] + calibrated, input: Data(export.output.utf8))
    #expect(stream.exitCode == 0, "\(stream.error)")
    #expect(try runProgram(program, ["watch", trace] + calibrated).output == stream.output)
    let live = try runProgram(
      program,
      ["watch", "replay:\(walk)", "--speed", "max", "--receiver", "hci0"] + calibrated)
    #expect(live.exitCode == 0, "\(live.error)")
    #expect(live.output == stream.output)
  }

  @Test func `a folder stands for its traces`() throws {
    let folder = try TemporaryDirectory()
    let room = try simulatedRoom(in: folder)
    let traces = folder.path("traces")
    try FileManager.default.createDirectory(atPath: traces, withIntermediateDirectories: false)
    #expect(try rssi("watch", traces).exitCode == 66)
    var alone = ""
    for walk in ["walk-1", "walk-2"] {
      let trace = "\(traces)/\(walk).h5"
      try #require(try rssi("import", "\(room)/\(walk).btsnoop", "-o", trace).exitCode == 0)
      alone += try rssi("watch", trace).output
    }
    #expect(try rssi("watch", traces).output == alone)
    let replayed = try rssi("watch", "replay:\(traces)", "--speed", "max", "--ranging")
    let lines = try lines(replayed.output)
    #expect(Set(lines.compactMap { $0["trace"] as? String }) == ["traces"])
    #expect(lines.count { $0["event"] as? String == "ranging" } > 30)
  }

  @Test func `regions come from the command line and the site`() throws {
    let folder = try TemporaryDirectory()
    let uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"
    let site = try folder.write(
      """
      [[regions]]
      name = "shop"
      beacons = "\(uuid):1"

      [[regions]]
      name = "till"
      beacons = "\(uuid):1:2"
      zones = ["immediate", "near"]
      range_m = 1.5
      """, to: "site.toml")
    var input = ""
    for (second, level) in [-80, -80, -60, -60, -60, -60, -60, -60].enumerated() {
      for minor in 1...3 {
        let id = "ibeacon:\(uuid):\(minor == 3 ? 2 : 1):\(minor)"
        input +=
          "{\"time_s\":\(1000 + second),\"beacon\":\"\(id)\",\"receiver\":\"r\",\"rssi_dbm\":\(minor == 2 ? level : -70)}\n"
      }
    }
    let registry = try folder.write(
      """
      {"format":"rssi-registry","format_version":1,"beacons":[
        {"id":"ibeacon:\(uuid):1:2","name":"till","measured_power_dbm":-65,"description":"Pay here"}]}
      """, to: "registry.json")
    let result = try rssi(
      "watch", "-", "--site", site, "--registry", registry, "--filter", "none", "--quiet",
      input: input)
    try #require(result.exitCode == 0, "\(result.error)")
    let events = try lines(result.output)
    func times(_ event: String, _ region: String?) -> [Double] {
      events.filter { $0["event"] as? String == event && $0["region"] as? String == region }
        .compactMap { $0["time_s"] as? Double }
    }
    #expect(times("enter", "shop") == [1000, 1000])
    #expect(times("region-enter", "shop") == [1000])
    #expect(times("enter", "till") == [1002])
    #expect(times("range-reached", nil) == [1002])
    let reached = try #require(events.first { $0["event"] as? String == "range-reached" })
    #expect(reached["description"] as? String == "Pay here")
    #expect(reached["name"] as? String == "till")
    #expect(!result.output.contains("\(uuid):2:3"))
    let chosen = try rssi(
      "watch", "-", "--region", "other=\(uuid):2@unknown,far", "--quiet", input: input)
    #expect(
      try lines(chosen.output).allSatisfy { $0["beacon"] as? String == "ibeacon:\(uuid):2:3" })
    #expect(
      try lines(chosen.output).map { $0["event"] as? String } == [
        "region-enter", "enter", "exit", "region-exit",
      ])
  }

  @Test func `seeks one beacon`() throws {
    let beacon = "addr:00:11:22:33:44:55"
    var input = ""
    var generator = SeededGenerator(seed: 4)
    for tenth in 0..<400 {
      // Comes from 20 m to 1 m between 10 s and 30 s, and is gone from 35 s.
      let seconds = Double(tenth) / 10
      let distance = 20 * pow(1.0 / 20, min(max((seconds - 10) / 20, 0), 1))
      let level = (-59 - 20 * log10(distance) + 2 * generator.gaussian()).rounded()
      if seconds < 35 {
        input +=
          "{\"time_s\":\(seconds),\"beacon\":\"\(beacon)\",\"receiver\":\"r\",\"rssi_dbm\":\(Int(level))}\n"
      }
      input +=
        "{\"time_s\":\(seconds),\"beacon\":\"addr:00:11:22:33:44:56\",\"receiver\":\"r\",\"rssi_dbm\":-50}\n"
    }
    let result = try rssi(
      "watch", "-", "--seek", "00:11:22:33:44:55", "--ranging", "--quiet", input: input)
    try #require(result.exitCode == 0, "\(result.error)")
    let seeks = try lines(result.output).filter { $0["event"] as? String == "seek" }
    func trends(_ seconds: ClosedRange<Double>) -> Set<String> {
      Set(
        seeks.filter { seconds.contains($0["time_s"] as? Double ?? .nan) }.compactMap {
          $0["trend"] as? String
        })
    }
    #expect(!trends(0...10).contains("warmer"))
    #expect(trends(19...30) == ["warmer"])
    #expect(try lines(result.output).allSatisfy { ($0["beacon"] as? String ?? beacon) == beacon })
    let still = try rssi("watch", "-", "--seek", beacon, "--quiet", input: input)
    let told = try lines(still.output).compactMap { $0["trend"] as? String }
    #expect(zip(told, told.dropFirst()).allSatisfy { $0 != $1 })
    #expect(told.contains("warmer"))
  }

  /// Each event once, in order, whole; and a program that fails or hangs does no harm.
  @Test func `runs a program for each event`() throws {
    let folder = try TemporaryDirectory()
    let room = try simulatedRoom(in: folder)
    let walk = "\(room)/walk-1.btsnoop"
    let log = folder.path("log.ndjson")
    let result = try rssi("watch", walk, "--quiet", "--on-event", "cat >>'\(log)'")
    try #require(result.exitCode == 0, "\(result.error)")
    #expect(!result.output.isEmpty)
    #expect(try String(contentsOfFile: log, encoding: .utf8) == result.output)
    let failing = try rssi("watch", walk, "--on-event", "exit 3")
    #expect(failing.exitCode == 0)
    #expect(failing.output == result.output)
    #expect(failing.error.contains("ended with 3"))
    let missing = try rssi("watch", walk, "--on-event", "/no/such/program")
    #expect(missing.exitCode == 0 && missing.error.contains("ended with 127"))
    // What it leaves in the background holds nothing up, and goes on.
    let (background, leave) = (folder.path("background.txt"), folder.path("leave"))
    let leaving = try rssi(
      "watch", walk, "--quiet", "--on-event",
      "(for i in $(seq 1200); do [ -e '\(leave)' ] && break; sleep 0.1; done; echo x "
        + ">>'\(background)') &"
    )
    #expect(leaving.exitCode == 0 && !FileManager.default.fileExists(atPath: background))
    _ = try folder.write("", to: "leave")
    #expect(eventually { FileManager.default.fileExists(atPath: background) })
    // It gets no file of ours: only its three.
    let files = folder.path("files.txt")
    let spying = try rssi(
      "watch", walk, "--quiet", "--on-event", "ls -l /proc/self/fd | grep -c btsnoop >'\(files)'")
    #expect(spying.exitCode == 0)
    #expect(try String(contentsOfFile: files, encoding: .utf8) == "0\n")
  }

  /// A live stream that falls silent: time goes on, and who left has left.
  @Test func `a live stream notices silence`() throws {
    let program = """
      import subprocess, sys, time
      watch = subprocess.Popen([sys.argv[1], "watch", "-", "--quiet", "--exit-after", "1s"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
      line = '{"time_s":%.6f,"beacon":"addr:00:11:22:33:44:55","receiver":"r","rssi_dbm":-60}\\n'
      watch.stdin.write((line % time.time()).encode())
      watch.stdin.flush()
      lines = [watch.stdout.readline().decode() for _ in range(4)]
      watch.stdin.close()
      print("".join(lines), end="")
      """
    let result = try runPython(program, [builtProgram])
    let events = try lines(result.output)
    #expect(
      events.map { $0["event"] as? String } == ["region-enter", "enter", "exit", "region-exit"])
    #expect(events[2]["reason"] as? String == "unheard")
  }

  /// A trace that a capture writes is followed to the capture's end: the events are those of the
  /// file.
  @Test func `follows a trace to the end of its capture`() throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("trace.h5")
    let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path
    let capture = try RunningProgram(
      builtProgram, ["capture", "replay:\(walk)", "--speed", "4", "--flush", "100ms", "-o", trace])
    #expect(capture.waits { FileManager.default.fileExists(atPath: trace) }, "\(capture.error)")
    let watch = try RunningProgram(
      builtProgram, ["watch", trace, "--follow", "--format", "ndjson"])
    #expect(try watch.waits { try lines(watch.output).count > 3 }, "\(watch.error)")
    #expect(capture.isRunning || watch.isRunning)
    #expect(capture.wait().exitCode == 0)
    let followed = watch.wait()
    #expect(followed.exitCode == 0)
    #expect(followed.error.contains("no program writes it"))
    #expect(followed.output == (try rssi("watch", trace, "--format", "ndjson")).output)
    #expect(try rssi("watch", walk, "--follow").exitCode == 64)
  }

  @Test func `a file that is not in order is sorted`() throws {
    let folder = try TemporaryDirectory()
    var rows: [String] = []
    for beacon in ["a", "b"] {
      for second in 0..<90 { rows.append("\(1000 + second),\(beacon),r,-60") }
    }
    let header = "time_s,beacon,receiver,rssi_dbm\n"
    func events(_ rows: [String]) throws -> ProgramResult {
      let trace = folder.path("\(UUID()).h5")
      let table = try folder.write(header + rows.joined(separator: "\n") + "\n", to: "t.csv")
      try #require(try rssi("import", table, "-o", trace).exitCode == 0)
      return try rssi("watch", trace)
    }
    let mixed = try events(rows)
    #expect(mixed.error.contains("sorted first"))
    #expect(try lines(mixed.output).allSatisfy { $0["reason"] as? String != "unheard" })
    let inOrder = try events(
      rows.enumerated().sorted { $0.offset % 90 < $1.offset % 90 }.map(\.element))
    #expect(!inOrder.error.contains("sorted"))
  }

  /// Whatever a registry calls its notes, an event is JSON with the keys that it should have.
  @Test func `notes of a registry are only text`() throws {
    let folder = try TemporaryDirectory()
    let registry = try folder.write(
      #"""
      {"format":"rssi-registry","format_version":1,"beacons":[
        {"id":"addr:00:11:22:33:44:55","measured_power_dbm":-59,"range_m":2,
         "notes":{"a\"b":"v","zone\":\"far\",\"x":"w"}}]}
      """#, to: "registry.json")
    let line =
      #"{"time_s":1,"beacon":"addr:00:11:22:33:44:55","receiver":"r","rssi_dbm":-50}"# + "\n"
    let result = try rssi(
      "watch", "-", "--registry", registry, "--filter", "none", "--quiet", input: line)
    let reached = try lines(result.output).first { $0["event"] as? String == "range-reached" }
    #expect(reached?["note_a\"b"] as? String == "v")
    #expect(reached?["zone"] as? String == "immediate")
    #expect(reached?["range_m"] as? Double == 2)
  }

  /// A beacon that leaves before its signal counts as lost is lost too.
  @Test func `seeking reports a lost signal`() throws {
    let beacon = "addr:00:11:22:33:44:55"
    var input = ""
    for tenth in 0..<600 {
      let name = tenth < 200 ? beacon : "addr:00:11:22:33:44:56"
      input +=
        "{\"time_s\":\(Double(tenth) / 10),\"beacon\":\"\(name)\",\"receiver\":\"r\",\"rssi_dbm\":-60}\n"
    }
    input += "{\"time_s\":61,\"beacon\":\"\(beacon)\",\"receiver\":\"r\",\"rssi_dbm\":-60}\n"
    let result = try rssi(
      "watch", "-", "--seek", beacon, "--exit-after", "2s", "--quiet", input: input)
    #expect(try lines(result.output).compactMap { $0["trend"] as? String } == ["unsure", "lost"])
  }

  @Test(arguments: [
    ["watch", "-", "--region", "nothing"], ["watch", "-", "--region", "a=E2C56DB5@near"],
    ["watch", "-", "--region", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0@close"],
    ["watch", "-", "--exit-after", "soon"], ["watch", "-", "--exit-after", "0scans"],
    ["watch", "-", "--zones", "3,1"], ["watch", "-", "--zones", "1"],
    ["watch", "-", "--every", "1ms"],
    ["watch", "-", "--hysteresis", "99"],
    ["watch", "-", "--seek", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1"],
    ["watch", "-", "--filter", "nonsense"], ["watch", "nowhere"],
    ["watch", "-", "--filter", "rts"],
  ])
  func `refuses what it cannot do`(arguments: [String]) throws {
    let result = try runProgram(builtProgram, arguments)
    #expect(result.exitCode == 64, "\(result.error)")
    #expect(result.output.isEmpty)
  }

  @Test func `bad input has its exit code`() throws {
    let folder = try TemporaryDirectory()
    let text = try folder.write("hello", to: "hello.txt")
    #expect(try rssi("watch", "-", input: "hello\n").exitCode == 65)
    #expect(try rssi("watch", "-", "--calibration", text, input: "").exitCode == 65)
    #expect(try rssi("watch", "-", "--site", folder.path("none.toml"), input: "").exitCode == 66)
    #expect(try rssi("watch", folder.path("none.h5")).exitCode == 66)
    #expect(try rssi("watch", "replay:\(folder.path("none"))").exitCode == 66)
  }
}
