import Capture
import Support

@testable import LivePipelines

/// A channel that exists only in memory: the test delivers what it publishes.
struct MemoryChannel: RendezvousChannel {
  struct Published {
    var message: BrokerChannel.Message
    var isUrgent: Bool
  }

  let topics: [String]
  var events: [BrokerChannel.Event] = [.connected]
  var inbox: [BrokerChannel.Message] = []
  var published: [Published] = []
  private(set) var isClosed = false

  init(_ topics: [String]) { self.topics = topics }

  mutating func step(within milliseconds: Int32) throws(RSSIError) -> BrokerChannel.Event {
    events.isEmpty ? .nothing : events.removeFirst()
  }

  mutating func takeMessages() -> [BrokerChannel.Message] {
    defer { inbox = [] }
    return inbox
  }

  mutating func publish(
    _ payload: [UInt8], to topic: String, isRetained: Bool, isUrgent: Bool
  ) -> Bool {
    published.append(
      Published(
        message: BrokerChannel.Message(topic: topic, payload: payload, isRetained: isRetained),
        isUrgent: isUrgent))
    return true
  }

  mutating func close() { isClosed = true }

  func subscribes(to topic: String) -> Bool {
    topics.contains { pattern in
      pattern == topic
        || pattern.hasSuffix("/+") && topic.hasPrefix(pattern.dropLast())
          && !topic.dropFirst(pattern.count - 1).contains("/")
    }
  }
}

/// Members of a lobby around a broker, all of them values, in a time of the test.
struct MemoryRendezvous {
  struct Participant {
    var driver: RendezvousDriver
    var channel: MemoryChannel
    let mailbox: RendezvousMailbox
    var hasLeft = false
    var failure: RSSIError?
  }

  let around = TestSurroundings()
  var members: [Participant] = []
  /// The retained messages of the broker, by topic.
  private(set) var retained: [String: [UInt8]] = [:]

  /// Milliseconds of a round.
  static let round: Int64 = 20

  mutating func join(_ name: String, starting terms: SessionTerms? = nil) -> Int {
    let me = Member(name: name, key: .random(), incarnation: .random())
    let mailbox = RendezvousMailbox(me, lobby: "lab")
    var channel = MemoryChannel(mailbox.topics.topics(for: name))
    channel.inbox = retained.sorted { $0.key < $1.key }.filter { channel.subscribes(to: $0.key) }
      .map { BrokerChannel.Message(topic: $0.key, payload: $0.value, isRetained: true) }
    let driver = RendezvousDriver(
      Rendezvous(me, terms.map { .starts($0) } ?? .joins), mailbox.topics, log: around.log)
    members.append(Participant(driver: driver, channel: channel, mailbox: mailbox))
    return members.count - 1
  }

  func agreement(_ index: Int) -> RendezvousAgreement { members[index].mailbox.agreement }

  func topics(_ index: Int) -> RendezvousTopics { members[index].mailbox.topics }

  /// Runs rounds until a condition holds; false if it does not within some seconds.
  mutating func run(seconds: Int64 = 20, until condition: (MemoryRendezvous) -> Bool) throws -> Bool
  {
    for _ in 0..<seconds * 1000 / Self.round {
      if condition(self) { return true }
      around.time.advance(Self.round * 1_000_000)
      for index in members.indices where !members[index].hasLeft { step(index) }
    }
    return condition(self)
  }

  private mutating func step(_ index: Int) {
    do {
      var member = members[index]
      defer { members[index] = member }
      let goesOn = try member.driver.step(
        over: &member.channel, member.mailbox, within: 0, around.time.clock)
      member.hasLeft = !goesOn
    } catch {
      members[index].hasLeft = true
      members[index].failure = error as? RSSIError
    }
    let published = members[index].channel.published
    members[index].channel.published = []
    for sent in published { publish(sent.message) }
  }

  mutating func publish(_ message: BrokerChannel.Message) {
    if message.isRetained {
      retained[message.topic] = message.payload.isEmpty ? nil : message.payload
    }
    for index in members.indices where members[index].channel.subscribes(to: message.topic) {
      members[index].channel.inbox.append(message)
    }
  }
}
