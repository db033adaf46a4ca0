import Foundation
import TestSupport
import Testing

/// A running `rssi serve`, and what its interface answers.
private final class Served {
  let program: RunningProgram
  let port: Int
  let token: String

  init(_ arguments: [String]) throws {
    let program = try RunningProgram(
      builtProgram, ["serve", "--listen", "127.0.0.1:0"] + arguments)
    let isListening = program.waits { program.output.contains("\n") }
    try #require(isListening, "\(program.error)")
    let match = try #require(
      program.output.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\/#token=(\w+)\n/))
    self.program = program
    port = try #require(Int(match.1))
    token = String(match.2)
  }

  func get(_ path: String) throws -> (status: Int, headers: String, body: String) {
    try httpResponse(path, port: port, host: "127.0.0.1:\(port)")
  }

  func post(_ path: String, _ body: String, token: String? = nil) throws -> Int {
    let token =
      (token ?? self.token).isEmpty ? "" : "Authorization: Bearer \(token ?? self.token)\r\n"
    return try httpResponse(
      path, port: port, method: "POST", headers: "Content-Type: application/json\r\n\(token)",
      host: "127.0.0.1:\(port)", body: body
    ).status
  }

  func state() throws -> [String: Any] { try json(get("/api/v1/state").body) }

  func recording() throws -> [String: Any] {
    try #require(try state()["recording"] as? [String: Any])
  }

  func stop() throws {
    program.send(SIGTERM)
    let result = program.wait()
    #expect(result.exitCode == 0, "\(result.error)")
  }
}

@Suite("rssi serve") struct ServeTests {
  let folder: TemporaryDirectory
  let source: [String]
  let site: String

  init() throws {
    folder = try TemporaryDirectory()
    let example = repositoryRoot.appending(path: "notebooks-data/example").path
    try copyPrepared("served walk", to: folder) { folder in
      for arguments in [
        [
          "import", example + "/walk-1.btsnoop", "--receiver", "phone", "--nodes",
          example + "/nodes.csv", "-o", folder.path("walk.h5"),
        ],
        ["fit", example + "/distances.csv", "-o", folder.path("calibration.json")],
      ] {
        let result = try runProgram(builtProgram, arguments)
        #expect(result.exitCode == 0, "\(result.error)")
      }
    }
    site = example + "/site.toml"
    // Walks on however long a test takes.
    let walk = try longWalk.get()
    let nodes = URL(filePath: walk).deletingLastPathComponent().appending(path: "nodes.csv").path
    source =
      [
        "replay:" + walk, "--receiver", "phone", "--nodes", nodes, "--calibration",
        folder.path("calibration.json"), "--site", site,
      ] + LocateRoom.quick
  }

  private func hasPosition(_ served: Served) throws -> Bool {
    (try served.state()["positions"] as? [Any])?.isEmpty == false
  }

  private func newestPosition(_ served: Served) throws -> Double {
    let positions = try served.state()["positions"] as? [[String: Any]] ?? []
    return positions.compactMap { $0["time_s"] as? Double }.max() ?? 0
  }

