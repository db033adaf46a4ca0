/// A member's view of a lobby: messages and time go in, messages and decisions come out.
///
/// All times are nanoseconds of the member's monotonic clock, unless they are stated to be of the
/// session's time. There is no server but the broker: every member runs the same machine, and what
/// it decides follows from what the broker keeps.
///
/// - **Joining.** What the broker keeps is read first, up to a marker of one's own. Then the name,
///   the number of members and the key are checked, and presence is published.
/// - **Leading.** The member that knows the time and has the smallest ticket leads; when it is
///   gone, the next one does. The first leader's clock is the session's time, which its successors
///   go on with.
/// - **Starting.** When all who are there are ready, and as many as expected, the leader announces
///   a session. Everyone who has read that publishes so; who has read it of as many as expected,
///   itself included, starts at the announced instant. So no one starts alone.
package struct Rendezvous: Sendable {
  enum Phase: Equatable {
    /// Reads what the broker keeps.
    case reading(until: Int64)
    /// Asks whether a namesake is alive.
    case probing(Member, until: Int64)
    /// Is in; before the given time no one leads, so that others who join now are seen.
    case inside(since: Int64)
    /// Waits until its goodbye is known.
    case leaving(until: Int64)
    case refused
    case outside
  }

  package internal(set) var me: Member
  /// The others by name, those who left or were lost included.
  package internal(set) var others: [String: Member] = [:]
  package internal(set) var announcement: Announcement?
  package internal(set) var clock = SessionClock()
  package internal(set) var refusal: RendezvousRefusal?
  /// A Boolean value that is true if it has left, and stated all that is to be stated.
  package internal(set) var isGone = false
  /// Nanoseconds that the session is to last; nil = until someone stops it.
  let duration: Int64?
  var phase = Phase.outside
  var isConnected = false
  var hasSource = false
  var outbox: [RendezvousMessage] = []
  /// The times of the questions that have no answer yet, by number.
  var questions: [UInt32: Int64] = [:]
  var nextQuestion: UInt32 = 0
  var nextQuestionTime = Int64.min
  /// The time at which the leader was heard last, or began to be asked.
  var lastAnswer = Int64.min
  /// The members that were asked for the time in vain, and count as lost.
  package internal(set) var silent: Set<Token> = []
  /// The members that were there before the connection was made again and have not been heard
  /// since, and until when each may be.
  var unseen: Set<Token> = []
  var unseenUntil = Int64.max
  /// Whose time the exchanges are of.
  var timekeeper: Token?
  var stopAsked: Token?
  var lastTerm: UInt32 = 0

  /// Names that are remembered of a lobby, whatever is published there.
  static let longestRoll = 256
  /// The time that the broker may take for what it keeps, and a namesake for an answer.
  static let patience: Int64 = 3_000_000_000
  static let probe: Int64 = 1_500_000_000
  /// The time for which a leader may leave questions unanswered before it counts as lost.
  static let silence: Int64 = 10_000_000_000
  /// The time that others may take to connect again too: longer than they pause at most in between.
  static let comeback: Int64 = 35_000_000_000
  /// The time to look for others that join at the same time.
  static let grace: Int64 = 500_000_000
  /// From the announcement to the start.
  static let lead: Int64 = 1_000_000_000
  /// After the announced start, how long agreement may take before it is announced again.
  static let overdue: Int64 = 2_000_000_000

  package init(_ me: Member, duration: Int64? = nil) {
    self.me = me
    self.duration = duration
  }

  package var isInside: Bool { if case .inside = phase { true } else { false } }

  /// The others who are there.
  package var present: [Member] {
    others.values.filter(\.state.isPresent).sorted { $0.name < $1.name }
  }

  /// The leader; nil before this member is inside.
  package var leader: Member? {
    guard isInside else { return nil }
    return present.reduce(me) { $1.leads($0) ? $1 : $0 }
  }

  package var isLeading: Bool { leader?.incarnation == me.incarnation }

  /// The messages to send, in order.
  package mutating func takeMessages() -> [RendezvousMessage] {
    defer { outbox.removeAll() }
    return outbox
  }

  /// There is a connection, and what the broker keeps is about to come.
  package mutating func connected(at now: Int64) {
    isConnected = true
    questions.removeAll()
    lastAnswer = now
    if isInside {
      (unseen, unseenUntil) = (Set(present.map(\.incarnation)), now + Self.comeback)
      // The broker may have published the will, or have forgotten everything.
      outbox.append(.presence(me))
      if isLeading || me.state == .recording, let announcement {
        outbox.append(.announcement(announcement))
      }
    } else if phase == .outside {
      phase = .reading(until: now + Self.patience)
      outbox.append(.marker(me.incarnation, to: me.name))
    }
  }

  package mutating func disconnected() {
    isConnected = false
    questions.removeAll()
    outbox.removeAll()
  }

  /// Does what is due by time; to be called some ten times a second.
  ///
  /// - Parameter wallClock: nanoseconds since the Unix epoch, which a founder's time is.
  package mutating func tick(at now: Int64, wallClock: Int64) {
    switch phase {
    case .reading(let until): if now >= until { finishReading(at: now) }
    case .probing(let namesake, let until):
      if now >= until { admit(after: namesake, at: now) }
    case .inside(let since):
      if isConnected, now >= unseenUntil { giveUpUnseen() }
      keepTime(at: now, wallClock: wallClock, mayFound: now >= since + Self.grace)
      lead(at: now)
      agree(at: now)
    case .leaving(let until): if now >= until { go() }
    case .refused, .outside: break
    }
  }

  /// The radio is ready, so that one can start.
  package mutating func sourceIsReady() { hasSource = true }

  /// Publishes what one is, where it changed.
  mutating func change(_ change: (inout Member) -> Void) {
    let old = me
    change(&me)
    if me != old, isInside { outbox.append(.presence(me)) }
  }
}

