import Foundation
import TestSupport
import Testing

private let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path

@Suite(
  "Sessions over a real broker", .systemRun, .serialized,
  .enabled(if: Broker.isInstalled, "needs Mosquitto: run scripts/bootstrap test"))
struct SessionTests {
  let folder: TemporaryDirectory
  let broker: Broker

  init() throws {
    folder = try TemporaryDirectory()
    broker = try Broker(in: folder)
  }

  /// Starts a member that plays a walk.
  ///
  /// - Parameter leading: the number of members of the session that it starts; nil to join.
  private func member(
    _ name: String, leading members: Int? = nil, speed: String = "3", of walk: String = walk,
    _ options: [String] = []
  ) throws -> RunningProgram {
    try RunningProgram(
      builtProgram,
      ["session", members == nil ? "join" : "start", "lab", "replay:\(walk)", "--name", name]
        + (members.map { ["--members", "\($0)"] } ?? []) + ["-o", folder.path("\(name).h5")]
        + ["--speed", speed, "--json", "--broker", broker.address] + options)
  }

  private func stop() throws {
    let stop = try runProgram(builtProgram, ["session", "stop", "lab", "--broker", broker.address])
    #expect(stop.exitCode == 0, "\(stop.error)")
  }

  /// The lobby is empty afterwards.
  private func isTidy() throws {
    let result = try runProgram(
      builtProgram, ["session", "who", "lab", "--json", "--broker", broker.address])
    let lobby = try json(result.output)
    #expect((lobby["members"] as? [Any])?.isEmpty == true && lobby["session"] is NSNull)
  }

  private func who() throws -> [String: String] {
    let result = try runProgram(
      builtProgram, ["session", "who", "lab", "--json", "--broker", broker.address])
    let members = try #require(try json(result.output)["members"] as? [[String: Any]])
    return Dictionary(
      members.compactMap { member in
        guard let name = member["name"] as? String, let state = member["state"] as? String else {
          return nil
        }
        return (name, state)
      }, uniquingKeysWith: { $1 })
  }

  private func records(_ member: RunningProgram) -> Bool {
    member.error.contains("recording session")
  }

