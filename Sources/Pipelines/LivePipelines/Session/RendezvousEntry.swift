// The arrival and departure of a member.
extension Rendezvous {
  /// Takes a message; its sender is not known, and only its form is trusted.
  package mutating func receive(_ message: RendezvousMessage, at now: Int64) {
    switch message {
    case .presence(let member): note(member, at: now)
    case .absence(let name): forget(name)
    case .announcement(let new): hear(new, at: now)
    case .withdrawal: hearWithdrawal(at: now)
    case .marker(let token, _): if token == me.incarnation { finishReading(at: now) }
    case .question(let question, _): answer(question, at: now)
    case .answer(let answer, _): take(answer, at: now)
    }
  }

  private mutating func note(_ member: Member, at now: Int64) {
    guard member.incarnation != me.incarnation else {
      // A will that the broker published although this member is here.
      if !member.state.isPresent, isInside { outbox.append(.presence(me)) }
      if member.state == .left, case .leaving = phase { go() }
      return
    }
    if member.name == me.name, isInside { return settle(with: member) }
    let known = others[member.name]
    if let known, !member.state.isPresent {
      // The will of a member that rejoined meanwhile, or that said goodbye before.
      let isSame = known.incarnation == member.incarnation
      if isSame ? known.state == .left : known.state.isPresent { return }
    }
    guard known != nil || others.count < Self.longestRoll else { return }
    var member = member
    if member.state == .lost, let known, known.incarnation == member.incarnation {
      // A will is made on arrival, and is older than everything that followed.
      (member.session, member.parts) = (known.session, known.parts)
    }
    if known?.incarnation != member.incarnation { heard[member.name] = now }
    others[member.name] = member
    requireRoom()
  }

  private mutating func forget(_ name: String) {
    if name != me.name { (others[name], heard[name]) = (nil, nil) }
    // Removed by a member that did not see this one join.
    if name == me.name, isInside { outbox.append(.presence(me)) }
  }

  /// Leaves if more members joined before there was a leader than it has room for: the last by name
  /// do.
  private mutating func requireRoom() {
    guard isInside, !isLeading, me.state == .joining || me.state == .ready, leader != nil,
      let limit = announcement?.limit
    else { return }
    let before = present.count {
      $0.state == .recording || $0.name == announcement?.leader || $0.name < me.name
    }
    if before >= limit { refuse(.full(limit: limit)) }
  }

  /// Decides between two members that took one name at the same time; both decide alike.
  private mutating func settle(with namesake: Member) {
    func rank(_ member: Member) -> (Int, Token) {
      (member.state == .recording ? 0 : 1, member.incarnation)
    }
    if namesake.state.isPresent, rank(namesake) < rank(me) {
      refuse(.nameTaken(me.name))
    } else {
      outbox.append(.presence(me))
    }
  }

  private mutating func finishReading(at now: Int64) {
    if case .reading = phase { phase = .reading(until: now) }
    // Messages that the broker forgot are repeated; retained ones are not overwritten.
    if isInside, isLeading || me.state == .recording, !isAnnounced, let announcement {
      outbox.append(.announcement(announcement))
    }
  }

  /// Asks members whose presence decides for an answer: the broker may not know yet that they are
  /// dead.
  mutating func probe(at now: Int64) {
    let asked = present.filter { role != .looks && (role != .joins || $0.name == me.name) }
    doubtful = Set(asked.map(\.incarnation))
    for member in asked { ask(member.name, of: announcement?.session ?? me.incarnation, at: now) }
    phase = .probing(until: now + Self.probe)
  }

  /// Joins, unless there is a reason not to.
  mutating func enter(at now: Int64, wallClock: Int64) {
    for var member in present where doubtful.contains(member.incarnation) {
      member.state = .lost
      others[member.name] = member
      // A member that is still there objects.
      outbox.append(.presence(member))
    }
    if role == .looks || role == .asks {
      phase = .visiting
    } else if let reason = reasonToRefuse {
      refuse(reason)
    } else {
      others[me.name] = nil
      phase = .inside
      (lastAnswer, nextQuestionTime) = (now, now)
      if case .starts(let terms) = role, !isRunning { open(terms, at: now, wallClock: wallClock) }
      outbox.append(.presence(me))
      if isLeading, let announcement { outbox.append(.announcement(announcement)) }
    }
  }

  private var reasonToRefuse: RendezvousRefusal? {
    let namesake = others[me.name]
    let isReturning = namesake?.key == me.key
    if let announcement, case .starts = role {
      if leader != nil { return .led(by: announcement.leader, since: announcement.opened) }
      if isRunning, !isReturning {
        let names = present.filter { $0.state == .recording }.map(\.name)
        return .running(names, since: announcement.opened)
      }
    }
    if namesake?.state.isPresent == true { return .nameTaken(me.name) }
    if namesake?.state == .lost, !isReturning, isRunning { return .nameKept(me.name) }
    if leader != nil, let limit = announcement?.limit, present.count >= limit {
      return .full(limit: limit)
    }
    return nil
  }

