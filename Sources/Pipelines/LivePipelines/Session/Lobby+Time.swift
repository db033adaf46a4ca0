// How a member learns the session's time, and shows it.
extension Lobby {
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