  /// Three processes start at one instant. One of them is killed and comes back; the merged trace
  /// is the union of the parts.
  @Test
  func `one of three members is killed, and each sighting is recorded once`() throws {
    // They play for longer than the test takes, and end on request.
    let walk = try longWalk.get()
    let hall = try member("hall", leading: 3, of: walk)
    let roof = try member("roof", of: walk)
    let cellar = try member("cellar", of: walk)
    for one in [hall, roof, cellar] {
      let isRecording = one.waits { records(one) }
      try #require(isRecording, "\(one.error)")
    }
    #expect(try roof.waits { try sightings(folder.path("roof.h5")) > 100 }, "\(roof.error)")
    roof.end()
    let isLost = try hall.waits { try who()["roof"] == "lost" }
    #expect(isLost)
    let back = try member("roof", of: walk)
    #expect(try back.waits { try sightings(folder.path("roof-2.h5")) > 100 }, "\(back.error)")
    try stop()
    let results = [hall, cellar, back].map { $0.wait() }
    for result in results { try #require(result.exitCode == 0, "\(result.error)") }
    let sessions = try results.map {
      try #require(try json($0.output)["session"] as? [String: Any])
    }
    #expect(Set(sessions.compactMap { $0["id"] as? String }).count == 1)
    #expect(sessions[2]["part"] as? String == folder.path("roof-2.h5"))
    let began = try sessions.map { try #require($0["began_time_s"] as? Double) }
    let late = try sessions.map { try #require($0["began_late_s"] as? Double) }
    print(
      "three members began \(abs(began[0] - began[1]) * 1000) ms apart, \(late.map { $0 * 1000 }) ms after the agreed instant"
    )
    #expect(late.allSatisfy { $0 >= 0 })
    // How late a process is woken is the machine's affair, but all mean one instant: as well as
    // clocks are compared, which takes milliseconds. To start a program takes far longer.
    let agreed = zip(began, late).prefix(2).map { $0 - $1 }
    #expect(abs(agreed[0] - agreed[1]) < 0.25)
    let names = try folder.names()
    #expect(
      names.filter { $0.hasSuffix(".h5") } == [
        "cellar.h5", "hall.h5", "roof-2.h5", "roof.h5",
      ])
    #expect(!names.contains { $0.contains("partial") })
    // Nothing is left at the broker.
    try isTidy()

    // Whatever the order of the parts, and however often one is named.
    let merge = try rssi(
      "session", "merge", folder.path("roof-2.h5"), folder.path("hall.h5"), folder.path("roof.h5"),
      folder.path("hall.h5"), folder.path("cellar.h5"), "-o", folder.path("all.h5"), "--json")
    #expect(merge.exitCode == 0, "\(merge.error)")
    try isUnion("all.h5", of: ["hall.h5", "cellar.h5", "roof.h5", "roof-2.h5"])
    let report = try json(merge.output)
    #expect(report["copies"] as? [String] == [folder.path("hall.h5")])
    #expect((report["repeated"] as? Int ?? 0) > 0)
  }

  /// Compares with the union that h5py and numpy make of the parts.
  private func isUnion(_ merged: String, of parts: [String]) throws {
    let check = try runPython(
      """
      import collections, h5py, sys
      from datetime import datetime
      def rows(path, member=None):
          with h5py.File(path, "r", swmr=True) as f:
              s, text = f["sightings"], lambda x: x.rstrip(b"\\0").decode()
              n = int(f.attrs.get("rows_committed", len(s["time_s"])))
              if f.attrs["clean"] == 1: n = len(s["time_s"])
              beacons, receivers = f["beacons/id"][:], f["receivers/id"][:]
              addresses, data = f["advertisers/address"][:], f["payloads/data/bytes"][:].tobytes()
              at, size = f["payloads/offset"][:], f["payloads/length"][:]
              start = datetime.fromisoformat(f.attrs["start"].decode() if isinstance(f.attrs["start"], bytes) else f.attrs["start"]).timestamp()
              columns = [s[c][:n] for c in ("time_s", "beacon", "receiver", "advertiser", "payload", "rssi_dbm", "channel")]
              for t, b, r, a, p, v, c in zip(*columns):
                  yield (round((start + t) * 1e6), text(beacons[b]), text(receivers[r]), text(addresses[a]),
                         data[at[p]:at[p] + size[p]], float(v), int(c))
      folder, merged, parts = sys.argv[1], sys.argv[2], sys.argv[3:]
      union = collections.Counter()
      for part in parts: union |= collections.Counter(rows(f"{folder}/{part}"))
      got = collections.Counter(rows(f"{folder}/{merged}"))
      assert got == union, (sum(got.values()), sum(union.values()), list((got - union) + (union - got))[:3])
      assert sum(union.values()) > 200
      with h5py.File(f"{folder}/{merged}") as f:
          names = {x.rstrip(b"\\0").decode() for x in f["receivers/id"]}
          assert names == {"hall", "roof", "cellar"}, names
          members = [x.rstrip(b"\\0").decode() for x in f["session/parts/member"]]
          assert sorted(members) == ["cellar", "hall", "roof", "roof"], members
          assert set(f["session/offsets/part"][:]) == {0, 1, 2, 3}
          assert (f["session/offsets/uncertainty_ns"][:] >= 0).all()
          # All three, including those killed later, began at the agreed instant, none before it.
          starts = f["session/parts/start_s"][:][f["session/parts/number"][:] == 1]
          agreed = datetime.fromisoformat(f["session"].attrs["start"].decode()).timestamp()
          first = datetime.fromisoformat(f.attrs["start"].decode()).timestamp()
          assert len(starts) == 3 and (first + starts - agreed > -1e-3).all(), starts
          # One machine has one clock: whatever was measured is within its bound.
          reference = f["session/offsets/offset_ns"][:][f["session/offsets/uncertainty_ns"][:] == 0]
          off = abs(f["session/offsets/offset_ns"][:] - reference[0])
          assert (off <= f["session/offsets/uncertainty_ns"][:] + 200_000).all(), off
          times = f["sightings/time_s"][:]
          assert f["session"].attrs["merged"] == 1
      """, [folder.url.path, merged] + parts)
    #expect(check.exitCode == 0, "\(check.error)")
  }

  /// The one that it kills is not succeeded, and ends nothing.
  @Test func `a leader that is killed comes back as a member, and all parts merge`() throws {
    let walk = try longWalk.get()
    let hall = try member("hall", leading: 2, of: walk)
    let roof = try member("roof", of: walk)
    for one in [hall, roof] {
      let isRecording = one.waits { records(one) }
      try #require(isRecording, "\(one.error)")
    }
    #expect(try hall.waits { try sightings(folder.path("hall.h5")) > 100 }, "\(hall.error)")
    hall.end()
    let isNoted = roof.waits { roof.error.contains("hall is gone: this member keeps recording") }
    try #require(isNoted, "\(roof.error)")
    let other = try runProgram(
      builtProgram,
      ["session", "start", "lab", "replay:\(walk)", "--name", "cellar", "-o", folder.path("x.h5")]
        + ["--broker", broker.address])
    #expect(other.exitCode == 1 && other.error.contains("whose leader is gone"), "\(other.error)")
    let back = try member("hall", leading: 2, of: walk)
    #expect(try back.waits { try sightings(folder.path("hall-2.h5")) > 100 }, "\(back.error)")
    try stop()
    for result in [roof, back].map({ $0.wait() }) {
      try #require(result.exitCode == 0, "\(result.error)")
    }
    let parts = ["hall.h5", "hall-2.h5", "roof.h5"].map { folder.path($0) }
    let merge = try runProgram(
      builtProgram, ["session", "merge", "-o", folder.path("all.h5"), "--json"] + parts)
    #expect(merge.exitCode == 0, "\(merge.error)")
    let report = try json(merge.output)
    let counts = try #require(report["parts"] as? [[String: Any]]).compactMap {
      $0["sightings"] as? Int
    }
    let merged = try #require(report["sightings"] as? Int)
    #expect(counts.count == 3 && counts.allSatisfy { $0 > 0 })
    #expect(merged + (report["repeated"] as? Int ?? 0) == counts.reduce(0, +))
    try isTidy()
  }

  @Test func `a member waits for a leader, and reports how to merge`() throws {
    let roof = try RunningProgram(
      builtProgram,
      ["session", "join", "lab", "replay:\(walk)", "--name", "roof", "--speed", "max"]
        + ["-o", folder.path("roof;x.h5"), "--broker", broker.address])
    let isNoted = roof.waits { roof.error.contains("rssi session start lab") }
    try #require(isNoted, "\(roof.error)")
    let hall = try member("hall", leading: 2, speed: "max")
    for result in [hall, roof].map({ $0.wait() }) {
      try #require(result.exitCode == 0, "\(result.error)")
    }
    let merge = try #require(
      roof.output.split(separator: "\n").first { $0.contains("session merge") })
    #expect(merge.hasSuffix("rssi session merge hall.h5 'roof;x.h5' -o lab.h5"), "\(merge)")
    let command = merge.trimmingPrefix { $0 == " " }.dropFirst("rssi".count)
    let merged = try runProgram(
      "/bin/sh", ["-c", "cd \(folder.url.path) && \(builtProgram)\(command)"])
    #expect(merged.exitCode == 0, "\(merged.error)")
  }

