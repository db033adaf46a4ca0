import Foundation
import TestSupport
import Testing

/// Levels with channels and a calibration with offsets of these are used as levels without the
/// offsets and a calibration without any: to the last bit, as the offsets are quarters.
@Suite struct ChannelOffsetTests {
  private let folder: TemporaryDirectory
  /// Offsets of channels 37 to 39, dB.
  private let offsets = [4.5, -1.25, -3.25]

  init() throws { folder = try TemporaryDirectory() }

  /// A phone that walks between four beacons: two traces, each as it is received and without the
  /// offsets of the channels.
  private func recordings() throws {
    try copyPrepared("walks with channel offsets", to: folder, make: record)
  }

  private func record(in folder: TemporaryDirectory) throws {
    _ = try folder.write(
      "node,role,x_m,y_m\nb0,beacon,0,0\nb1,beacon,8,0\nb2,beacon,8,8\nb3,beacon,0,8\nphone,receiver,,\n",
      to: "nodes.csv")
    _ = try folder.write(
      "trace,time_s,node,x_m,y_m\na,1700000000,phone,1,1\na,1700000020,phone,7,6\n"
        + "s,1700001000,phone,1,6\ns,1700001020,phone,7,1\n", to: "truth.csv")
    let places = [(0.0, 0.0), (8, 0), (8, 8), (0, 8)]
    for (trace, start, path) in [("a", 0, ((1.0, 1.0), (7.0, 6.0))), ("s", 1000, ((1, 6), (7, 1)))]
    {
      var generator = SeededGenerator(seed: UInt64(start + 3))
      let header = "trace,time_s,receiver,beacon,rssi_dbm,channel\n"
      var (received, alike) = (header, header)
      for tick in 0..<200 {
        let share = Double(tick) / 200
        let x = path.0.0 + share * (path.1.0 - path.0.0)
        let y = path.0.1 + share * (path.1.1 - path.0.1)
        let beacon = tick % 4
        let distance = hypot(x - places[beacon].0, y - places[beacon].1)
        let level = ((-59 - 20 * log10(distance) + 3 * generator.gaussian()) * 4).rounded() / 4
        let channel = Int.random(in: 0..<3, using: &generator)
        let row =
          "\(trace),\(1_700_000_000.0 + Double(start) + Double(tick) / 10),phone,b\(beacon),"
        received += row + "\(level + offsets[channel]),\(37 + channel)\n"
        alike += row + "\(level),\(37 + channel)\n"
      }
      for (name, text) in [("received", received), ("alike", alike)] {
        let table = try folder.write(text, to: "\(trace)-\(name).csv")
        try run(
          "import", table, "--nodes", folder.path("nodes.csv"), "--truth", folder.path("truth.csv"),
          "-o", folder.path("\(trace)-\(name).h5"))
      }
    }
    // Constants of a fit, with offsets that are quarters, and without.
    try run(
      "fit", folder.path("s-received.h5"), "--channel-offsets", "receiver", "-o",
      folder.path("fit.json"))
    let calibration = try json(String(contentsOfFile: folder.path("fit.json"), encoding: .utf8))
    for isKept in [true, false] {
      func group(_ value: Any?) -> Any {
        var group = value as? [String: Any] ?? [:]
        var rows = group["channel_offsets"] as? [[String: Any]] ?? []
        #expect(rows.count == 3)
        for row in rows.indices { rows[row]["offset_db"] = offsets[row] }
        group["channel_offsets"] = isKept ? rows : nil
        return group
      }
      var document = calibration
      document["groups"] = (calibration["groups"] as? [Any])?.map(group)
      document["pooled"] = group(calibration["pooled"])
      let name = isKept ? "received.json" : "alike.json"
      try JSONSerialization.data(withJSONObject: document)
        .write(to: URL(filePath: folder.path(name)))
    }
  }

  private func run(_ arguments: String...) throws { try run(arguments) }

  private func run(_ arguments: [String]) throws {
    let result = try runProgram(builtProgram, arguments)
    try #require(result.exitCode == 0, "\(arguments): \(result.error)")
  }