// How a member learns the session's time, and shows it.
extension Rendezvous {
  /// From one question to the next while the time is learnt, and afterwards.
  private static let learningPeriod: Int64 = 60_000_000
  private static let keepingPeriod: Int64 = 1_000_000_000

  mutating func keepTime(at now: Int64, wallClock: Int64, mayFound: Bool) {
    guard let leader else { return }
    if leader.incarnation == me.incarnation {
      guard mayFound || me.isSynchronised else { return }
      clock.define(at: now, offset: wallClock &- now)
      timekeeper = me.incarnation
      return change { $0.isSynchronised = true }
    }
    if timekeeper != leader.incarnation { follow(leader, at: now) }
    if clock.isSettled { change { $0.isSynchronised = true } }
    guard isConnected else { return }
    if now >= lastAnswer + Self.silence { return giveUp(leader) }
    guard now >= nextQuestionTime else { return }
    ask(leader.name, at: now)
    nextQuestionTime = now + (clock.isSettled ? Self.keepingPeriod : Self.learningPeriod)
  }

  /// Takes one for lost that the broker takes for there, as one that lost its power while the
  /// broker was away; it contradicts if it is there.
  private mutating func giveUp(_ leader: Member) {
    var lost = leader
    lost.state = .lost
    silent.insert(leader.incarnation)
    others[leader.name] = lost
    outbox.append(.presence(lost))
  }

  /// Takes those for lost of whom nothing was heard since the connection was made again: a broker
  /// that forgot everything does not state it.
  mutating func giveUpUnseen() {
    unseenUntil = .max
    for member in present where unseen.contains(member.incarnation) { giveUp(member) }
  }

  private mutating func follow(_ leader: Member, at now: Int64) {
    timekeeper = leader.incarnation
    lastAnswer = now
    questions.removeAll()
    nextQuestionTime = now
    // A time that only oneself went by is given up; that of a session goes on.
    if me.session != nil { return clock.follow(at: now) }
    clock = SessionClock()
    change { $0.isSynchronised = false }
  }

  mutating func ask(_ name: String, at now: Int64) {
    if questions.count >= 32 { questions.removeAll() }
    questions[nextQuestion] = now
    outbox.append(
      .question(
        ClockQuestion(number: nextQuestion, name: me.name, incarnation: me.incarnation), to: name))
    nextQuestion &+= 1
  }

  mutating func answer(_ question: ClockQuestion, at now: Int64) {
    guard question.incarnation != me.incarnation, isInside else { return }
    var times: ClockAnswer.Times?
    if me.isSynchronised, let estimate = reading(at: now) {
      // The answer leaves at once: what passes until then counts as time under way.
      let time = now &+ estimate.offset
      times = ClockAnswer.Times(
        arrived: time, answered: time, uncertainty: estimate.uncertainty)
    }
    outbox.append(
      .answer(
        ClockAnswer(
          asker: question.incarnation, number: question.number, answerer: me.incarnation,
          times: times), to: question.name))
  }

  /// The offset to the session's time, with its bound; nil where it is not known.
  package func reading(at now: Int64) -> ClockOffsetEstimate? { clock.estimate(at: now) }

  /// The session's time; nil where it is not known.
  func sessionTime(at now: Int64) -> Int64? { reading(at: now).map { now &+ $0.offset } }

  mutating func take(_ answer: ClockAnswer, at now: Int64) {
    guard answer.asker == me.incarnation, answer.answerer != me.incarnation,
      let asked = questions.removeValue(forKey: answer.number)
    else { return }
    if case .probing = phase {
      refusal = .nameTaken(me.name)
      phase = .refused
      return
    }
    guard answer.answerer == timekeeper else { return }
    lastAnswer = now
    guard let times = answer.times else { return }
    clock.take(
      ClockExchange(
        asked: asked, arrived: times.arrived, answered: times.answered, returned: now,
        answerUncertainty: times.uncertainty))
  }
}
