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

  private func member(_ name: String, _ state: Member.State) -> Member {
    var member = Member(name: name, key: .random(), incarnation: .random())
    (member.state, member.session) = (state, session)
    return member
  }

  private func visit(
    _ role: Rendezvous.Role, _ kept: [RendezvousMessage]
  ) throws -> RendezvousVisit<MemoryChannel> {
    try RendezvousVisit("lab", role, clock: clock) { subscribed in
      var channel = MemoryChannel(subscribed)
      for message in kept { try topics.publish(message, on: &channel) }
      channel.inbox = channel.published.map(\.message)
      channel.published = []
      return channel
    }
  }

  @Test func `sees members by name`() throws {
    let announcement = Announcement(
      session: session, number: 1, leader: "z", opened: 5, limit: 8)
    var visit = try visit(
      .looks,
      [
        .presence(member("z", .recording)), .presence(member("a", .left)),
        .presence(member("b", .ready)), .announcement(announcement),
      ])
    let view = try visit.look()
    #expect(view.members.map(\.name) == ["a", "b", "z"])
    #expect(view.announcement == announcement)
  }

  @Test func `a member that does not answer is published as lost`() throws {
    let log = TestLog()
    var visit = try visit(.asks, [.presence(member("a", .recording))])
    let error = #expect(throws: RSSIError.self) { try visit.stopSession(log) }
    #expect(error?.problem.contains("running in lab") == true)
    #expect(log.notes == ["warning: a does not answer and counts as lost"])
    let last = try #require(visit.channel.published.last?.message)
    guard case .presence(let lost)? = topics.message(last) else {
      Issue.record("\(last.topic)")
      return
    }
    #expect(lost.name == "a" && lost.state == .lost)
  }

  @Test(arguments: ["", "..", "a/b", "a+", "x y"])
  func `refuses names that are not`(_ name: String) {
    #expect(throws: RSSIError.self) {
      try RendezvousRequest(lobby: name, broker: "mqtt://localhost").check()
    }
  }
}
