import Capture
import Sightings
import Support
import Testing

@testable import LivePipelines

@Suite("The driver of a lobby, over channels in memory")
struct RendezvousDriverTests {
  private var lobby = MemoryRendezvous()

  /// Two members whose radios are ready, after they have agreed on a start.
  private mutating func startTwo() throws -> (a: Int, b: Int) {
    let (a, b) = (lobby.join("a", starting: SessionTerms()), lobby.join("b"))
    lobby.members[a].mailbox.sourceIsReady()
    lobby.members[b].mailbox.sourceIsReady()
    try #require(
      try lobby.run { $0.agreement(a).start != nil && $0.agreement(b).start != nil })
    return (a, b)
  }

  @Test mutating func `members start together and stop together`() throws {
    let (a, b) = try startTwo()
    let starts = [lobby.agreement(a).start, lobby.agreement(b).start].compactMap(\.self)
    // Their clocks are the same here, and an answer is on its way for two rounds at most.
    #expect(abs(starts[0] - starts[1]) <= 2 * MemoryRendezvous.round * 1_000_000)
    #expect(lobby.agreement(a).session?.id == lobby.agreement(b).session?.id)

    for (index, part) in [(a, "a.h5"), (b, "b.h5")] { lobby.members[index].mailbox.began([part]) }
    #expect(try lobby.run { $0.agreement(b).otherParts == ["a.h5"] })
    #expect(lobby.agreement(b).end == nil)
    lobby.members[b].mailbox.leave(stoppingAll: true)
    #expect(try lobby.run { $0.agreement(a).end != nil && $0.members[b].hasLeft })
    #expect(lobby.agreement(a).otherParts == ["b.h5"])
    lobby.members[a].mailbox.leave()
    #expect(try lobby.run { $0.members.allSatisfy(\.hasLeft) })
    // The last one takes back what the broker keeps.
    #expect(lobby.retained.isEmpty)
    #expect(lobby.members.allSatisfy { $0.failure == nil })
  }

  @Test mutating func `offsets are kept every ten seconds and at the end`() throws {
    let (a, _) = try startTwo()
    let mailbox = lobby.members[a].mailbox
    _ = mailbox.takeOffsets()
    _ = try lobby.run(seconds: 25) { _ in false }
    let offsets = mailbox.takeOffsets(isEnd: true)
    #expect(offsets.count == 3)
    let steps = zip(offsets.dropFirst(), offsets).map { ($0.time - $1.time) / 1_000_000_000 }
    #expect(steps.first == 10 && steps.allSatisfy { $0 <= 10 })
    // The leader's clock is the session's time.
    #expect(offsets.allSatisfy { $0.offset == 0 })
  }

  @Test mutating func `among too many the last is refused`() throws {
    _ = lobby.join("a", starting: SessionTerms(maxMembers: 2))
    _ = lobby.join("b")
    _ = try lobby.run(seconds: 3) { _ in false }
    let c = lobby.join("c")
    #expect(try lobby.run { $0.members[c].failure != nil })
    #expect(lobby.members[c].failure?.problem.hasPrefix("c cannot take part in lab: ") == true)
  }

  @Test mutating func `another leader learns the present leader, and a remedy`() throws {
    _ = try startTwo()
    let c = lobby.join("c", starting: SessionTerms())
    #expect(try lobby.run { $0.members[c].failure != nil })
    let words = try #require(lobby.members[c].failure?.problem)
    #expect(words.contains("a leads a session there since 2026-01-01T00:00:0"), "\(words)")
    #expect(words.contains("rssi session join lab") && words.contains("rssi session stop lab"))
  }

  @Test mutating func `changes of the leader are noted`() throws {
    let b = lobby.join("b")
    _ = try lobby.run(seconds: 4) { _ in false }
    #expect(lobby.around.log.notes.last?.hasPrefix("waiting for a leader: ") == true)
    let a = lobby.join("a", starting: SessionTerms())
    for index in [a, b] { lobby.members[index].mailbox.sourceIsReady() }
    try #require(try lobby.run { $0.agreement(a).start != nil && $0.agreement(b).start != nil })
    #expect(lobby.around.log.notes.contains("a leads"))
    for index in [a, b] { lobby.members[index].mailbox.began([]) }
    _ = try lobby.run(seconds: 1) { _ in false }
    lobby.members[a].mailbox.leave()
    _ = try lobby.run(seconds: 1) { _ in false }
    #expect(
      lobby.around.log.notes.last?.hasPrefix("a is gone: this member keeps recording") == true)
    #expect(!lobby.members[b].hasLeft)
  }

  @Test mutating func `an outage is noted once for each reason`() throws {
    let (a, _) = try startTwo()
    lobby.members[a].channel.events = [
      .lost("gone"), .failedAgain("refused"), .failedAgain("refused"), .failedAgain("no route"),
    ]
    _ = try lobby.run(seconds: 1) { _ in false }
    let notes = lobby.around.log.notes
    #expect(notes.count { $0.hasPrefix("gone; ") } == 1)
    #expect(
      notes.filter { $0.hasSuffix("trying again") } == [
        "refused; trying again", "no route; trying again",
      ])

    // Others need some seconds to reconnect, too: until then no member counts as lost.
    lobby.members[a].channel.events = [.connected]
    let count = notes.count
    _ = try lobby.run(seconds: 1) { _ in false }
    #expect(lobby.around.log.notes.count == count)
  }

  @Test mutating func `foreign messages change nothing`() throws {
    let (a, b) = try startTwo()
    let before = lobby.agreement(a)
    for topic in ["announcement", "members/x", "to/a", "members/../y"] {
      for text in ["", "{}", "[]", "{\"stop\":\"x\"}", String(repeating: "[", count: 40_000)]
      where topic != "announcement" || !text.isEmpty {
        lobby.publish(
          BrokerChannel.Message(
            topic: "rssi/session/lab/\(topic)", payload: Array(text.utf8), isRetained: false))
      }
    }
    _ = try lobby.run(seconds: 1) { _ in false }
    #expect(lobby.agreement(a).session?.id == before.session?.id)
    #expect(lobby.agreement(a).start == before.start && lobby.agreement(a).end == before.end)
    #expect(Array(lobby.members[a].driver.lobby.others.keys) == ["b"])
    #expect(Array(lobby.members[b].driver.lobby.others.keys) == ["a"])
  }
}

