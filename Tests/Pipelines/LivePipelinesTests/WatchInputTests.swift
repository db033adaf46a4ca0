import Advertising
import Foundation
import Proximity
import Recordings
import Sightings
import Support
import TestSupport
import Testing
import TracePipelines

@testable import LivePipelines

@Suite("Inputs of a watch") struct WatchInputTests {
  private let around = TestSurroundings()
  private let folder: TemporaryDirectory
  private let findings = CollectedFindings()

  init() throws { folder = try TemporaryDirectory() }

  private func watch(_ input: WatchInput, into output: any WatchOutput) throws {
    var request = WatchRequest()
    (request.input, request.output) = (input, output)
    try WatchStage(request).run(in: around.context)
  }

  private func rows(_ seconds: [Int64], to name: String = "t.csv") throws -> String {
    let lines = seconds.map { "\(1000 + $0),a,r,-60" }
    return try folder.write(
      "time_s,beacon,receiver,rssi_dbm\n" + lines.joined(separator: "\n") + "\n", to: name)
  }

  @Test func `a file that is not in order is sorted`() throws {
    let order = (0..<60).map { Int64(($0 * 7) % 60) }
    try watch(.files([rows(order)]), into: findings)
    let sorted = CollectedFindings()
    try watch(.files([rows(order.sorted())]), into: sorted)
    #expect(findings.events == sorted.events && findings.events.count == 4)
    #expect(around.log.notes.count { $0.contains("sorted first") } == 1)
  }

  @Test func `files are watched one after the other`() throws {
    let files = [try rows([1, 2]), try rows([4, 5], to: "u.csv")]
    try watch(.files(files), into: findings)
    let alone = CollectedFindings()
    for file in files { try watch(.files([file]), into: alone) }
    #expect(findings.events == alone.events && findings.events.count == 8)
    #expect(findings.events[3].hasSuffix(" t") && findings.events[4].hasSuffix(" u"))
  }

  @Test func `a paused replay goes on where it stopped`() throws {
    let path = folder.path("walk.btsnoop")
    var writer = try BTSnoopWriter(path: path)
    for second: Int64 in 0...10 {
      let payload: [UInt8] = [2, 1, 6]
      try writer.receive(
        AdvertisingReport(1_600_000_000_000_000_000 + second * Timestamp.second),
        payload: payload.span)
    }
    try writer.close()
    let began = around.time.monotonic
    // The user looks from the fourth second on for a minute.
    let pause = began + 4 * Timestamp.second..<began + 64 * Timestamp.second
    let (findings, time) = (findings, around.time)
    findings.pauses = { pause.contains(time.monotonic) }
    var counts: Set<Int> = []
    findings.ticks = {
      if pause.contains(time.monotonic) { counts.insert(findings.rangings.count) }
      return true
    }
    try watch(.source(SourceRequest(.replay(path))), into: findings)
    #expect(counts.count == 1 && findings.rangings.count > (counts.first ?? 0))
    let lasted = Double(around.time.monotonic - began) / 1e9
    #expect(lasted >= 70 && lasted < 70.1)
  }

  @Test func `a user stops the watch of a file`() throws {
    around.control.askToStop()
    try watch(.files([rows([1, 2])]), into: findings)
    #expect(findings.isFinished)
  }

  /// A part of a session is a trace; its rows are a millisecond apart.
  private func trace(_ count: Int, to name: String) throws -> (SessionParts, path: String) {
    let parts = try SessionParts()
    let path = try parts.write(
      .init(member: "a", rows: (0..<count).map { (Int64($0), -60) }), to: name)
    return (parts, path)
  }

  @Test func `a followed trace ends with its writer`() throws {
    let (parts, path) = try trace(5, to: "t.h5")
    try withExtendedLifetime(parts) {
      try watch(.followed(path), into: findings)
    }
    #expect(findings.events.count == 4 && findings.isFinished)
    #expect(around.log.notes.last?.hasPrefix("\(path): no program") == true)
  }

  @Test func `a followed trace is read on where it was left`() throws {
    let (parts, path) = try trace(5, to: "t.h5")
    let (longer, more) = try trace(8, to: "t.h5")
    var followed = FollowedTrace(path: path)
    var counts: [Int] = []
    _ = try followed.readNew { rows, _ in counts.append(rows.count) }
    _ = try followed.readNew { rows, _ in counts.append(rows.count) }
    try withExtendedLifetime(longer) {
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.copyItem(atPath: more, toPath: path)
    }
    _ = try followed.readNew { rows, _ in counts.append(rows.count) }
    #expect(counts == [5, 3])
    // Fewer rows than were read are those of another trace.
    _ = try parts.write(.init(member: "a", rows: [(0, -60)]), to: "t.h5")
    let error = #expect(throws: RSSIError.self) { try followed.readNew { _, _ in } }
    #expect(error?.problem.contains("by another trace") == true)
  }
}

@Suite("Regions as users write them") struct RegionTextTests {
  @Test func `have a name and zones`() throws {
    let text = try RegionText("shop=E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1@near,far")
    #expect(text.name == "shop" && text.beacon == "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1")
    #expect(text.zones == ZoneSet([.near, .far]))
    let plain = try RegionText("door")
    #expect(plain.name == "door" && plain.beacon == "door" && plain.zones == .all)
    // The URL of a beacon may hold an equals sign.
    let url = "eddystone-url:https://x.y/?a=b"
    #expect(try RegionText(url).name == url)
  }

  @Test(arguments: [
    ("", "missing beacon"), ("=x", "the name before = is empty"), ("x@", "unknown zone \"\""),
    ("x@close", "unknown zone \"close\": choose from"), ("x@neer", "did you mean \"near\"?"),
    ("x@near,", "unknown zone \"\""), ("name=", "missing beacon"),
  ])
  func `others are refused`(_ text: String, _ reason: String) {
    let error = #expect(throws: RSSIError.self) { try RegionText(text) }
    #expect(error?.kind == .usage && error?.problem.contains(reason) == true)
  }
}
