import Foundation
import TestSupport
import Testing

@Suite struct RegistryPullTests {
  private let folder: TemporaryDirectory
  private let server: RegistryServer
  private let kept: String

  private static let door = #"{"id": "addr:C0:FF:EE:00:00:01", "name": "door"}"#
  private static let hall = #"{"id": "addr:C0:FF:EE:00:00:02", "name": "hall"}"#

  init() throws {
    folder = try TemporaryDirectory()
    server = try RegistryServer(list: folder.write("[\(Self.door)]", to: "list.json"))
    kept = folder.path("data/rssi/registry.json")
  }

  /// As a person whose data is in the test's folder.
  private func pull(_ arguments: String..., environment: [String: String] = [:]) throws
    -> ProgramResult
  {
    try runProgram(
      builtProgram, ["registry", "pull"] + arguments,
      environment: ["RSSI_REGISTRY": "", "XDG_DATA_HOME": folder.path("data"), "NO_PROXY": "*"]
        .merging(environment) { $1 })
  }

  private func keptText() throws -> String { try String(contentsOfFile: kept, encoding: .utf8) }

  private func keptNames() throws -> [String] {
    let beacons = try json(keptText())["beacons"] as? [[String: Any]] ?? []
    return beacons.map { $0["name"] as? String ?? "" }
  }

  @Test(arguments: ["list", "plain", "dated", "gzip", "moved"])
  func `fetches a list`(path: String) throws {
    let result = try pull(server.url(path))
    #expect(result.exitCode == 0, "\(result.error)")
    #expect(result.output == "\(kept): 1 beacon, new\n")
    #expect(try keptNames() == ["door"])
    // Again: nothing changed, with and without an entity tag.
    let text = try keptText()
    let again = try pull(server.url(path))
    #expect(again.output == "\(kept): 1 beacon, unchanged\n")
    #expect(try keptText() == text)
  }

  @Test func `asks only whether the list changed`() throws {
    _ = try pull(server.url("list"))
    let unchanged = try pull("--json")
    #expect(try json(unchanged.output)["result"] as? String == "unchanged")
    #expect(server.requests.count == 2)
    #expect(server.requests[0].hasPrefix("/list - "))
    #expect(server.requests[1].hasPrefix("/list \""))
    _ = try folder.write("[\(Self.hall), \(Self.door)]", to: "list.json")
    let updated = try pull("--json")
    let report = try json(updated.output)
    #expect(report["result"] as? String == "updated")
    #expect(report["added"] as? Int == 1)
    #expect(try keptNames() == ["hall", "door"])
    // Another address has its own entity tag.
    _ = try pull(server.url("dated"))
    #expect(server.requests.last?.hasPrefix("/dated - - ") == true)
  }

  @Test(arguments: [
    ("error", 65, "status 500"), ("missing", 65, "status 404"),
    ("secret", 65, "RSSI_REGISTRY_TOKEN"),
    ("html", 65, "not a complete JSON"), ("empty", 65, "no beacon"),
    ("nothing", 65, "not a complete JSON"),
    ("bad", 65, "2 of the 3 entries"), ("cut", 65, "too early"),
    ("short", 65, "not a complete JSON"),
    ("unasked", 65, "status 304"), ("away", 65, "the redirect of"), ("loop", 65, "the redirect of"),
    ("huge", 65, "longer than 1000000 bytes"), ("bomb", 65, "longer than 1000000 bytes"),
    ("badgzip", 65, "cannot be read"), ("slow", 69, "no answer"), ("hangup", 69, "no answer"),
  ])
  func `keeps the old one on a bad answer`(path: String, exitCode: Int32, words: String) throws {
    _ = try pull(server.url("list"))
    let text = try keptText()
    // Only what never answers is to run out of time.
    let timeout = path == "slow" ? "1s" : "60s"
    let result = try pull(server.url(path), "--timeout", timeout, "--max-size", "1MB")
    #expect(result.exitCode == exitCode, "\(result.error)")
    #expect(result.error.contains(words), "\(result.error)")
    #expect(result.error.contains("is unchanged"))
    #expect(result.output == "")
    #expect(try keptText() == text)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("data/rssi")) == [
        "registry.json"
      ])
  }

  @Test func `keeps nothing of a bad first answer`() throws {
    #expect(try pull(server.url("html")).exitCode == 65)
    #expect(!FileManager.default.fileExists(atPath: kept))
    // A port without a server, and a server that does not speak TLS.
    #expect(try pull("http://127.0.0.1:1/").exitCode == 69)
    #expect(try pull("https://127.0.0.1:\(server.port)/list").exitCode == 69)
    #expect(try pull("file:///etc/passwd").exitCode == 64)
    #expect(try pull().exitCode == 64)
    #expect(try pull(server.url("list"), environment: ["RSSI_REGISTRY": "none"]).exitCode == 64)
  }

  @Test func `leaves out a few bad entries`() throws {
    _ = try folder.write("[\(Self.door), \(Self.hall), {\"name\": \"x\"}]", to: "list.json")
    let result = try pull(server.url("list"))
    #expect(result.exitCode == 0)
    #expect(result.error.contains("entry 3: no identity"))
    #expect(try keptNames() == ["door", "hall"])
  }

  @Test func `keeps no secrets`() throws {
    let first = try pull(server.url("list", user: "ann:geheim@"))
    #expect(first.exitCode == 0, "\(first.error)")
    #expect(server.requests.last?.contains("Basic") == true)
    let second = try pull(server.url("secret"), environment: ["RSSI_REGISTRY_TOKEN": "t0ken"])
    #expect(second.exitCode == 0, "\(second.error)")
    let failed = try pull(server.url("error", user: "ann:geheim@"))
    for text in [
      first.output, first.error, second.output, second.error, failed.error, try keptText(),
    ] {
      #expect(!text.contains("geheim") && !text.contains("ann") && !text.contains("t0ken"))
    }
    #expect(try keptText().contains("\"url\": \"\(server.url("secret"))\""))
  }

  @Test func `an interrupt leaves the old one`() throws {
    _ = try pull(server.url("list"))
    let text = try keptText()
    let program = try RunningProgram(
      builtProgram, ["registry", "pull", server.url("slow")],
      environment: ["RSSI_REGISTRY": kept, "NO_PROXY": "*"])
    #expect(server.waits { server.requests.last?.hasPrefix("/slow") == true })
    program.send(SIGINT)
    #expect(program.wait().exitCode == 130)
    #expect(try keptText() == text)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("data/rssi")) == [
        "registry.json"
      ])
  }

  @Test func `many at once leave a whole one`() throws {
    let programs = try (0..<8).map { index in
      try RunningProgram(
        builtProgram,
        [
          "registry", "pull", server.url(index.isMultiple(of: 2) ? "list" : "gzip"), "-o",
          folder.path("shared.json"),
        ],
        environment: ["NO_PROXY": "*"])
    }
    for program in programs {
      let result = program.wait()
      #expect(result.exitCode == 0, "\(result.error)")
    }
    let text = try String(contentsOfFile: folder.path("shared.json"), encoding: .utf8)
    #expect((try json(text)["beacons"] as? [Any])?.count == 1)
    #expect(try folder.names() == ["list.json", "shared.json"])
  }

  @Test func `replaces a file that is broken`() throws {
    _ = try pull(server.url("list"))
    try Data("{".utf8).write(to: URL(filePath: kept))
    let result = try pull(server.url("list"))
    #expect(result.exitCode == 0, "\(result.error)")
    #expect(result.error.contains("will be replaced"))
    #expect(try keptNames() == ["door"])
  }
}
