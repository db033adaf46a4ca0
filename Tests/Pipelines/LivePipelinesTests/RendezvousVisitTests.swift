import Capture
import Support
import Testing

@testable import LivePipelines

@Suite("A visit to a lobby") struct RendezvousVisitTests {
  private let topics = RendezvousTopics(lobby: "lab")
  private let session = Token.random()

  /// A clock of which each reading is 10 ms after the one before.
  private var clock: MachineClock {
    let time = TestTime()
    var clock = time.clock
    clock.monotonic = {
      time.advance(10_000_000)
      return time.monotonic
    }
    return clock
  }

  private func member(_ name: String, ticket: UInt32, _ state: Member.State) -> Member {
    var member = Member(
      name: name, key: .random(), incarnation: .random(), expected: 2, limit: 8)
    (member.ticket, member.state, member.session) = (ticket, state, session)
    return member
  }

  private func visit(_ kept: [RendezvousMessage]) throws -> RendezvousVisit<MemoryChannel> {
    try RendezvousVisit("lab", clock: clock) { subscribed in
      var channel = MemoryChannel(subscribed)
      for message in kept { try topics.publish(message, on: &channel) }
      channel.inbox = channel.published.map(\.message)
      channel.published = []
      return channel
    }
  }

  @Test func `sees members in the order in which they came`() throws {
    let announcement = Announcement(term: 1, session: session, start: 5, end: nil, expected: 2)
    var visit = try visit([
      .presence(member("z", ticket: 1, .recording)), .presence(member("a", ticket: 2, .left)),
      .presence(member("b", ticket: 1, .ready)), .announcement(announcement),
    ])
    try visit.look()
    #expect(visit.view.members.map(\.name) == ["b", "z", "a"])
    #expect(visit.view.announcement == announcement)
  }

  @Test func `a member that does not answer is published as lost`() throws {
    let log = TestLog()
    var visit = try visit([.presence(member("a", ticket: 1, .recording))])
    let error = #expect(throws: RSSIError.self) { try visit.stopSession(log) }
    #expect(error?.problem.contains("running in lab") == true)
    #expect(log.notes == ["warning: a does not answer, and counts as lost"])
    let last = try #require(visit.channel.published.last?.message)
    guard case .presence(let lost)? = topics.message(last) else {
      Issue.record("\(last.topic)")
      return
    }
    #expect(lost.name == "a" && lost.state == .lost)
    #expect(visit.channel.isClosed)
  }

  @Test(arguments: ["", "..", "a/b", "a+", "x y"])
  func `refuses names that are not`(_ name: String) {
    #expect(throws: RSSIError.self) {
      try RendezvousRequest(lobby: name, broker: "mqtt://localhost").check()
    }
  }
}