  /// Returns the answers of a command to either trace, with its name in place of a percent sign.
  private func answers(_ arguments: [String], input: String = "") throws -> [ProgramResult] {
    try ["received", "alike"].map { name in
      let words = arguments.map { word in
        word.contains("%.") ? folder.path(word.replacing("%", with: name)) : word
      }
      let result = try runProgram(
        builtProgram, words, input: Data(input.replacing("%", with: name).utf8))
      #expect(result.exitCode == 0, "\(words): \(result.error)")
      #expect(!result.error.contains("not corrected"), "\(result.error)")
      return result
    }
  }

  @Test func `positions are those of levels without the offsets, live and with a map too`() throws {
    try recordings()
    let algorithms = ["posterior-mean", "grid-filter", "grid-filter:map=yes", "gaussian-process"]
    for algorithm in algorithms {
      let chosen = ["--calibration", "%.json", "--algorithm", algorithm, "--survey", "s-%.h5"]
      let located = try answers(["locate", "a-%.h5"] + chosen)
      #expect(located[0].output == located[1].output, "\(algorithm)")
      let scored = try answers(["eval", "a-%.h5", "--in-sample"] + chosen)
      #expect(scored[0].output == scored[1].output, "\(algorithm)")
      // The offsets matter.
      let ignored = try rssi(
        "locate", folder.path("a-received.h5"), "--calibration", folder.path("alike.json"),
        "--algorithm", algorithm, "--survey", folder.path("s-received.h5"))
      #expect(ignored.exitCode == 0 && ignored.output != located[0].output, "\(algorithm)")
    }
    let learned = try answers([
      "map", "s-%.h5", "--calibration", "%.json", "--epoch", "1s", "--truth-at", "end", "-o",
      "map-%.h5",
    ])
    #expect(learned[0].output.replacing("received", with: "alike") == learned[1].output)
    let mapped = try answers([
      "locate", "a-%.h5", "--radio-map", "map-%.h5", "--algorithm", "grid-filter:map=yes",
    ])
    #expect(!mapped[0].output.isEmpty && mapped[0].output == mapped[1].output)
    let live = try ["received", "alike"].map { name in
      let lines = try rssi("export", folder.path("a-\(name).h5"), "--format", "ndjson").output
      return try runProgram(
        builtProgram,
        ["locate", "-", "--nodes", folder.path("nodes.csv"), "--calibration"]
          + [folder.path("\(name).json")] + LocateRoom.quick, input: Data(lines.utf8))
    }
    #expect(live[0].exitCode == 0 && live[0].output == live[1].output)
  }

