import LivePipelines
import TestSupport

/// A lobby around a broker on a simulated network: clocks that drift, delays that vary, programs
/// that are killed, connections that end, and a broker that goes and comes back.
struct SimulatedRendezvous {
  /// A program that takes part.
  struct Program {
    var lobby: Rendezvous
    /// Nanoseconds of its monotonic clock at true time 0, and parts in a million that it runs fast.
    var epoch: Int64
    var drift: Double
    var isAlive = true
    /// The true time at which its radio is ready.
    var readyTime: Int64
    var begun: (trueTime: Int64, session: Token)?
    var ended: Int64?
    /// The true times at which its radio received something while it recorded.
    var received: [Int64] = []
    /// The offsets of its clock that it knew, every second.
    var offsets: [(trueTime: Int64, estimate: ClockOffsetEstimate)] = []
    /// A Boolean value that is true if it knew that a session ran, and its time, and did not record.
    var isIdle = false
    /// Rises with each connection: what was under way on an earlier one is lost.
    var connection = 0
    var isConnected = false
    /// The times at which its messages reach the broker, and the broker's messages reach it; none
    /// overtakes another.
    var lastUp: Int64 = 0
    var lastDown: Int64 = 0
  }

  private enum Event {
    case toBroker(from: Int, connection: Int, RendezvousMessage)
    case toProgram(Int, connection: Int, RendezvousMessage)
    /// The broker notices that a connection ended.
    case will(RendezvousMessage)
    case reconnect(Int)
  }

  var programs: [Program] = []
  private(set) var now: Int64 = 0
  private var events: [(time: Int64, order: Int, event: Event)] = []
  private var order = 0
  private var kept: [String: Member] = [:]
  private(set) var announcement: Announcement?
  private var isBrokerUp = true
  var generator: SeededGenerator
  /// The longest way, in nanoseconds; each message takes a part of it.
  var longestDelay: Int64

  static let millisecond: Int64 = 1_000_000
  /// True time 0, nanoseconds since the Unix epoch.
  static let wallEpoch: Int64 = 1_767_225_600_000_000_000

  init(seed: UInt64, longestDelay: Int64 = 20 * millisecond) {
    generator = SeededGenerator(seed: seed)
    self.longestDelay = longestDelay
  }

  var keptNames: [String] { kept.keys.sorted() }
  func kept(_ name: String) -> Member? { kept[name] }

  /// Adds a program that joins, or starts a session on its terms.
  mutating func add(
    _ name: String, starting terms: SessionTerms? = nil, key: Token = .random(),
    readyAfter: Int64 = 0
  ) -> Int {
    let member = Member(name: name, key: key, incarnation: .random())
    programs.append(
      Program(
        lobby: Rendezvous(member, terms.map { .starts($0) } ?? .joins),
        epoch: .random(in: 0..<1_000_000_000_000, using: &generator),
        drift: .random(in: -40...40, using: &generator), readyTime: now + readyAfter))
    let index = programs.count - 1
    connect(index)
    return index
  }

  private mutating func connect(_ index: Int) {
    guard isBrokerUp, programs[index].isAlive, !programs[index].isConnected else { return }
    programs[index].connection += 1
    programs[index].isConnected = true
    (programs[index].lastUp, programs[index].lastDown) = (now, now)
    programs[index].lobby.connected(at: clock(index))
    // What the broker kept comes first.
    for member in kept.values.sorted(by: { $0.name < $1.name }) {
      send(.presence(member), to: index)
    }
    if let announcement { send(.announcement(announcement), to: index) }
    flush(index)
  }

  func clock(_ index: Int) -> Int64 { clock(index, at: now) }

  func clock(_ index: Int, at time: Int64) -> Int64 {
    let program = programs[index]
    return program.epoch + time + Int64(Double(time) * program.drift * 1e-6)
  }

  /// The clock that gives the times of sightings: a second off for each program.
  func wallClock(_ index: Int, at time: Int64) -> Int64 {
    Self.wallEpoch + clock(index, at: time) - programs[index].epoch + Int64(index) * 1_000_000_000
  }

  mutating func crash(_ index: Int) {
    guard programs[index].isAlive else { return }
    programs[index].isAlive = false
    // What it had sent arrives before the broker sees the connection end.
    if programs[index].isConnected {
      schedule(max(now, programs[index].lastUp), .will(.presence(programs[index].lobby.will)))
    }
  }

  mutating func leave(_ index: Int) {
    guard programs[index].isAlive else { return }
    programs[index].lobby.leave(at: clock(index))
    flush(index)
  }

  /// Ends the connection of a program, which it makes again after a time; the broker notices late.
  mutating func cut(_ index: Int, for duration: Int64) {
    guard programs[index].isAlive, programs[index].isConnected else { return }
    let will = programs[index].lobby.will
    schedule(now + .random(in: 0...20_000_000_000, using: &generator), .will(.presence(will)))
    disconnect(index, for: duration)
  }

  private mutating func disconnect(_ index: Int, for duration: Int64) {
    programs[index].isConnected = false
    programs[index].lobby.disconnected()
    schedule(now + duration, .reconnect(index))
  }