  @Test func `a member that leaves does not stop the others, and stop ends it for all`() throws {
    let (a, b, c) = (
      try member("a", leading: 3, speed: "0.1"), try member("b", speed: "0.1"),
      try member("c", speed: "0.1")
    )
    for one in [a, b, c] {
      let isRecording = one.waits { records(one) }
      try #require(isRecording, "\(one.error)")
    }
    a.send(SIGINT)
    #expect(a.wait().exitCode == 0)
    #expect(try who() == ["a": "left", "b": "recording", "c": "recording"])
    try stop()
    #expect(b.wait().exitCode == 0)
    #expect(c.wait().exitCode == 0)
    try isTidy()
    let nothing = try runProgram(
      builtProgram, ["session", "stop", "lab", "--broker", broker.address])
    #expect(nothing.exitCode == 1 && nothing.error.contains("no session"))
  }

  @Test func `an equal name is refused, and no member starts alone`() throws {
    let first = try member("hall", leading: 2)
    let isThere = try first.waits { try who()["hall"] == "ready" }
    #expect(isThere)
    let second = try runProgram(
      builtProgram,
      ["session", "join", "lab", "replay:\(walk)", "--name", "hall", "-o", folder.path("x.h5")]
        + ["--broker", broker.address])
    #expect(second.exitCode == 1 && second.error.contains("choose another --name"))
    // A foreign message changes nothing.
    for (payload, topic) in [
      ("{", "members/x"), ("{\"state\":\"ready\"}", "members/y"),
      (String(repeating: "[", count: 60_000), "announcement"),
      ("{\"term\":1,\"session\":\"..\",\"start_ns\":1,\"expected\":1}", "announcement"),
      ("x", "to/hall"), ("{\"marker\":\"x\"}", "to/hall"),
    ] { try broker.publish([payload], to: "rssi/session/lab/\(topic)", arguments: ["--retain"]) }
    #expect(first.isRunning && !records(first))
    first.send(SIGINT)
    let end = first.wait()
    #expect(end.exitCode == 1 && end.error.contains("the session began"))
    #expect(try !folder.names().contains { $0.hasSuffix(".h5") })
  }

