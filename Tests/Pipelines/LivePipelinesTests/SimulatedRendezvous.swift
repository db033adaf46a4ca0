import LivePipelines
import TestSupport

/// Lobbies around a broker on a simulated network, with clocks of their own and delays that vary.
struct SimulatedRendezvous {
  /// A program that takes part.
  struct Program {
    var lobby: Rendezvous
    /// Nanoseconds of its monotonic clock at true time 0, and parts in a million that it runs fast.
    var epoch: Int64
    var drift: Double
    var isAlive = true
    /// When its radio is ready, of true time.
    var readyTime: Int64
    var begun: (trueTime: Int64, session: Token)?
    /// The session's time that it believed to have at the start, against the true one.
    var ended: Int64?
    /// When its messages reach the broker and the broker's reach it: no one overtakes another.
    var lastUp: Int64 = 0
    var lastDown: Int64 = 0
  }

  private enum Event {
    case toBroker(from: Int, Token, RendezvousMessage)
    case toProgram(Int, Token, RendezvousMessage)
  }

  var programs: [Program] = []
  private(set) var now: Int64 = 0
  private var events: [(time: Int64, order: Int, event: Event)] = []
  private var order = 0
  private var kept: [String: Member] = [:]
  private(set) var announcement: Announcement?
  var generator: SeededGenerator
  /// The longest way, in nanoseconds; each message takes a part of it.
  var longestDelay: Int64

  static let millisecond: Int64 = 1_000_000

  init(seed: UInt64, longestDelay: Int64 = 20 * millisecond) {
    generator = SeededGenerator(seed: seed)
    self.longestDelay = longestDelay
  }

  var keptNames: [String] { kept.keys.sorted() }
  func kept(_ name: String) -> Member? { kept[name] }

  mutating func add(
    _ name: String, key: Token = .random(), expected: Int = 2, limit: Int = 8,
    duration: Int64? = nil, readyAfter: Int64 = 0
  ) -> Int {
    let member = Member(
      name: name, key: key, incarnation: .random(), expected: expected, limit: limit)
    programs.append(
      Program(
        lobby: Rendezvous(member, duration: duration),
        epoch: .random(in: 0..<1_000_000_000_000, using: &generator),
        drift: .random(in: -40...40, using: &generator), readyTime: now + readyAfter))
    let index = programs.count - 1
    programs[index].lobby.connected(at: clock(index))
    // What the broker keeps comes first.
    for member in kept.values.sorted(by: { $0.name < $1.name }) {
      send(.presence(member), to: index)
    }
    if let announcement { send(.announcement(announcement), to: index) }
    flush(index)
    return index
  }

  func clock(_ index: Int) -> Int64 {
    let program = programs[index]
    return program.epoch + now + Int64(Double(now) * program.drift * 1e-6)
  }

  /// What a founder's wall clock would show: true time and a second for each program.
  func wallClock(_ index: Int) -> Int64 {
    1_700_000_000_000_000_000 + now + Int64(index) * 1_000_000_000
  }

  mutating func crash(_ index: Int) {
    guard programs[index].isAlive else { return }
    programs[index].isAlive = false
    // What it had sent arrives before the broker sees the connection end.
    let token = programs[index].lobby.me.incarnation
    schedule(
      max(now, programs[index].lastUp),
      .toBroker(from: index, token, .presence(programs[index].lobby.will)))
  }

  mutating func leave(_ index: Int) {
    guard programs[index].isAlive else { return }
    programs[index].lobby.leave(at: clock(index))
    flush(index)
  }

  /// Runs for a time, in steps of five milliseconds.
  mutating func run(_ duration: Int64) {
    let end = now + duration
    while now < end {
      now += 5 * Self.millisecond
      deliver()
      for index in programs.indices where programs[index].isAlive { step(index) }
    }
  }

  private mutating func step(_ index: Int) {
    let local = clock(index)
    if now >= programs[index].readyTime { programs[index].lobby.sourceIsReady() }
    programs[index].lobby.tick(at: local, wallClock: wallClock(index))
    if programs[index].begun == nil, let start = programs[index].lobby.start(at: local),
      local >= start, let session = programs[index].lobby.me.session
    {
      programs[index].begun = (now - (local - start), session)
      programs[index].lobby.began()
    }
    if programs[index].lobby.me.state == .recording, let end = programs[index].lobby.end(at: local),
      local >= end
    {
      programs[index].ended = now - (local - end)
      programs[index].lobby.ended(with: [])
    }
    flush(index)
    if programs[index].lobby.refusal != nil || programs[index].lobby.isGone {
      programs[index].isAlive = false
    }
  }

  private mutating func flush(_ index: Int) {
    let token = programs[index].lobby.me.incarnation
    for message in programs[index].lobby.takeMessages() {
      let time = max(now + delay(), programs[index].lastUp)
      programs[index].lastUp = time
      schedule(time, .toBroker(from: index, token, message))
    }
  }

  private mutating func delay() -> Int64 { .random(in: 100_000...longestDelay, using: &generator) }

  private mutating func schedule(_ time: Int64, _ event: Event) {
    events.append((time, order, event))
    order += 1
  }

  private mutating func deliver() {
    while let next = events.indices.filter({ events[$0].time <= now })
      .min(by: { (events[$0].time, events[$0].order) < (events[$1].time, events[$1].order) })
    {
      let (time, _, event) = events.remove(at: next)
      let actual = now
      // Each message at its instant, so that delays are not those of the steps.
      now = time
      switch event {
      case .toBroker(let sender, _, let message):
        if programs[sender].isAlive || !message.isQuestion { atBroker(message) }
      case .toProgram(let index, let token, let message):
        if programs[index].isAlive, programs[index].lobby.me.incarnation == token {
          programs[index].lobby.receive(message, at: clock(index))
          flush(index)
        }
      }
      now = actual
    }
  }

  private mutating func atBroker(_ message: RendezvousMessage) {
    switch message {
    case .presence(let member): kept[member.name] = member
    case .absence(let name): kept[name] = nil
    case .announcement(let new): announcement = new
    case .withdrawal: announcement = nil
    case .question, .answer, .marker, .stop: break
    }
    for index in programs.indices where programs[index].isAlive {
      switch message {
      case .question(_, let name), .answer(_, let name), .marker(_, let name):
        if programs[index].lobby.me.name == name { send(message, to: index) }
      default: send(message, to: index)
      }
    }
  }

  /// Sends a message of the broker's, or of somebody who is not of the lobby.
  mutating func send(_ message: RendezvousMessage, to index: Int) {
    let time = max(now + delay(), programs[index].lastDown)
    programs[index].lastDown = time
    schedule(time, .toProgram(index, programs[index].lobby.me.incarnation, message))
  }

  /// Says something to everybody.
  mutating func publish(_ message: RendezvousMessage) { atBroker(message) }
}

extension RendezvousMessage {
  fileprivate var isQuestion: Bool { if case .question = self { true } else { false } }
}