@Suite("Messages of a lobby as JSON") struct RendezvousTopicsTests {
  private let topics = RendezvousTopics(lobby: "lab")

  private func written(_ message: RendezvousMessage) throws -> BrokerChannel.Message {
    var channel = MemoryChannel([])
    try topics.publish(message, on: &channel)
    return try #require(channel.published.first?.message)
  }

  private var member: Member {
    var member = Member(name: "a", key: .random(), incarnation: .random())
    (member.session, member.parts) = (.random(), ["part.h5"])
    return member
  }

  private var announcement: Announcement {
    Announcement(session: .random(), number: 3, leader: "a", opened: 1, limit: 8)
  }

  @Test func `are read as they are written`() throws {
    let token = Token.random()
    let times = ClockAnswer.Times(arrived: 5, answered: 6, uncertainty: 7)
    let question = ClockQuestion(number: 4, name: "b", incarnation: token, session: token)
    var ended = announcement
    (ended.start, ended.end) = (2, 9)
    for message: RendezvousMessage in [
      .presence(member), .absence("a"), .withdrawal, .marker(token, to: "a"),
      .announcement(announcement), .announcement(ended), .question(question, to: "a"),
      .answer(ClockAnswer(to: question, from: token, times: times), to: "a"),
      .answer(ClockAnswer(to: question, from: token, times: nil), to: "a"),
    ] {
      #expect(topics.message(try written(message)) == message)
    }
  }

  @Test(arguments: [
    ("part.h5", "../part.h5"), ("part.h5", "a\\u0007"), ("\"name\":\"a\"", "\"name\":\"b\""),
    ("\"key\":\"", "\"key\":\"x"), ("\"state\":\"joining\"", "\"state\":\"x\""),
    ("\"session\":\"", "\"session\":\".."),
  ])
  func `values of members that are out of range are not read`(_ right: String, _ wrong: String)
    throws
  {
    try isRefused(.presence(member), right, wrong)
  }

  @Test(arguments: [
    ("\"limit\":8", "\"limit\":257"), ("\"limit\":8", "\"limit\":0"),
    ("\"leader\":\"a\"", "\"leader\":\"../a\""),
    ("\"opened_ns\":1", "\"opened_ns\":9000000000000000000"),
    ("\"number\":3", "\"number\":-1"),
  ])
  func `values of leaders that are out of range are not read`(_ right: String, _ wrong: String)
    throws
  {
    try isRefused(.announcement(announcement), right, wrong)
  }

  private func isRefused(_ message: RendezvousMessage, _ right: String, _ wrong: String) throws {
    var written = try written(message)
    let text = String(decoding: written.payload, as: UTF8.self)
    let changed = text.replacing(right, with: wrong, maxReplacements: 1)
    try #require(changed != text)
    written.payload = Array(changed.utf8)
    #expect(topics.message(written) == nil)
  }
}
