import Support

/// A member's view of a lobby: messages and time go in, messages and decisions come out.
///
/// All times are nanoseconds of the member's monotonic clock, unless they are of the session's
/// time. The broker is the only server.
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
    /// Only reads the retained messages of the broker.
    case looks
    /// Reads them, and asks all members for an answer.
    case asks
  }

  enum Phase: Equatable {
    case outside
    /// Reads the retained messages of the broker.
    case reading(until: Int64)
    /// Waits for answers of listed members that may be dead.
    case probing(until: Int64)
    case inside
    /// Knows the lobby without taking part.
    case visiting
    /// Waits for the echo of its goodbye.
    case leaving(until: Int64)
    case refused
  }

  package internal(set) var me: Member
  /// The other members by name, with those that left or were lost.
  package internal(set) var others: [String: Member] = [:]
  package internal(set) var announcement: Announcement?
  package internal(set) var clock = SessionClock()
  package internal(set) var refusal: RendezvousRefusal?
  package internal(set) var isLeading = false
  /// A Boolean value that is true if it has left, and sent all its messages.
  package internal(set) var isGone = false
  let role: Role
  var phase = Phase.outside
  var isConnected = false
  /// A Boolean value that is true if the broker retains an announcement, as far as is known.
  var isAnnounced = false
  var hasSource = false
  var outbox: [RendezvousMessage] = []
  /// The times of unanswered questions, by number.
  var questions: [UInt32: Int64] = [:]
  var nextQuestion: UInt32 = 0
  var nextQuestionTime = Int64.min
  /// The time at which the leader was last heard, or first asked.
  var lastAnswer = Int64.min
  /// The times of the latest questions of other members, by name.
  var heard: [String: Int64] = [:]
  /// The incarnations that have not answered yet.
  var doubtful: Set<Token> = []

  /// The maximum number of names that are remembered of a lobby.
  static let longestRoll = 256
  /// The time for the retained messages of the broker to arrive.
  static let patience: Int64 = 3_000_000_000
  /// The time for a listed member to answer.
  static let probe: Int64 = 3_000_000_000
  /// The silence after which a member, or the leader, counts as absent.
  static let silence: Int64 = 10_000_000_000
  /// The time from the announcement to the start.
  static let lead: Int64 = 1_000_000_000

  package init(_ me: Member, _ role: Role) {
    (self.me, self.role) = (me, role)
  }

  package var isInside: Bool { phase == .inside }

  /// A Boolean value that is true if it knows the lobby without taking part.
  var isVisiting: Bool { phase == .visiting }

  /// The other members that are present.
  package var present: [Member] {
    others.values.filter(\.state.isPresent).sorted { $0.name < $1.name }
  }

  /// The other member that leads the announced session and is present; else nil.
  package var leader: Member? {
    guard !isLeading, let name = announcement?.leader, let leader = others[name] else { return nil }
    return leader.state.isPresent ? leader : nil
  }

  /// Returns true if the leader is present and answers.
  package func hasLeader(at now: Int64) -> Bool {
    isLeading || leader != nil && now < lastAnswer + Self.silence
  }

  /// The messages to send, in order.
  package mutating func takeMessages() -> [RendezvousMessage] {
    defer { outbox.removeAll() }
    return outbox
  }

  /// Notes a new connection, over which the retained messages are about to arrive.
  package mutating func connected(at now: Int64) {
    (isConnected, isAnnounced) = (true, false)
    (lastAnswer, nextQuestionTime) = (now, now)
    // Earlier knowledge may be outdated: a present member is read again, or announces itself again.
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

  /// Does the work that is due by time; to be called about ten times per second.
  ///
  /// - Parameter wallClock: nanoseconds since the Unix epoch, the time of a new session.
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

  /// Changes the published state of this member.
  mutating func change(_ change: (inout Member) -> Void) {
    let old = me
    change(&me)
    if me != old, isInside { outbox.append(.presence(me)) }
  }
}

// The beginning and the end of a session.
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

  /// Returns the time to end, by this member's clock; nil until a stop is requested.
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

  /// Ends the session for all members; returns false if that cannot be published.
  ///
  /// `isAnnounced` becomes true when the broker has taken the end.
  package mutating func stopAll(at now: Int64) -> Bool {
    guard isConnected, isInside || phase == .visiting, announcement?.start != nil,
      let estimate = clock.estimate(at: now)
    else { return false }
    announcement?.end(at: now &+ estimate.offset)
    isAnnounced = false
    if let announcement { outbox.append(.announcement(announcement)) }
    return true
  }

  /// A Boolean value that is true if the announced session is this member's, independent of the
  /// retained messages.
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

  /// Announces the start when enough members are present and all are ready.
  private mutating func announceStart(at now: Int64) {
    guard isLeading, isConnected, case .starts(let terms) = role, let session = me.session,
      me.state == .ready, announcement?.start == nil, let estimate = clock.estimate(at: now)
    else { return }
    // A dead member that the broker still lists does not delay the others.
    let there = present.filter { now < (heard[$0.name] ?? 0) + Self.silence }
    guard there.count + 1 >= terms.members,
      there.allSatisfy({ $0.state == .ready && $0.session == session })
    else { return }
    let start = now &+ estimate.offset &+ Self.lead
    announcement?.start = start
    announcement?.end = terms.duration.map { start &+ $0.nanoseconds }
    if let announcement { outbox.append(.announcement(announcement)) }
  }

  /// Publishes whether this member can start.
  private mutating func showState() {
    guard me.state == .joining || me.state == .ready else { return }
    let session = clock.isSettled ? announcement?.session : nil
    let state = hasSource && session != nil ? Member.State.ready : .joining
    change { ($0.state, $0.session) = (state, session) }
  }
}

extension Announcement {
  /// Sets the end half a second after an instant of the session's time, so that all members hear of
  /// it.
  mutating func end(at time: Int64) {
    let soon = max(time, start ?? time) &+ Rendezvous.lead / 2
    end = min(end ?? .max, soon)
  }
}
