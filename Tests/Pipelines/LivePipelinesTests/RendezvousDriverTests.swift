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
    let (a, b) = (lobby.join("a"), lobby.join("b"))
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
    #expect(lobby.agreement(a).announcement == lobby.agreement(b).announcement)

    for index in [a, b] { lobby.members[index].mailbox.began() }
    #expect(try lobby.run { $0.agreement(b).others.first?.state == .recording })
    #expect(lobby.agreement(b).end == nil)
    lobby.members[b].mailbox.stopAll()
    #expect(try lobby.run { $0.agreement(a).end != nil && $0.agreement(b).end != nil })

    for index in [a, b] { lobby.members[index].mailbox.ended(with: []) }
    #expect(try lobby.run { $0.agreement(a).others.first?.state == .handing })
    for index in [a, b] { lobby.members[index].mailbox.leave() }
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

  @Test mutating func `letters go to the recorder and questions do not`() throws {
    let (a, b) = try startTwo()
    let topics = lobby.topics(a)
    lobby.members[b].mailbox.send([1, 2, 3], to: topics.requests(to: "a"))
    lobby.members[b].mailbox.send([4], to: topics.pieces(for: "a"))
    lobby.members[b].mailbox.send([5], to: topics.requests(to: "b"))
    _ = try lobby.run(seconds: 1) { _ in false }
    #expect(lobby.members[a].mailbox.takeLetters().map(\.payload) == [[1, 2, 3], [4]])
    #expect(lobby.members[b].mailbox.takeLetters().map(\.payload) == [[5]])
  }

  @Test mutating func `a flood of letters is bounded`() throws {
    let (a, _) = try startTwo()
    for _ in 0..<1000 {
      lobby.publish(
        BrokerChannel.Message(
          topic: lobby.topics(a).requests(to: "a"), payload: [0], isRetained: false))
    }
    _ = try lobby.run(seconds: 1) { _ in false }
    #expect(lobby.members[a].mailbox.takeLetters().count == 256)
  }

  @Test mutating func `among too many the last is refused`() throws {
    _ = lobby.join("a", limit: 2)
    _ = lobby.join("b", limit: 2)
    _ = try lobby.run(seconds: 3) { _ in false }
    let c = lobby.join("c", limit: 2)
    #expect(try lobby.run { $0.members[c].failure != nil })
    #expect(lobby.members[c].failure?.problem.hasPrefix("c cannot join lab: ") == true)
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
      notes.filter { $0.hasSuffix("trying on") } == ["refused; trying on", "no route; trying on"])
    let now = lobby.around.time.monotonic
    #expect(lobby.agreement(a).connection.outage(at: now) > 900_000_000)
    #expect(!lobby.agreement(a).connection.isSettled(at: now))

    lobby.members[a].channel.events = [.connected]
    _ = try lobby.run(seconds: 1) { _ in false }
    let later = lobby.around.time.monotonic
    // Others need some seconds to come back, too.
    #expect(!lobby.agreement(a).connection.isSettled(at: later))
    #expect(lobby.agreement(a).connection.isSettled(at: later + 5_000_000_000))
  }

  @Test mutating func `what no member wrote changes nothing`() throws {
    let (a, b) = try startTwo()
    let before = lobby.agreement(a)
    for topic in ["announcement", "members/x", "to/a", "all", "members/../y"] {
      for text in ["", "{}", "[]", "{\"stop\":\"x\"}", String(repeating: "[", count: 40_000)]
      where topic != "announcement" || !text.isEmpty {
        lobby.publish(
          BrokerChannel.Message(
            topic: "rssi/session/lab/\(topic)", payload: Array(text.utf8), isRetained: false))
      }
    }
    _ = try lobby.run(seconds: 1) { _ in false }
    #expect(lobby.agreement(a).announcement == before.announcement)
    #expect(lobby.agreement(a).others.map(\.name) == ["b"])
    #expect(lobby.agreement(b).others.map(\.name) == ["a"])
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
    var member = Member(
      name: "a", key: .random(), incarnation: .random(), expected: 2, limit: 8)
    member.session = .random()
    member.parts = [
      Member.Part(
        id: .random(), file: "part.h5", bytes: 12, sha256: String(repeating: "a0", count: 32))
    ]
    return member
  }

  @Test func `are read as they are written`() throws {
    let token = Token.random()
    let times = ClockAnswer.Times(arrived: 5, answered: 6, uncertainty: 7)
    for message: RendezvousMessage in [
      .presence(member), .absence("a"), .withdrawal, .marker(token, to: "a"), .stop(token),
      .announcement(Announcement(term: 3, session: token, start: 1, end: nil, expected: 2)),
      .announcement(Announcement(term: 3, session: token, start: 1, end: 9, expected: 2)),
      .question(ClockQuestion(number: 4, name: "b", incarnation: token), to: "a"),
      .answer(ClockAnswer(asker: token, number: 4, answerer: token, times: times), to: "a"),
      .answer(ClockAnswer(asker: token, number: 4, answerer: token, times: nil), to: "a"),
    ] {
      #expect(topics.message(try written(message)) == message)
    }
  }

  @Test(arguments: [
    ("part.h5", "../part.h5"), ("\"bytes\":12", "\"bytes\":-1"),
    ("\"expected\":2", "\"expected\":0"),
    ("\"limit\":8", "\"limit\":257"), ("a0a0", "A0A0"),
    ("\"state\":\"joining\"", "\"state\":\"x\""),
  ])
  func `that are out of range are not read`(_ right: String, _ wrong: String) throws {
    var message = try written(.presence(member))
    let text = String(decoding: message.payload, as: UTF8.self)
    let changed = text.replacing(right, with: wrong, maxReplacements: 1)
    try #require(changed != text)
    message.payload = Array(changed.utf8)
    #expect(topics.message(message) == nil)
  }
}
