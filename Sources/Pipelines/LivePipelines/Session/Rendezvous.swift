import Support

/// A member's view of a lobby: messages and time go in, messages and decisions come out.
///
/// All times are nanoseconds of the member's monotonic clock, unless they are of the session's
/// time. There is no server but the broker.
///
/// - **Leading.** The program that opens a session leads it, and no other succeeds it. Its clock
///   is the session's time. It announces the start when enough members are ready.
/// - **Following.** A member asks the leader for the time, and begins at the announced instant.
///   From then on it needs neither the leader nor the broker. It publishes the announcement again
///   if the broker forgot it.
package struct Rendezvous: Sendable {
  package enum Role: Equatable, Sendable {
    case starts(SessionTerms)
    case joins
    /// Only looks at what the broker retained.
    case looks
    /// Looks, and asks all members for an answer.
    case asks
  }

  enum Phase: Equatable {
    case outside
    /// Reads what the broker retained.
    case reading(until: Int64)
    /// Waits for answers of listed members that may be dead.
    case probing(until: Int64)
    case inside
    /// Knows the lobby, and takes no part.
    case visiting
    /// Waits for the echo of its goodbye.
    case leaving(until: Int64)
    case refused
  }

  package internal(set) var me: Member
  /// The others by name, with those that left or were lost.
  package internal(set) var others: [String: Member] = [:]
  package internal(set) var announcement: Announcement?
  package internal(set) var clock = SessionClock()
  package internal(set) var refusal: RendezvousRefusal?
  package internal(set) var isLeading = false
  /// A Boolean value that is true if it has left, and sent all that it had to send.
  package internal(set) var isGone = false
  let role: Role
  var phase = Phase.outside
  var isConnected = false
  /// A Boolean value that is true if the broker retains an announcement, as far as is known.
  var isAnnounced = false
  var hasSource = false
  var outbox: [RendezvousMessage] = []
  /// The times of the questions that have no answer yet, by number.
  var questions: [UInt32: Int64] = [:]
  var nextQuestion: UInt32 = 0
  var nextQuestionTime = Int64.min
  /// The time at which the leader was heard last, or began to be asked.
  var lastAnswer = Int64.min
  /// The times at which others asked last, by name.
  var heard: [String: Int64] = [:]
  /// The incarnations that have not answered yet.
  var doubtful: Set<Token> = []

  /// Names that are remembered of a lobby, whatever is published there.
  static let longestRoll = 256
  /// The time that the broker may take for what it retained.
  static let patience: Int64 = 3_000_000_000
  /// The time that a listed member may take for an answer.
  static let probe: Int64 = 3_000_000_000
  /// The silence after which a member, or the leader, does not count as there.
  static let silence: Int64 = 10_000_000_000
  /// The time from the announcement to the start.
  static let lead: Int64 = 1_000_000_000

  package init(_ me: Member, _ role: Role) {
    (self.me, self.role) = (me, role)
  }

  package var isInside: Bool { phase == .inside }

  /// A Boolean value that is true if it knows the lobby, and takes no part.
  var isVisiting: Bool { phase == .visiting }

  /// The others that are there.
  package var present: [Member] {
    others.values.filter(\.state.isPresent).sorted { $0.name < $1.name }
  }

  /// The member that leads the announced session, if another one does and is there.
  package var leader: Member? {
    guard !isLeading, let name = announcement?.leader, let leader = others[name] else { return nil }
    return leader.state.isPresent ? leader : nil
  }

  /// Returns true if the leader is there and answers.
  package func hasLeader(at now: Int64) -> Bool {
    isLeading || leader != nil && now < lastAnswer + Self.silence
  }

  /// The messages to send, in order.
  package mutating func takeMessages() -> [RendezvousMessage] {
    defer { outbox.removeAll() }
    return outbox
  }

  /// There is a connection, and what the broker retained is about to come.
  package mutating func connected(at now: Int64) {
    (isConnected, isAnnounced) = (true, false)
    (lastAnswer, nextQuestionTime) = (now, now)
    // What was known may be over: a member that is there is read again, or says so again.
    for (name, other) in others where other.state.isPresent { others[name]?.state = .lost }
    outbox.append(.marker(me.incarnation, to: me.name))
    switch phase {
    // The broker may have published the will, or have forgotten everything.
    case .inside: outbox.append(.presence(me))
    case .outside, .reading, .probing: phase = .reading(until: now + Self.patience)
    case .leaving, .refused, .visiting: break
    }
  }

  package mutating func disconnected() {
    isConnected = false
    questions.removeAll()
    outbox.removeAll()
  }

  /// Does what is due by time; to be called some ten times a second.
  ///
  /// - Parameter wallClock: nanoseconds since the Unix epoch, which the time of a new session is.
  package mutating func tick(at now: Int64, wallClock: Int64) {
    switch phase {
    case .reading(let until): if isConnected, now >= until { probe(at: now) }
    case .probing(let until):
      if isConnected, doubtful.isEmpty || now >= until { enter(at: now, wallClock: wallClock) }
    case .inside:
      showState()
      keepTime(at: now)
      announceStart(at: now)
    case .leaving(let until): if now >= until { go() }
    case .refused, .outside, .visiting: break
    }
  }

  /// Notes that the radio is ready.
  package mutating func sourceIsReady() { hasSource = true }

  /// Changes what the others know of this member.
  mutating func change(_ change: (inout Member) -> Void) {
    let old = me
    change(&me)
    if me != old, isInside { outbox.append(.presence(me)) }
  }
}

