import Foundation
import TestSupport
import Testing

private let example = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path

@Suite(
  "Gathering a session's parts", .systemRun, .serialized,
  .enabled(if: Broker.isInstalled, "needs Mosquitto: run scripts/bootstrap test"))
struct SessionGatheringTests {
  let folder: TemporaryDirectory
  let broker: Broker

  init() throws {
    folder = try TemporaryDirectory()
    broker = try Broker(in: folder)
  }

  private func member(
    _ name: String, of walk: String? = nil, _ options: String...
  ) throws -> RunningProgram {
    try RunningProgram(
      builtProgram,
      [
        "session", "join", "lab", "replay:\(walk ?? longWalk.get())", "--name", name, "-o",
        folder.path("\(name).h5"),
      ]
        + ["--speed", "3", "--json", "--broker", broker.address] + options)
  }

  private func require(_ members: [RunningProgram], say text: String) throws {
    for member in members {
      let isSaid = member.waits { member.error.contains(text) }
      try #require(isSaid, "\(member.error)")
    }
  }

  /// Publishes what a member says of itself.
  private func join(_ member: String, as name: String) throws {
    try broker.publish([member], to: "rssi/session/lab/members/\(name)", arguments: ["--retain"])
  }

  private func stop() throws {
    let stop = try runProgram(builtProgram, ["session", "stop", "lab", "--broker", broker.address])
    #expect(stop.exitCode == 0, "\(stop.error)")
  }

  /// Where a broker ends, all are lost to each other; who gathers does not believe that.
  @Test func `a broker that is away at the end is waited for`() throws {
    let hall = try member("hall", of: example, "--merge", folder.path("all.h5"))
    let roof = try member("roof", of: example)
    try require([hall, roof], say: "recording session")
    broker.stop()
    // It records to the walk's end without a broker, and waits for one then.
    let hasEnded = try hall.waits {
      let info = try rssi("info", folder.path("hall.h5"))
      return info.exitCode == 0 && !info.output.contains("being written")
    }
    try #require(hasEnded && hall.isRunning, "\(hall.error)")
    try broker.start()
    let (first, second) = (hall.wait(), roof.wait())
    #expect(first.exitCode == 0, "\(first.error)")
    #expect(second.exitCode == 0, "\(second.error)")
    let report = try json(first.output)
    #expect((report["missing"] as? [Any])?.isEmpty == true)
    let parts = try #require((report["merged"] as? [String: Any])?["parts"] as? [[String: Any]])
    #expect(parts.compactMap { $0["member"] as? String } == ["hall", "roof"])
  }

  @Test func `a part that is not there is named and the rest is merged`() throws {
    let hall = try member("hall", "--merge", folder.path("all.h5"))
    let roof = try member("roof")
    try require([hall, roof], say: "recording session")
    roof.send(SIGINT)
    // It goes although somebody gathers: one Ctrl-C ends the recording, one more the wait.
    try require([roof], say: "handing over to hall")
    roof.send(SIGINT)
    #expect(roof.wait().exitCode == 0)
    try stop()
    let end = hall.wait()
    #expect(end.exitCode == 1 && end.error.contains("lacks parts (roof)"), "\(end.error)")
    let report = try json(end.output)
    let missing = try #require(report["missing"] as? [[String: Any]])
    #expect(missing.count == 1 && missing[0]["member"] as? String == "roof")
    #expect(missing[0]["file"] as? String == "roof.h5" && missing[0]["reason"] as? String == "left")
    let parts = (report["merged"] as? [String: Any])?["parts"] as? [Any]
    #expect(parts?.count == 1 && report["session"] is [String: Any])
  }

  @Test func `a merge that fails costs no report`() throws {
    let hall = try member("hall", "--merge", folder.path("all.h5"))
    let roof = try member("roof")
    try require([hall, roof], say: "recording session")
    _ = try folder.write("mine", to: "all.h5")
    try stop()
    let end = hall.wait()
    #expect(end.exitCode == 74 && end.error.contains("merges them later"), "\(end.error)")
    let report = try json(end.output)
    #expect(report["merged"] is NSNull && (report["missing"] as? [Any])?.count == 1)
    #expect(try String(contentsOfFile: folder.path("all.h5"), encoding: .utf8) == "mine")
    #expect(roof.wait().exitCode == 0)
  }

  /// Two who recorded under one name while they could not see each other: one goes, and says so.
  @Test func `who is put out while it records closes its part and fails`() throws {
    let (hall, roof) = (try member("hall"), try member("roof"))
    try require([hall, roof], say: "recording session")
    let who = try runProgram(
      builtProgram, ["session", "who", "lab", "--json", "--broker", broker.address])
    let session = try #require(try json(who.output)["session"] as? [String: Any])["id"] as? String
    let key = String(repeating: "a", count: 32)
    try join(
      """
      {"key":"\(key)","incarnation":"\(key)","ticket":0,"state":"recording","synchronised":true,
      "session":"\(try #require(session))","expected":2,"limit":8,"gathers":false,"parts":[]}
      """, as: "hall")
    let end = hall.wait()
    #expect(end.exitCode == 1 && end.error.contains("the recording ends:"), "\(end.error)")
    #expect(end.error.contains("choose another name"))
    #expect(try json(end.output)["session"] is [String: Any])
    let clean = try runPython(
      "import h5py, sys\nassert h5py.File(sys.argv[1]).attrs['clean'] == 1",
      [folder.path("hall.h5")])
    #expect(clean.exitCode == 0, "\(clean.error)")
    #expect(roof.isRunning)
    roof.send(SIGINT)
    #expect(roof.wait().exitCode == 0)
  }

  @Test func `who does not answer is taken out of the lobby by stop`() throws {
    let (key, session) = (String(repeating: "a", count: 32), String(repeating: "b", count: 32))
    try join(
      """
      {"key":"\(key)","incarnation":"\(key)","ticket":1,"state":"recording","synchronised":true,
      "session":"\(session)","expected":2,"limit":8,"gathers":false,"parts":[]}
      """, as: "ghost")
    let stop = try runProgram(builtProgram, ["session", "stop", "lab", "--broker", broker.address])
    #expect(stop.exitCode == 1 && stop.error.contains("ghost does not"), "\(stop.error)")
    let who = try runProgram(
      builtProgram, ["session", "who", "lab", "--json", "--broker", broker.address])
    let members = try #require(try json(who.output)["members"] as? [[String: Any]])
    #expect(members.map { $0["state"] as? String } == ["lost"])
  }
}

@Suite("Where a merged trace may go") struct MergePlaceTests {
  /// All before anybody is asked: there is no broker.
  @Test(arguments: [
    ("walk.btsnoop", 64), ("part.h5", 64), ("part-2.h5", 64), ("part-37.h5", 64), ("there.h5", 64),
    ("-", 64), ("none/all.h5", 74), ("all.h5", 69),
  ])
  func `is nobody else's`(_ place: String, _ code: Int32) throws {
    let folder = try TemporaryDirectory()
    try FileManager.default.copyItem(atPath: example, toPath: folder.path("walk.btsnoop"))
    _ = try folder.write("mine", to: "there.h5")
    let before = try folder.names()
    let result = try runProgram(
      builtProgram,
      ["session", "join", "lab", "replay:\(folder.path("walk.btsnoop"))", "--name", "a"]
        + ["-o", folder.path("part.h5"), "--broker", "mqtt://127.0.0.1:1"]
        + ["--merge", place == "-" ? place : folder.path(place)])
    #expect(result.exitCode == code, "\(result.error)")
    #expect(try folder.names() == before)
  }
}