  /// Opens a session, whose time is this member's clock.
  private mutating func open(_ terms: SessionTerms, at now: Int64, wallClock: Int64) {
    for (name, other) in others where !other.state.isPresent {
      outbox.append(.absence(name))
      (others[name], heard[name]) = (nil, nil)
    }
    let number = min(announcement?.number ?? 0, .max - 1) + 1
    let session = Token.random()
    announcement = Announcement(
      session: session, number: number, leader: me.name, opened: wallClock, limit: terms.maxMembers)
    clock = SessionClock(defining: wallClock &- now)
    (isLeading, me.session) = (true, session)
  }

  mutating func refuse(_ reason: RendezvousRefusal) {
    // Under a name that another member has, nothing is published.
    if isInside, reason != .nameTaken(me.name) { outbox.append(.presence(gone(.left))) }
    refusal = reason
    phase = .refused
  }

  /// Publishes its goodbye; `isGone` shows when that is done.
  package mutating func leave(at now: Int64) {
    guard isInside, isConnected else {
      phase = .outside
      isGone = true
      return
    }
    me.state = .left
    outbox.append(.presence(me))
    if isLeading, announcement?.start == nil { outbox.append(.withdrawal) }
    phase = .leaving(until: now + Self.patience)
  }

  /// Leaves, and removes everything from the broker if no other member is left.
  ///
  /// Its own goodbye has come back by now: of several members that leave at once, the last sees
  /// that the others did.
  mutating func go() {
    // A member that was lost while it recorded may rejoin, and then reads the outcome of the
    // session.
    let isAwaited = others.values.contains {
      $0.state == .lost && $0.session == announcement?.session && announcement != nil
    }
    if present.isEmpty, !isAwaited, isConnected {
      for name in others.keys.sorted() + [me.name] { outbox.append(.absence(name)) }
      outbox.append(.withdrawal)
    }
    phase = .outside
    isGone = true
  }

  /// The last will: the state that other members read if this one is lost.
  package var will: Member { gone(.lost) }

  private func gone(_ state: Member.State) -> Member {
    var gone = me
    gone.state = state
    return gone
  }
}

// The exchange of the session's time.
extension Rendezvous {
  /// The times between questions, while the time is learned and afterwards.
  private static let learningPeriod: Int64 = 60_000_000
  private static let keepingPeriod: Int64 = 1_000_000_000

  mutating func keepTime(at now: Int64) {
    guard !isLeading, isConnected, now >= nextQuestionTime, let session = announcement?.session,
      let timekeeper
    else { return }
    ask(timekeeper.name, of: session, at: now)
    nextQuestionTime = now + (clock.isSettled ? Self.keepingPeriod : Self.learningPeriod)
  }

  /// The member to ask next.
  ///
  /// A member that rejoins asks all recording members in turn: they know the time, within a bound,
  /// also without the leader.
  private var timekeeper: Member? {
    if clock.isSettled { return leader }
    let known = present.filter {
      $0.session == announcement?.session && ($0.state == .recording || $0.name == leader?.name)
    }
    return known.isEmpty ? nil : known[Int(nextQuestion) % known.count]
  }

  mutating func ask(_ name: String, of session: Token, at now: Int64) {
    if questions.count >= 32 { questions.removeAll() }
    questions[nextQuestion] = now
    outbox.append(
      .question(
        ClockQuestion(
          number: nextQuestion, name: me.name, incarnation: me.incarnation, session: session),
        to: name))
    nextQuestion &+= 1
  }

  mutating func answer(_ question: ClockQuestion, at now: Int64) {
    guard question.incarnation != me.incarnation, isInside else { return }
    if others[question.name]?.incarnation == question.incarnation { heard[question.name] = now }
    var times: ClockAnswer.Times?
    if me.session == question.session, let estimate = clock.estimate(at: now) {
      // The answer leaves at once: the time until then counts as time on the way.
      let time = now &+ estimate.offset
      times = ClockAnswer.Times(arrived: time, answered: time, uncertainty: estimate.uncertainty)
    }
    outbox.append(
      .answer(ClockAnswer(to: question, from: me.incarnation, times: times), to: question.name))
  }

  mutating func take(_ answer: ClockAnswer, at now: Int64) {
    guard answer.asker == me.incarnation, answer.answerer != me.incarnation,
      let asked = questions.removeValue(forKey: answer.number)
    else { return }
    doubtful.remove(answer.answerer)
    if answer.answerer == leader?.incarnation { lastAnswer = now }
    guard isInside || role == .asks, !isLeading, let times = answer.times else { return }
    clock.take(
      ClockExchange(
        asked: asked, arrived: times.arrived, answered: times.answered, returned: now,
        answerUncertainty: times.uncertainty))
  }
}