  @Test func `times become the sessions`() throws {
    // Two gateways' sightings would do, but a part can also contain that its clock was
    // wrong.
    let (a, b) = (try member("a", leading: 2, speed: "max"), try member("b", speed: "max"))
    #expect(a.wait().exitCode == 0)
    #expect(b.wait().exitCode == 0)
    let change = try runPython(
      """
      import h5py, sys
      with h5py.File(sys.argv[1], "r+") as f:
          s = f["session"]
          s["parts/machine_clock"][0] = 1
          f["receivers/time_kind"][0] = b"kernel"
          first = f["sightings/time_s"][0]
          n = 2
          for c in ("time_s", "offset_ns", "uncertainty_ns", "part"): s["offsets"][c].resize((n,))
          # 2 s behind, and 10 ms more after 20 s of its clock.
          s["offsets/offset_ns"][:] = [2_000_000_000, 2_010_000_000]
          s["offsets/time_s"][:] = [first + 2, first + 22.01]
          s["offsets/uncertainty_ns"][:] = [1000, 2000]
          s["offsets/part"][:] = [0, 0]
      """, [folder.path("b.h5")])
    #expect(change.exitCode == 0, "\(change.error)")
    let merge = try rssi(
      "session", "merge", folder.path("a.h5"), folder.path("b.h5"), "-o", folder.path("all.h5"),
      "--json")
    #expect(merge.exitCode == 0, "\(merge.error)")
    let parts = try #require(try json(merge.output)["parts"] as? [[String: Any]])
    #expect(parts[1]["uncertainty_s"] as? Double == 2e-6)
    let check = try runPython(
      """
      import h5py, numpy as np, sys
      from datetime import datetime
      def read(path, receiver):
          with h5py.File(path) as f:
              at = f.attrs["start"]; at = at.decode() if isinstance(at, bytes) else at
              start = datetime.fromisoformat(at).timestamp()
              names = [x.rstrip(b"\\0").decode() for x in f["receivers/id"]]
              mine = f["sightings/receiver"][:] == names.index(receiver)
              return start, f["sightings/time_s"][:][mine], f["sightings/time_s"][:]
      start, local, _ = read(sys.argv[1], "b")
      merged, got, every = read(sys.argv[2], "b")
      since = local - local[0]
      expected = start + local + 2 + 0.010 * np.clip(since / 20, 0, 1)
      assert len(got) == len(local)
      assert np.abs(merged + got - expected).max() < 2e-6, np.abs(merged + got - expected).max()
      _, a, _ = read(sys.argv[2], "a")
      assert (np.diff(every) >= 0).all()
      """, [folder.path("b.h5"), folder.path("all.h5")])
    #expect(check.exitCode == 0, "\(check.error)")
  }