  @Test func `a fold of a cross-validation has the offsets of its other traces`() throws {
    try recordings()
    let (scored, other) = (folder.path("a-received.h5"), folder.path("s-received.h5"))
    let algorithms = ["--algorithms", "posterior-mean,gaussian-process", "--epoch", "1s"]
    func answers(_ arguments: [String], _ name: String) throws -> [[String: String]] {
      try run(["eval"] + arguments + algorithms + ["--report", folder.path("\(name).answers.csv")])
      let table = try String(contentsOfFile: folder.path("\(name).answers.csv"), encoding: .utf8)
      return tableRows(table).filter { $0["trace"] == "a" }
        .map { $0.filter { !["left_out", "scoring"].contains($0.key) } }
    }
    let validate = [scored, other, "--cross-validate", "traces"]
    let folds = try answers(validate + ["--channel-offsets", "receiver"], "folds")
    let known = try answers(
      [scored, "--calibration", folder.path("fit.json"), "--survey", other], "known")
    #expect(folds.count > 30 && folds == known)
    #expect(try answers(validate, "plain") != folds)
    // The scatter about the curve is that of the fit.
    let report = folder.path("folds.md")
    try run(
      ["eval"] + validate + algorithms + ["--channel-offsets", "receiver", "--report", report])
    let text = try String(contentsOfFile: report, encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| all links") }
    let fit = try json(String(contentsOfFile: folder.path("fit.json"), encoding: .utf8))
    let sigma = try #require((fit["pooled"] as? [String: Any])?["sigma_db"] as? Double)
    let shown = String(format: "%.2f", sigma)
    #expect(rows.count == 2 && rows.contains { $0.contains(shown) }, "\(shown) \(rows)")
    let refused = try rssi(
      "eval", scored, "--calibration", folder.path("fit.json"), "--channel-offsets", "both")
    #expect(refused.exitCode == 64 && refused.error.contains("--channel-offsets"))
  }

  @Test func `filtered levels are those of levels without the offsets`() throws {
    try recordings()
    for filter in ["kalman", "mean:window=1s"] {
      let output = ["--filter", filter, "-o"]
      try run(
        ["filter", folder.path("a-received.h5"), "--calibration", folder.path("received.json")]
          + output + [folder.path("f-received.h5")])
      try run(["filter", folder.path("a-alike.h5")] + output + [folder.path("f-alike.h5")])
      let name = String(filter.prefix { $0 != ":" })
      let levels = try answers(["export", "f-%.h5", "--filtered", name, "--format", "csv"])
      #expect(levels[0].output == levels[1].output, "\(filter)")
      let provenance = try runPython(
        """
        import h5py, sys
        with h5py.File(sys.argv[1]) as file:
            file['provenance'].visititems(
                lambda _, item: print(item[()]) if isinstance(item, h5py.Dataset) else None)
        """, [folder.path("f-received.h5")])
      #expect(provenance.output.contains("received.json"), "\(provenance)")
    }
    let streams = try ["received", "alike"].map { name in
      let lines = try rssi("export", folder.path("a-\(name).h5"), "--format", "ndjson").output
      let options = name == "received" ? ["--calibration", folder.path("received.json")] : []
      let result = try runProgram(
        builtProgram, ["filter", "-", "--filter", "channels"] + options, input: Data(lines.utf8))
      #expect(result.exitCode == 0, "\(result.error)")
      return result.output
    }
    // A level without the offset of its channel is of no channel.
    #expect(!streams[0].contains("channel"))
    #expect(streams[0] == streams[1].replacing(#/"channel":3\d,/#, with: ""))
  }

  @Test func `levels without an offset are not corrected, with a note`() throws {
    try recordings()
    let lines = try rssi("export", folder.path("a-received.h5"), "--format", "ndjson").output
      .replacing(#/"channel":3\d,/#, with: "")
    let unknown = try rssi(
      "filter", "-", "--calibration", folder.path("received.json"), input: lines)
    let plain = try rssi("filter", "-", input: lines)
    #expect(unknown.output == plain.output && unknown.exitCode == 0)
    #expect(
      unknown.error.contains("no level has a channel"))
    let table = try folder.write(
      String(contentsOfFile: folder.path("a-received.csv"), encoding: .utf8)
        .replacing(#/,3\d\n/#, with: ",\n"), to: "unknown.csv")
    try run(
      "import", table, "--nodes", folder.path("nodes.csv"), "--truth", folder.path("truth.csv"),
      "-o", folder.path("unknown.h5"))
    let located = try ["received", "alike"].map { name in
      try runProgram(
        builtProgram,
        ["locate", folder.path("unknown.h5"), "--calibration", folder.path("\(name).json")]
          + LocateRoom.quick)
    }
    #expect(located[0].output == located[1].output && located[0].exitCode == 0)
    #expect(located[0].error.contains("not corrected"))
    // An offset that is there twice is of a damaged file.
    let text = try String(contentsOfFile: folder.path("received.json"), encoding: .utf8)
    let damaged = try folder.write(
      text.replacing("\"channel\":38", with: "\"channel\":37"), to: "damaged.json")
    let twice = try rssi("locate", folder.path("unknown.h5"), "--calibration", damaged)
    #expect(twice.exitCode == 65 && twice.error.contains("damaged calibration"), "\(twice.error)")
    let refused = try rssi(
      "filter", folder.path("a-received.h5"), "--calibration", folder.path("alike.json"), "-o",
      folder.path("x.h5"))
    #expect(refused.exitCode == 65 && refused.error.contains("no offsets"))
    #expect(refused.error.contains("--channel-offsets"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("x.h5")))
  }
}