// How a session begins and ends.
extension Rendezvous {
  /// A Boolean value that is true if others record the announced session.
  package var isRunning: Bool {
    present.contains { $0.state == .recording && $0.session == announcement?.session }
  }

  /// Returns the time to begin, by this member's clock; nil if there is none yet, or no more.
  package func start(at now: Int64) -> Int64? {
    guard isInside, me.state == .ready, let start = announcement?.start,
      now < end(at: now) ?? .max
    else { return nil }
    return clock.estimate(at: now).map { start &- $0.offset }
  }

  /// Returns the time to end, by this member's clock; nil as long as no one asked for it.
  package func end(at now: Int64) -> Int64? {
    guard let announcement, me.session == announcement.session, let end = announcement.end else {
      return nil
    }
    return clock.estimate(at: now).map { end &- $0.offset }
  }

  /// Notes that recording began.
  package mutating func began(_ parts: [String] = []) {
    change { ($0.state, $0.parts) = (.recording, parts) }
  }

  /// Ends the session for all members; false if that cannot be published.
  ///
  /// `isAnnounced` shows when the broker has taken that.
  package mutating func stopAll(at now: Int64) -> Bool {
    guard isConnected, isInside || phase == .visiting, announcement?.start != nil,
      let estimate = clock.estimate(at: now)
    else { return false }
    announcement?.end(at: now &+ estimate.offset)
    isAnnounced = false
    if let announcement { outbox.append(.announcement(announcement)) }
    return true
  }

  /// A Boolean value that is true if the announced session is this member's, whatever the broker
  /// retains.
  private var isBound: Bool { isLeading || me.state == .recording }

  mutating func hear(_ new: Announcement, at now: Int64) {
    isAnnounced = true
    guard let known = announcement, isInside, isBound else { return follow(new, at: now) }
    if new.session == known.session {
      let merged = known.merged(with: new)
      announcement = merged
      if merged != new { outbox.append(.announcement(merged)) }
    } else if known.outranks(new) {
      // An older one, of a member that was away.
      if isLeading || leader == nil { outbox.append(.announcement(known)) }
    } else if isLeading, me.state != .recording {
      refuse(.led(by: new.leader, since: new.opened))
    }
  }

  mutating func hearWithdrawal(at now: Int64) {
    isAnnounced = false
    guard isInside, isBound, let announcement else { return follow(nil, at: now) }
    // The last one that left did not see this member.
    outbox.append(.announcement(announcement))
  }

  private mutating func follow(_ new: Announcement?, at now: Int64) {
    if case .leaving = phase { return }
    if let known = announcement, let new, known.session == new.session {
      announcement = known.merged(with: new)
      return
    }
    announcement = new
    clock = SessionClock()
    questions.removeAll()
    (lastAnswer, nextQuestionTime) = (now, now)
    change { ($0.state, $0.session) = (.joining, nil) }
  }

  /// Announces the start when enough members are there and all are ready.
  private mutating func announceStart(at now: Int64) {
    guard isLeading, isConnected, case .starts(let terms) = role, let session = me.session,
      me.state == .ready, announcement?.start == nil, let estimate = clock.estimate(at: now)
    else { return }
    // A member that the broker takes for there, and that is dead, holds up no other.
    let there = present.filter { now < (heard[$0.name] ?? 0) + Self.silence }
    guard there.count + 1 >= terms.members,
      there.allSatisfy({ $0.state == .ready && $0.session == session })
    else { return }
    let start = now &+ estimate.offset &+ Self.lead
    announcement?.start = start
    announcement?.end = terms.duration.map { start &+ $0.nanoseconds }
    if let announcement { outbox.append(.announcement(announcement)) }
  }

  /// Shows whether this member can start.
  private mutating func showState() {
    guard me.state == .joining || me.state == .ready else { return }
    let session = clock.isSettled ? announcement?.session : nil
    let state = hasSource && session != nil ? Member.State.ready : .joining
    change { ($0.state, $0.session) = (state, session) }
  }
}

extension Announcement {
  /// Sets the end half a second after an instant of the session's time, so that all hear of it.
  mutating func end(at time: Int64) {
    let soon = max(time, start ?? time) &+ Rendezvous.lead / 2
    end = min(end ?? .max, soon)
  }
}