  @Test func `only parts of one session are merged`() throws {
    for lobby in 0..<2 {
      let (a, b) = (
        try member("a\(lobby)", leading: 2, speed: "max"),
        try member("b\(lobby)", speed: "max")
      )
      #expect(a.wait().exitCode == 0)
      #expect(b.wait().exitCode == 0)
    }
    func merge(_ parts: String...) throws -> ProgramResult {
      try runProgram(
        builtProgram,
        ["session", "merge", "-o", folder.path("m.h5")] + parts.map { folder.path($0) })
    }
    let mixed = try merge("a0.h5", "b1.h5")
    #expect(mixed.exitCode == 65 && mixed.error.contains("of one session"))
    #expect(try rssi("import", walk, "-o", folder.path("own.h5")).exitCode == 0)
    #expect(try merge("own.h5").exitCode == 65)
    #expect(try merge("a0.h5", "b0.h5").exitCode == 0)
    let twice = try merge("m.h5", "a0.h5")
    #expect(twice.exitCode == 64)
    try FileManager.default.copyItem(atPath: folder.path("m.h5"), toPath: folder.path("n.h5"))
    let merged = try merge("n.h5", "a0.h5")
    #expect(merged.exitCode == 65 && merged.error.contains("already merged"))
    #expect(try merge("none.h5").exitCode == 66)
    // What a session adds is still there when a part is packed, and other stages read it.
    #expect(try rssi("pack", folder.path("a0.h5")).exitCode == 0)
    #expect(try merge("a0.h5", "b0.h5").exitCode == 0)
    #expect(try rssi("info", folder.path("m.h5")).exitCode == 0)
  }

  @Test func `a shorter --duration of a member that does not lead ends its own part`() throws {
    let hall = try member("hall", leading: 2, speed: "1", ["--duration", "7s"])
    let isThere = try hall.waits { try who()["hall"] == "ready" }
    try #require(isThere, "\(hall.error)")
    let roof = try member("roof", speed: "1", ["--duration", "2s"])
    let results = [roof.wait(), hall.wait()]
    for result in results { try #require(result.exitCode == 0, "\(result.error)") }
    #expect(results[0].error.contains("--duration is over"))
    #expect(!results[1].error.contains("--duration is over"))
    // Both play the same walk from the same instant.
    let sightings = try results.map { try #require(try json($0.output)["sightings"] as? Int) }
    #expect(sightings[0] > 0 && sightings[0] < sightings[1], "\(sightings)")
    try isTidy()
  }

  @Test(arguments: [
    (["a/b", "--broker", "mqtt://127.0.0.1:1"], 64),
    (["lab", "--broker", "mqtt://127.0.0.1/topic"], 64),
    (["lab", "--broker", "http://x"], 64), (["lab", "--broker", "mqtt://127.0.0.1:1"], 69),
    (["lab", "--broker", "mqtt://127.0.0.1:1", "--members", "9"], 64),
    (["lab", "--broker", "mqtt://127.0.0.1:1", "--name", "#"], 64),
    (["lab", "--broker", "mqtt://127.0.0.1:1", "--duration", "no"], 64),
  ])
  func `reports the problem`(_ options: [String], _ code: Int) throws {
    let result = try runProgram(
      builtProgram,
      ["session", "start", options[0], "replay:\(walk)", "-o", folder.path("x.h5")]
        + options.dropFirst())
    #expect(result.exitCode == Int32(code), "\(result.error)")
    #expect(!result.error.isEmpty)
  }
}
