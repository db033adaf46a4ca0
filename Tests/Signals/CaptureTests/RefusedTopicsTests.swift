import Testing

@testable import Capture

@Suite struct RefusedTopicsTests {
  private func note(
    _ topics: [String], _ reason: GatewayRejection = .unknownDialect
  ) throws -> [String] {
    var refused = RefusedTopics()
    var sink = RecordingSink { _ in true }
    for topic in topics { refused.add(Array(topic.utf8)) }
    try refused.note(reason, to: &sink)
    return sink.notes
  }

  @Test func `the topics with most messages are named`() throws {
    #expect(
      try note(["b", "a", "b", "c", "d", "c", "c"]) == [
        "7 messages of an unknown dialect, on c (3), b (2), a (1) and other topics (1): subscribe to "
          + "fewer topics, or name the `dialect`"
      ])
  }

  @Test func `the reason is named`() throws {
    #expect(
      try note(["ingics/gw1"], .badJSON) == ["1 message refused as bad-json, on ingics/gw1 (1)"])
    #expect(
      try note(["a", "a", "b"], .badRSSI) == ["3 reports refused as bad-rssi, on a (2), b (1)"])
  }

  /// A publisher that makes up topics fills neither memory nor the screen.
  @Test func `made up topics are bounded`() throws {
    let long = String(repeating: "x", count: 60_000)
    let found = try note((0..<10_000).map { "t\($0)" } + [long])
    #expect(
      try #require(found.first).hasPrefix("10001 messages of an unknown dialect, on t0 (1), "))
    #expect(found[0].contains("other topics (9998)"))
    #expect(try note([long])[0].count < 250)
  }
}