  /// Takes the broker away for a time.
  mutating func restartBroker(after duration: Int64, forgets: Bool) {
    isBrokerUp = false
    events.removeAll { if case .reconnect = $0.event { false } else { true } }
    if forgets { (kept, announcement) = ([:], nil) }
    let isBack = now + duration
    for index in programs.indices where programs[index].isConnected {
      disconnect(index, for: duration + .random(in: 1...5_000_000_000, using: &generator))
    }
    brokerReturn = isBack
  }
  private var brokerReturn = Int64.max

  /// Runs for a time, in steps of five milliseconds.
  mutating func run(_ duration: Int64) {
    let end = now + duration
    while now < end {
      now += 5 * Self.millisecond
      if now >= brokerReturn { (isBrokerUp, brokerReturn) = (true, .max) }
      deliver()
      for index in programs.indices where programs[index].isAlive { step(index) }
    }
  }

  private mutating func step(_ index: Int) {
    let local = clock(index)
    if now >= programs[index].readyTime { programs[index].lobby.sourceIsReady() }
    programs[index].lobby.tick(at: local, wallClock: wallClock(index, at: now))
    if programs[index].begun == nil, let start = programs[index].lobby.start(at: local),
      local >= start, let session = programs[index].lobby.me.session
    {
      programs[index].begun = (now - (local - start), session)
      programs[index].lobby.began(["\(programs[index].lobby.me.name).h5"])
    }
    if programs[index].begun == nil, now >= programs[index].readyTime {
      programs[index].isIdle = programs[index].isIdle || isRunning(index, at: local)
    }
    if programs[index].begun != nil, programs[index].ended == nil { record(index, at: local) }
    flush(index)
    if programs[index].lobby.refusal != nil || programs[index].lobby.isGone {
      programs[index].isAlive = false
    }
  }

  private func isRunning(_ index: Int, at local: Int64) -> Bool {
    let lobby = programs[index].lobby
    guard lobby.isInside, let known = lobby.announcement, known.session == lobby.me.session,
      let start = known.start, let time = lobby.clock.estimate(at: local).map({ local + $0.offset })
    else { return false }
    return (start..<max(start, known.end ?? .max)).contains(time)
  }

  private mutating func record(_ index: Int, at local: Int64) {
    if let end = programs[index].lobby.end(at: local), local >= end {
      programs[index].ended = now - (local - end)
      return leave(index)
    }
    if now % (50 * Self.millisecond) == 0 { programs[index].received.append(now) }
    let latest = programs[index].offsets.last?.trueTime ?? .min / 2
    if now - latest >= 1_000_000_000, let estimate = programs[index].lobby.clock.estimate(at: local)
    {
      programs[index].offsets.append((now, estimate))
    }
  }

  private mutating func flush(_ index: Int) {
    let connection = programs[index].connection
    for message in programs[index].lobby.takeMessages() where programs[index].isConnected {
      let time = max(now + delay(), programs[index].lastUp)
      programs[index].lastUp = time
      schedule(time, .toBroker(from: index, connection: connection, message))
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
      case .toBroker(let sender, let connection, let message):
        let isLate = programs[sender].connection != connection || !programs[sender].isConnected
        if isBrokerUp, !isLate, programs[sender].isAlive || !message.isQuestion {
          atBroker(message)
        }
      case .toProgram(let index, let connection, let message):
        if programs[index].isAlive, programs[index].isConnected,
          programs[index].connection == connection
        {
          programs[index].lobby.receive(message, at: clock(index))
          flush(index)
        }
      case .will(let message): if isBrokerUp { atBroker(message) }
      case .reconnect(let index):
        if isBrokerUp {
          connect(index)
        } else {
          schedule(max(brokerReturn, time) + 1, .reconnect(index))
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
    case .question, .answer, .marker: break
    }
    for index in programs.indices where programs[index].isAlive && programs[index].isConnected {
      switch message {
      case .question(_, let name), .answer(_, let name), .marker(_, let name):
        if programs[index].lobby.me.name == name { send(message, to: index) }
      default: send(message, to: index)
      }
    }
  }

  /// Sends a message of the broker to a program.
  private mutating func send(_ message: RendezvousMessage, to index: Int) {
    let time = max(now + delay(), programs[index].lastDown)
    programs[index].lastDown = time
    schedule(time, .toProgram(index, connection: programs[index].connection, message))
  }

  /// Publishes a message of a program that is not simulated.
  mutating func publish(_ message: RendezvousMessage) { atBroker(message) }

  /// Publishes the end of the announced session, as `rssi session stop` does.
  mutating func stop() {
    guard var ended = announcement, let leader = programs.firstIndex(where: \.lobby.isLeading)
    else { return }
    // The time, as a member that is there would answer.
    ended.end = wallClock(leader, at: now) + 500_000_000
    publish(.announcement(ended))
  }
}

extension RendezvousMessage {
  fileprivate var isQuestion: Bool { if case .question = self { true } else { false } }
}