  @Test func `the state and the history have what locate finds in the same recording`() throws {
    let arguments =
      [folder.path("walk.h5"), "--calibration", folder.path("calibration.json"), "--site", site]
      + LocateRoom.quick
    let served = try Served(arguments + ["--speed", "100"])
    let located = try runProgram(builtProgram, ["locate"] + arguments + ["-o", "-"])
    let lines = try located.output.split(separator: "\n").map { try json(String($0)) }
    try #require(lines.count > 10)
    let times = lines.compactMap { $0["time_s"] as? Double }
    let isThere = try served.program.waits {
      try served.state()["ended"] as? Bool == true
    }
    try #require(isThere)
    let history = try json(served.get("/api/v1/history").body)
    #expect(history["time_s"] as? [Double] == times)
    for name in ["x_m", "y_m", "semi_major_95_m"] {
      let column = try #require(history[name] as? [Double])
      let expected = lines.compactMap { $0[name] as? Double }
      for (value, other) in zip(column, expected) { #expect(abs(value - other) < 0.0051) }
    }
    let query = "limit=3&from_s=\(times[5])&to_s=\(times[9])"
    let part = try json(served.get("/api/v1/history?" + query).body)
    #expect(part["time_s"] as? [Double] == Array(times[7...9]))
  }

  @Test func `events are sent from the number of the state on`() throws {
    let served = try Served(source)
    let isThere = try served.program.waits { try hasPosition(served) }
    try #require(isThere)
    let number = try #require(try served.state()["number"] as? Int)
    let client = try RawClient(port: served.port)
    client.send(
      "GET /api/v1/events?after=\(number) HTTP/1.0\r\nHost: 127.0.0.1:\(served.port)\r\n\r\n")
    let text = client.read { $0.contains("event: position") && $0.contains("event: ranging") }
    let numbers = text.matches(of: /id: (\d+)\n/).compactMap { Int($0.1) }
    #expect(numbers == Array((number + 1)..<(number + 1 + numbers.count)))
    let data = try #require(text.firstMatch(of: /event: position\ndata: (.*)\n/))
    #expect(try json(String(data.1))["node"] as? String == "phone")
  }

  @Test func `a change needs the token, and valid content`() throws {
    let served = try Served(source + ["--recordings", folder.path("surveys")])
    let mark = #"{"node":"phone","role":"receiver","x_m":1,"y_m":2}"#
    for token in ["", "0", served.token + "0"] {
      #expect(try served.post("/api/v1/marks", mark, token: token) == 401)
      #expect(try served.post("/api/v1/recording", #"{"recording":true}"#, token: token) == 401)
    }
    for body in [
      "", "{", "[]", #"{"node":"phone"}"#, #"{"node":"","role":"receiver","x_m":1,"y_m":2}"#,
      #"{"node":"a","role":"wall","x_m":1,"y_m":2}"#,
      #"{"node":"a","role":"beacon","x_m":1e9,"y_m":2}"#,
      #"{"node":"a\u0000","role":"beacon","x_m":1,"y_m":2}"#,
      #"{"node":"a","role":"beacon","x_m":"1","y_m":2}"#,
      String(repeating: "[", count: 4000),
    ] { #expect(try served.post("/api/v1/marks", body) == 400, "\(body.prefix(60))") }
    for body in [
      mark, #"{"node":"a","role":"beacon","room":null}"#,
      #"{"node":"a","role":"beacon","room":"\#(String(repeating: "x", count: 129))"}"#,
    ] { #expect(try served.post("/api/v1/rooms", body) == 400, "\(body.prefix(60))") }
    #expect(try served.post("/api/v1/marks", String(repeating: " ", count: 5000)) == 413)
    #expect(!FileManager.default.fileExists(atPath: folder.path("surveys")))
    for (path, status) in [
      ("/api/v1/history?from_s=x", 400), ("/api/v1/history?from_s=2&to_s=1", 400),
      ("/api/v1/history?limit=0", 400), ("/api/v1/history?from_s=1e300", 400),
      ("/api/v1/nothing", 404), ("/nothing", 404), ("/../etc/passwd", 404),
      ("/api/v1/marks", 405),
    ] { #expect(try served.get(path).status == status, "\(path)") }
    // A mark without a recording is refused, and the reason shown.
    #expect(try served.post("/api/v1/marks", mark) == 202)
    let isRefused = try served.program.waits {
      (try served.recording()["failure"] as? String)?.contains("start a recording") == true
    }
    #expect(isRefused)
    try served.stop()
  }

  @Test func `a survey by marks is a trace that map and eval read`() throws {
    let surveys = folder.path("surveys")
    let served = try Served(source + ["--recordings", surveys, "--speed", "4"])
    let isThere = try served.program.waits { try hasPosition(served) }
    try #require(isThere)
    #expect(try served.post("/api/v1/recording", #"{"recording":true}"#) == 202)
    let isRecording = try served.program.waits { try served.recording()["path"] is String }
    try #require(isRecording)
    for number in 0..<6 {
      let body =
        #"{"node":"phone","role":"receiver","x_m":\#(number),"y_m":\#(Double(number) / 2)}"#
      #expect(try served.post("/api/v1/marks", body) == 202)
      let isMarked = try served.program.waits {
        (try served.recording()["marks"] as? [Any])?.count == number + 1
      }
      try #require(isMarked)
      // The next mark is two seconds of the recording later, however far apart clicks arrive.
      let time = try newestPosition(served)
      let isLater = try served.program.waits { try newestPosition(served) >= time + 2 }
      try #require(isLater)
    }
    let marks = try #require(try served.recording()["marks"] as? [[String: Any]])
    let room = #"{"node":"phone","role":"receiver","room":"kitchen"}"#
    #expect(try served.post("/api/v1/rooms", room) == 202)
    let isInRoom = try served.program.waits {
      (try served.recording()["marks"] as? [[String: Any]])?.last?["room"] as? String == "kitchen"
    }
    #expect(isInRoom)
    #expect(try served.post("/api/v1/recording", #"{"recording":false}"#) == 202)
    let isRecorded = try served.program.waits { try served.recording()["last_path"] is String }
    try #require(isRecorded)
    let path = try #require(try served.recording()["last_path"] as? String)
    let info = try json(rssi("info", path, "--json").output)
    #expect(info["clean"] as? Bool != false)
    #expect(info["sightings"] as? Int == (try served.recording()["last_sightings"] as? Int))
    let truth = try readHDF5(
      path,
      "[[t, x, y] for t, x, y in zip(*(f['truth/positions/' + n][:].tolist() for n in ('time_s', 'x_m', 'y_m')))]"
    )
    #expect(truth.count == 6 && marks.count == 6)
    for (row, number) in zip(truth, 0...) {
      #expect(row[1] == Double(number) && row[2] == Double(number) / 2)
    }
    #expect(try rssi("info", path).output.contains("rooms         kitchen"))
    // The anchors of the site are in it: it needs no other file.
    let map = try rssi(
      "map", path, "--calibration", folder.path("calibration.json"), "-o", folder.path("map.h5"))
    #expect(map.exitCode == 0, "\(map.error)")
    let result = try rssi(
      "eval", path, "--calibration", folder.path("calibration.json"), "--algorithms",
      "weighted-centroid", "--json")
    #expect(result.exitCode == 0, "\(result.error)")
    try served.stop()
  }

  @Test func `every answer is as the OpenAPI document describes it`() throws {
    let served = try Served(source + ["--recordings", folder.path("surveys")])
    let isThere = try served.program.waits {
      let state = try served.state()
      return try hasPosition(served) && (state["rangings"] as? [Any])?.isEmpty == false
        && state["health"] is [String: Any] && (state["events"] as? [Any])?.isEmpty == false
    }
    try #require(isThere)
    let checked = try runProgram(
      pythonPath,
      [
        "-c",
        """
        import json, sys, urllib.request
        from openapi_spec_validator import validate
        from jsonschema import Draft202012Validator
        base = sys.argv[1]
        def get(path): return json.load(urllib.request.urlopen(base + path))
        document = get("/openapi.json")
        validate(document)
        for path, schema in [("state", "State"), ("history", "History")]:
            root = {"$ref": "#/components/schemas/" + schema, "components": document["components"]}
            Draft202012Validator(root).validate(get("/api/v1/" + path))
        print(len(document["paths"]))
        """, "http://127.0.0.1:\(served.port)",
      ])
    #expect(checked.exitCode == 0, "\(checked.error)")
    #expect(checked.output == "7\n")
  }

  @Test
  func `tokens and addresses that cannot be used are refused before anything is served`() throws {
    let token = try folder.write("short\n", to: "short")
    chmod(token, 0o600)
    let open = try folder.write("0123456789abcdef0123\n", to: "open")
    chmod(open, 0o644)
    for (options, code, words) in [
      (["--listen", "nowhere"], 64, "is not an address"),
      (["--token-file", token], 64, "16 or more"), (["--token-file", open], 77, "chmod 600"),
      (["--token-file", folder.path("none")], 64, "cannot read the token file"),
      (["--public-url", "rssi.example.org"], 64, "https://"),
      (["--site", folder.path("none.toml")], 66, "none.toml"),
    ] {
      let result = try runProgram(
        builtProgram, ["serve", "--listen", "127.0.0.1:0"] + source + options)
      #expect(result.exitCode == code && result.error.contains(words), "\(options) \(result)")
      #expect(result.output.isEmpty)
    }
  }

  @Test func `servers that begin recordings in the same second have files of their own`() throws {
    let surveys = folder.path("surveys")
    let servers = try (0..<3).map { _ in try Served(source + ["--recordings", surveys + "/"]) }
    for _ in 0..<3 {
      for served in servers {
        #expect(try served.post("/api/v1/recording", #"{"recording":true}"#) == 202)
      }
      for served in servers {
        let isRecording = try served.program.waits { try served.recording()["path"] is String }
        try #require(isRecording)
      }
      let paths = try servers.map { try $0.recording()["path"] as? String }
      #expect(Set(paths).count == servers.count)
      for served in servers {
        #expect(try served.post("/api/v1/recording", #"{"recording":false}"#) == 202)
      }
      for served in servers {
        let isStopped = try served.program.waits { !(try served.recording()["path"] is String) }
        try #require(isStopped)
      }
    }
    for served in servers { try served.stop() }
    let files = try FileManager.default.contentsOfDirectory(atPath: surveys)
      .filter { $0.hasSuffix(".h5") }
    #expect(files.count == 9)
    for file in files { #expect(try rssi("info", surveys + "/" + file).exitCode == 0) }
  }

  @Test func `a folder for recordings that cannot be used is noticed at the start`() throws {
    let file = try folder.write("x", to: "file")
    for (path, code, words) in [
      (file, 74, "not a folder"), (file + "/surveys", 74, "does not exist"),
      (folder.path("a/b"), 74, "does not exist"),
    ] {
      let result = try runProgram(
        builtProgram, ["serve", "--listen", "127.0.0.1:0"] + source + ["--recordings", path])
      #expect(result.exitCode == code && result.error.contains(words), "\(path) \(result)")
      #expect(result.output.isEmpty)
    }
  }

  @Test(arguments: ["--token-file", "--password-file"])
  func `a secret is in a regular file`(option: String) throws {
    let pipe = folder.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    for path in [pipe, "/dev/null", folder.url.path] {
      let arguments =
        option == "--token-file"
        ? ["serve", "--listen", "127.0.0.1:0"] + source
        : ["capture", "mqtt://127.0.0.1:1/x", "--user", "u", "-o", folder.path("o.h5")]
      let result = try runProgram(builtProgram, arguments + [option, path])
      #expect(result.exitCode == 66 && result.error.contains("name a regular file"), "\(result)")
    }
  }

  @Test func `a token of a file is not printed`() throws {
    let file = try folder.write("0123456789abcdef0123\n", to: "token")
    chmod(file, 0o600)
    let program = try RunningProgram(
      builtProgram, ["serve", "--listen", "127.0.0.1:0", "--token-file", file] + source)
    let isListening = program.waits { program.output.contains("\n") }
    #expect(isListening)
    #expect(program.output.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\/\n/) != nil)
    program.send(SIGTERM)
    #expect(program.wait().exitCode == 0)
  }
}

@Suite("The live page in a browser", .systemRun) struct LivePageTests {
  private func look(_ how: String, _ arguments: [String]) throws -> ProgramResult {
    let script = repositoryRoot.appending(path: "Tests/CommandTests/Scripts/live_page.py").path
    let result = try runProgram(pythonPath, [script, builtProgram, how] + arguments)
    #expect(result.exitCode == 0, "\(result.error)")
    return result
  }

  @Test(arguments: ["widths", "follow"])
  func `is whole and legible at every width, light and dark`(how: String) throws {
    let tests = try ServeTests()
    _ = try look(how, tests.source)
  }

  @Test func `records what is marked`() throws {
    let tests = try ServeTests()
    let result = try look(
      "record", tests.source + ["--recordings", tests.folder.path("surveys")])
    let said = try json(result.output)
    let path = try #require((said["said"] as? String)?.split(separator: ",").first)
      .dropFirst("recorded ".count)
    let truth = try readHDF5(
      String(path), "[f['truth/positions/' + n][:].tolist() for n in ('x_m', 'y_m')]")
    let marked = try #require(said["marked"] as? [Double])
    #expect(truth == [[marked[0], 2.5], [marked[1], 1.25]])
  }

  @Test func `names stay text`() throws {
    let folder = try TemporaryDirectory()
    let names = [
      "<script>window.broken = 1</script>", "<img src=x onerror=window.broken=1>",
      String(repeating: "long", count: 25), "\u{0647}\u{0627}\u{062A}\u{0641} 7", "😀 & \"quoted\"",
    ]
    let beacons = names.enumerated().map { number, name in
      [
        "id": "ibeacon:5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:\(number + 1)", "name": name,
      ]
    }
    let registry = try folder.write(
      String(
        decoding: try JSONSerialization.data(withJSONObject: ["beacons": beacons]), as: UTF8.self),
      to: "names.json")
    let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path
    let result = try look(
      "hostile", ["replay:\(walk)", "--registry", registry])
    let shown = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String]
    #expect(Set(shown ?? []).isSuperset(of: names), "\(shown ?? [])")
  }
}

/// Returns the value of an expression for an HDF5 file `f`.
private func readHDF5(_ path: String, _ expression: String) throws -> [[Double]] {
  let result = try runPython(
    "import h5py, json, sys\nwith h5py.File(sys.argv[1]) as f: print(json.dumps(\(expression)))",
    [path])
  #expect(result.exitCode == 0, "\(result.error)")
  let value = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
  return try #require(value as? [[Double]])
}
