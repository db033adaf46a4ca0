import Sightings
import Support
import TestSupport
import Testing
import TracePipelines
import TraceStore

@testable import LivePipelines

@Suite("Merging the parts of a session")
struct MergedSessionTests {
  private let parts: SessionParts
  private let log = TestLog()

  init() throws { parts = try SessionParts() }

  private func merge(_ paths: [String], to name: String = "all.h5") throws -> SessionMergeResult {
    let tool = ToolIdentity(version: "1", commandLine: "test")
    return try SessionMergeStage(SessionMergeRequest(paths, into: parts.folder.path(name)))
      .run(in: StageContext(tool: tool, log: log))
  }

  @Test func `times become the session's, between measurements on a straight line`() throws {
    // The clock of a is right; that of b is 1000 ms behind at first, 1020 ms at last.
    let a = try parts.write(
      .init(member: "a", rows: [(0, -50), (100, -51)], offsets: [(0, 0), (200, 0)]), to: "a.h5")
    let b = try parts.write(
      .init(
        member: "b", rows: [(-1000, -60), (-920, -61), (-800, -62)],
        offsets: [(0, 1000), (220, 1020)]), to: "b.h5")
    let result = try merge([a, b])
    let expected: [SessionParts.Row] = [
      .init(0, -50, "a/hci0"), .init(0, -60, "b/hci0"), .init(88, -61, "b/hci0"),
      .init(100, -51, "a/hci0"), .init(220, -62, "b/hci0"),
    ]
    #expect(try parts.rows(result.path) == expected)
    #expect(result.sightings == 5 && result.repeated == 0)
    #expect(result.parts.map(\.offset) == [0, 1_020_000_000])
    // The order of the parts changes nothing.
    #expect(try parts.rows(merge([b, a], to: "again.h5").path) == expected)
  }

  @Test func `common rows of two parts of a member are there once`() throws {
    let key = Token.random()
    // Two equal rows of one part were received twice.
    let first = try parts.write(
      .init(member: "a", key: key, rows: [(0, -50), (10, -51), (10, -51), (20, -52)]), to: "a.h5")
    let second = try parts.write(
      .init(member: "a", key: key, number: 2, rows: [(10, -51), (20, -52), (20, -53), (30, -54)]),
      to: "a-2.h5")
    let other = try parts.write(.init(member: "b", rows: [(10, -51)]), to: "b.h5")
    let result = try merge([second, other, first])
    #expect(result.repeated == 2)
    #expect(
      try parts.rows(result.path).filter { $0.receiver == "a/hci0" }.map(\.level)
        == [-50, -51, -51, -52, -53, -54])
    #expect(result.sightings == 7)
  }

  @Test func `the longest of several copies counts`() throws {
    let plan = SessionParts.Plan(member: "a", rows: [(0, -50), (10, -51)])
    let whole = try parts.write(plan, to: "whole.h5")
    var shorter = plan
    shorter.rows.removeLast()
    let early = try parts.write(shorter, to: "early.h5")
    let result = try merge([early, whole])
    #expect(result.copies == [early] && result.sightings == 2)
    #expect(log.notes == ["\(early) is a copy of another part: left out"])
  }

  @Test func `times of gateways are not shifted`() throws {
    let gateway = try parts.write(
      .init(
        member: "a", rows: [(5, -50)], offsets: [(0, 1000)], timeKind: .gatewayMilliseconds,
        receiver: "door"), to: "a.h5")
    #expect(try parts.rows(merge([gateway]).path) == [.init(5, -50, "a/door")])
  }

  @Test func `refuses what is not of one session`() throws {
    let a = try parts.write(.init(member: "a", rows: [(0, -50)]), to: "a.h5")
    let elsewhere = try parts.write(
      .init(member: "b", rows: [(0, -50)]), to: "b.h5",
      mark: SessionMark(lobby: "hall", id: Token.random().description, start: parts.start))
    let merged = try merge([a]).path
    for (paths, words) in [
      ([a, elsewhere], "parts of one session"), ([a, merged], "already merged"), ([], "parts"),
    ] {
      let error = #expect(throws: RSSIError.self) { try merge(paths, to: "x.h5") }
      #expect(error?.description.contains(words) == true)
    }
    #expect(throws: RSSIError.self) {
      try merge([try parts.write(.init(member: "../x", rows: []), to: "bad.h5")], to: "x.h5")
    }
  }
}
