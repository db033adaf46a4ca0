import Foundation
import TestSupport
import Testing

private let example = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path

@Suite(
  "Sessions whose members and brokers go", .systemRun, .serialized,
  .enabled(if: Broker.isInstalled, "needs Mosquitto: run scripts/bootstrap test"))
struct SessionLossTests {
  let folder: TemporaryDirectory
  let broker: Broker

  init() throws {
    folder = try TemporaryDirectory()
    broker = try Broker(in: folder)
  }

  private func member(
    _ name: String, _ stage: String, of walk: String? = nil
  ) throws -> RunningProgram {
    try RunningProgram(
      builtProgram,
      ["session", stage, "lab", "replay:\(walk ?? longWalk.get())", "--name", name, "-o"]
        + [folder.path("\(name).h5"), "--speed", "3", "--json", "--broker", broker.address])
  }

  private func require(_ members: [RunningProgram], say text: String) throws {
    for member in members {
      let isSaid = member.waits { member.error.contains(text) }
      try #require(isSaid, "\(member.error)")
    }
  }

  /// Publishes the presence of a member.
  private func join(_ member: String, as name: String) throws {
    try broker.publish([member], to: "rssi/session/lab/members/\(name)", arguments: ["--retain"])
  }

  @Test func `a broker that goes ends no recording, and the parts merge`() throws {
    let hall = try member("hall", "start", of: example)
    let roof = try member("roof", "join", of: example)
    try require([hall, roof], say: "recording session")
    broker.stop()
    let results = [hall, roof].map { $0.wait() }
    for result in results { #expect(result.exitCode == 0, "\(result.error)") }
    let counts = try results.map { try #require(try json($0.output)["sightings"] as? Int) }
    let merge = try runProgram(
      builtProgram,
      ["session", "merge", "-o", folder.path("all.h5"), "--json"]
        + ["hall.h5", "roof.h5"].map { folder.path($0) })
    #expect(merge.exitCode == 0, "\(merge.error)")
    #expect(try json(merge.output)["sightings"] as? Int == counts.reduce(0, +))
  }

  /// Two who recorded under one name while they could not see each other: one leaves, with a message.
  @Test func `a member that is removed while it records closes its part and fails`() throws {
    let (hall, roof) = (try member("hall", "start"), try member("roof", "join"))
    try require([hall, roof], say: "recording session")
    let who = try runProgram(
      builtProgram, ["session", "who", "lab", "--json", "--broker", broker.address])
    let session = try #require(try json(who.output)["session"] as? [String: Any])["id"] as? String
    let key = String(repeating: "0", count: 32)
    try join(
      """
      {"name":"hall","key":"\(key)","incarnation":"\(key)","state":"recording",
      "session":"\(try #require(session))","parts":[]}
      """, as: "hall")
    let end = hall.wait()
    #expect(end.exitCode == 1 && end.error.contains("the recording ends:"), "\(end.error)")
    #expect(end.error.contains("choose another --name"))
    #expect(try json(end.output)["session"] is [String: Any])
    let clean = try runPython(
      "import h5py, sys\nassert h5py.File(sys.argv[1]).attrs['clean'] == 1",
      [folder.path("hall.h5")])
    #expect(clean.exitCode == 0, "\(clean.error)")
    #expect(roof.isRunning)
    roof.send(SIGINT)
    #expect(roof.wait().exitCode == 0)
  }

  @Test func `stop removes members that do not answer from the lobby`() throws {
    let (key, session) = (String(repeating: "a", count: 32), String(repeating: "b", count: 32))
    try join(
      """
      {"name":"ghost","key":"\(key)","incarnation":"\(key)","state":"recording",
      "session":"\(session)","parts":[]}
      """, as: "ghost")
    let stop = try runProgram(builtProgram, ["session", "stop", "lab", "--broker", broker.address])
    #expect(stop.exitCode == 1 && stop.error.contains("ghost does not"), "\(stop.error)")
    let who = try runProgram(
      builtProgram, ["session", "who", "lab", "--json", "--broker", broker.address])
    let members = try #require(try json(who.output)["members"] as? [[String: Any]])
    #expect(members.map { $0["state"] as? String } == ["lost"])
  }
}
