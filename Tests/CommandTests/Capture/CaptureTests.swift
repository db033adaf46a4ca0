import Foundation
import TestSupport
import Testing

/// The bundled walk, which every test here plays as if it were live.
private let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path
private let uuid = "5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365"

/// The lines of a trace as CSV, without the name of their trace and receiver.
private func rows(_ trace: String) throws -> [[Substring]] {
  let result = try rssi("export", trace, "--format", "csv")
  try #require(result.exitCode == 0, "\(result.error)")
  return result.output.split(whereSeparator: \.isNewline).dropFirst().map {
    let fields = $0.split(separator: ",", omittingEmptySubsequences: false)
    return [fields[1], fields[3], fields[4], fields[6]]
  }
}

private func imported(_ folder: TemporaryDirectory) throws -> [[Substring]] {
  let trace = folder.path("imported.h5")
  try #require(try rssi("import", walk, "-o", trace).exitCode == 0)
  return try rows(trace)
}

@Suite("Capturing, from a recording played as if it were live")
struct CaptureTests {
  @Test func `keeps what an import keeps`() throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("trace.h5")
    let result = try rssi(
      "capture", "replay:\(walk)", "--speed", "max", "-o", trace, "--btsnoop",
      folder.path("raw.btsnoop"),
      "--json")
    #expect(result.exitCode == 0, "\(result.error)")
    let report = try json(result.output)
    let expected = try imported(folder)
    #expect(report["sightings"] as? Int == expected.count)
    #expect(report["dropped"] as? Int == 0)
    #expect(try rows(trace) == expected)
    // The raw events beside it are the recording again, byte for byte.
    #expect(
      try Data(contentsOf: URL(filePath: folder.path("raw.btsnoop")))
        == Data(contentsOf: URL(filePath: walk)))
  }

  @Test(arguments: [
    (["--beacon", "\(uuid):1:7"], 7...7),
    (["--beacon", "\(uuid):1:7", "--beacon", "\(uuid):1:2"], 2...7),
    (["--beacon", uuid.lowercased()], 1...8), (["--kind", "ibeacon"], 1...8),
    (["--kind", "eddystone-uid"], 0...0), (["--beacon", "AA:BB:CC:DD:EE:FF"], 0...0),
  ])
  func `keeps the beacons asked for`(_ options: [String], _ minors: ClosedRange<Int>) throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("trace.h5")
    let result = try runProgram(
      builtProgram,
      ["capture", "replay:\(walk)", "--speed", "max", "-o", trace, "--json"] + options)
    #expect(result.exitCode == 0, "\(result.error)")
    let all = try imported(folder)
    let wanted = all.filter { row in
      let minor = Int(row[1].split(separator: ":").last ?? "") ?? -1
      return options.count == 4 ? minor == 2 || minor == 7 : minors.contains(minor)
    }
    #expect(try rows(trace) == wanted)
    #expect(try json(result.output)["left_out"] as? Int == all.count - wanted.count)
  }

  @Test func `a trace of a table is played, though it has no raw advertisements`() throws {
    let folder = try TemporaryDirectory()
    let room = folder.path("room")
    try #require(
      try rssi("simulate", "--model", "simple", "--walks", "1", "--duration", "20", "-o", room)
        .exitCode == 0)
    let (table, trace) = (folder.path("table.h5"), folder.path("trace.h5"))
    let imported = try rssi("import", room + "/rssi.csv", "-o", table)
    try #require(imported.exitCode == 0, "\(imported.error)")
    let captured = try rssi("capture", "replay:\(table)", "--speed", "max", "-o", trace)
    #expect(captured.exitCode == 0, "\(captured.error)")
    let expected = try rows(table)
    #expect(try expected.count > 1000 && rows(trace) == expected)
  }

  @Test func `weak reports left out are a warning`() throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("trace.h5")
    let result = try rssi(
      "capture", "replay:\(walk)", "--speed", "max", "-o", trace, "--min-rssi", "-70")
    #expect(result.exitCode == 0)
    #expect(result.error.contains("biased"))
    #expect(try rows(trace) == imported(folder).filter { (Int($0[2]) ?? -200) >= -70 })
  }

  @Test func `ends after the number asked for`() throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("trace.h5")
    #expect(
      try rssi("capture", "replay:\(walk)", "--speed", "max", "-o", trace, "--count", "123")
        .exitCode == 0)
    #expect(try rows(trace) == Array(imported(folder).prefix(123)))
  }

  @Test func `labels make a second file needless`() throws {
    let folder = try TemporaryDirectory()
    var traces: [String] = []
    for distance in ["50cm", "1m", "2", "4m"] {
      let trace = folder.path("at-\(distance).h5")
      let result = try rssi(
        "capture", "replay:\(walk)", "--speed", "max", "-o", trace, "--distance", distance,
        "--pose",
        "upright", "--beacon", "\(uuid):1:7", "--note", "bench, third floor")
      #expect(result.exitCode == 0, "\(result.error)")
      traces.append(trace)
    }
    #expect(Set(try rows(traces[0]).map { $0[3] }) == ["0.5"])
    #expect(try rssi("info", traces[1]).output.contains("bench, third floor"))
    let fit = try runProgram(builtProgram, ["fit", "--json"] + traces)
    #expect(fit.exitCode == 0, "\(fit.error)")
    let groups = try #require(try json(fit.output)["groups"] as? [[String: Any]])
    #expect(groups.first?["positions"] as? Int == 4)
    let check = try runPython(
      """
      import h5py, sys
      with h5py.File(sys.argv[1]) as f:
          truth = f["truth/distances"]
          assert list(truth["distance_m"]) == [0.5] and truth["pose"][0].rstrip(b"\\0") == b"upright"
          times = f["sightings/time_s"][:]
          assert truth["start_s"][0] == times.min() and truth["end_s"][0] == times.max()
      """, [traces[0]])
    #expect(check.exitCode == 0, "\(check.error)")
  }

  @Test func `places are truth`() throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("trace.h5")
    let result = try rssi(
      "capture", "replay:\(walk)", "--speed", "max", "-o", trace, "--at", "1,2,1.5", "--beacon-at",
      "ibeacon:\(uuid):1:7=3,4", "--receiver", "phone")
    #expect(result.exitCode == 0, "\(result.error)")
    let check = try runPython(
      """
      import h5py, sys, numpy as np
      with h5py.File(sys.argv[1]) as f:
          truth, times = f["truth/positions"], f["sightings/time_s"][:]
          assert set(truth["x_m"]) == {1} and set(truth["y_m"]) == {2} and set(truth["z_m"]) == {1.5}
          assert set(truth["role"]) == {0} and set(truth["node"]) == {0}
          assert truth["time_s"][:].max() == times[-1]
          index = list(f["beacons/id"].asstr()[:]).index(sys.argv[2])
          assert f["beacons/x_m"][index] == 3 and f["beacons/y_m"][index] == 4
          assert np.isnan(f["beacons/z_m"][index]) and f["receivers/id"][0].rstrip(b"\\0") == b"phone"
      """, [trace, "ibeacon:\(uuid):1:7"])
    #expect(check.exitCode == 0, "\(check.error)")
  }

  @Test func `streams into the next stages`() throws {
    let folder = try TemporaryDirectory()
    let calibration = folder.path("calibration.json")
    // Two stays in one stream, as two captures one after the other make.
    let script = """
      for distance in 1m 3m; do
        "$0" capture "replay:$1" --speed max --distance $distance --trace $distance -o -
      done | "$0" filter - --filter median:window=2s | "$0" fit - -o "$2"
      """
    let result = try runProgram(
      "/bin/bash", ["-o", "pipefail", "-c", script, builtProgram, walk, calibration])
    #expect(result.exitCode == 0, "\(result.error)")
    #expect(FileManager.default.fileExists(atPath: calibration))
  }

  @Test(arguments: [
    ("--phy 2m", 64), ("--at 1", 64), ("--distance -1m", 64), ("--rotate often", 64),
    ("--beacon mine", 64), ("--duration 0s", 64), ("--min-rssi loud", 64),
  ])
  func `refuses what means nothing`(_ options: String, _ code: Int) throws {
    try expect(
      code, ["replay:\(walk)", "-o", "x.h5"] + options.split(separator: " ").map(String.init))
  }

  @Test func `refuses with the right code`() throws {
    try expect(64, ["bluetooth", "-o", "x.h5"])
    try expect(66, ["replay:nowhere.btsnoop", "-o", "x.h5"])
    try expect(74, ["replay:\(walk)", "-o", "nowhere/x.h5"])
    try expect(64, ["replay:\(walk)", "-o", "-", "--json"])
  }

  private func expect(_ code: Int, _ arguments: [String]) throws {
    let folder = try TemporaryDirectory()
    let result = try runProgram(builtProgram, ["capture"] + arguments, directory: folder.url)
    #expect(Int(result.exitCode) == code, "\(result.error)")
    #expect(!result.error.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }
}
