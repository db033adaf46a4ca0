// How a member comes in and goes.
extension Rendezvous {
  /// Takes a message; who sent it is not known, and nothing in it is trusted beyond its form.
  package mutating func receive(_ message: RendezvousMessage, at now: Int64) {
    switch message {
    case .presence(let member): note(member, at: now)
    case .absence(let name): forget(name)
    case .announcement(let new): hear(new)
    case .withdrawal: forgetAnnouncement()
    case .marker(let token, _):
      if token == me.incarnation, case .reading = phase { finishReading(at: now) }
    case .question(let question, _): answer(question, at: now)
    case .answer(let answer, _): take(answer, at: now)
    case .stop(let session): stopAsked = session
    }
  }

  private mutating func note(_ member: Member, at now: Int64) {
    guard member.incarnation != me.incarnation else {
      // A will that the broker published although one is here.
      if !member.state.isPresent, isInside { outbox.append(.presence(me)) }
      if member.state == .left, case .leaving = phase { go() }
      return
    }
    unseen.remove(member.incarnation)
    if member.name == me.name, isInside { return settle(with: member) }
    if !member.state.isPresent, let known = others[member.name], known.state.isPresent,
      known.incarnation != member.incarnation
    {
      return  // The will of who came back meanwhile.
    }
    if member.state == .lost, let known = others[member.name], known.state == .left,
      known.incarnation == member.incarnation
    {
      // It had stated goodbye before its connection broke.
      if isLeading { outbox.append(.presence(known)) }
      return
    }
    guard others[member.name] != nil || others.count < Self.longestRoll else { return }
    let known = others.updateValue(member, forKey: member.name)
    if member.state.isPresent, silent.remove(member.incarnation) != nil { lastAnswer = now }
    if member.state == .lost, var lost = known, lost.incarnation == member.incarnation {
      // A will was made on arrival, and does not know what became of who made it.
      lost.state = .lost
      others[member.name] = lost
      if isLeading, lost != member { outbox.append(.presence(lost)) }
    }
    requireRoom()
  }

  /// Goes where more came at the same time than there is room for: the last do.
  private mutating func requireRoom() {
    guard isInside, me.state == .joining || me.state == .ready, let limit = leader?.limit else {
      return
    }
    let before = present.count { ($0.ticket, $0.name) < (me.ticket, me.name) }
    if before >= limit { refuse(.full(limit: limit)) }
  }

  private mutating func forget(_ name: String) {
    if name != me.name { others[name] = nil }
    // Someone tidied up who did not see one come.
    if name == me.name, isInside { outbox.append(.presence(me)) }
  }

  private mutating func forgetAnnouncement() {
    guard isInside else {
      announcement = nil
      return
    }
    if isLeading, let announcement { outbox.append(.announcement(announcement)) }
  }

  /// Decides between two who took one name at the same time; both decide alike.
  private mutating func settle(with namesake: Member) {
    func rank(_ member: Member) -> (Int, UInt32, Token) {
      let hasRecorded = member.state == .recording || member.state == .handing
      return (hasRecorded ? 0 : 1, member.ticket, member.incarnation)
    }
    if namesake.state.isPresent, rank(namesake) < rank(me) {
      refuse(.nameTaken(me.name))
    } else {
      outbox.append(.presence(me))
    }
  }

  mutating func finishReading(at now: Int64) {
    guard let namesake = others[me.name], namesake.state.isPresent else {
      return admit(after: others[me.name], at: now)
    }
    // It may be dead without the broker knowing yet.
    phase = .probing(namesake, until: now + Self.probe)
    ask(me.name, at: now)
  }

  /// Comes in, unless there is a reason not to.
  mutating func admit(after namesake: Member?, at now: Int64) {
    if let namesake, namesake.state != .left, namesake.key != me.key, let announcement,
      namesake.session == announcement.session, isRunning
    {
      return refuse(.nameKept(me.name))
    }
    others[me.name] = nil
    let leader = present.reduce(nil as Member?) { $0?.leads($1) == true ? $0 : $1 }
    let limit = leader?.limit ?? me.limit
    guard present.count < limit else { return refuse(.full(limit: limit)) }
    me.ticket = (present.map(\.ticket).max() ?? 0) + 1
    phase = .inside(since: now)
    if present.isEmpty { clearRemains() }
    outbox.append(.presence(me))
  }

  /// Takes back what those left behind who are gone.
  private mutating func clearRemains() {
    for name in others.keys.sorted() { outbox.append(.absence(name)) }
    others.removeAll()
    if let announcement {
      lastTerm = max(lastTerm, announcement.term)
      outbox.append(.withdrawal)
    }
    announcement = nil
  }

  private mutating func refuse(_ reason: RendezvousRefusal) {
    if isInside, case .full = reason { outbox.append(.presence(gone(.left))) }
    refusal = reason
    phase = .refused
  }

  /// States goodbye; `isGone` shows when that is done.
  package mutating func leave(at now: Int64) {
    guard isInside, isConnected else {
      phase = .outside
      isGone = true
      return
    }
    me.state = .left
    outbox.append(.presence(me))
    phase = .leaving(until: now + Self.patience)
  }

  /// Goes, and takes everything back where no one else is left.
  ///
  /// One's own goodbye has come back by now: of several who leave at once, the last sees that the
  /// others did.
  mutating func go() {
    if present.isEmpty, isConnected {
      clearRemains()
      outbox.append(.absence(me.name))
    }
    phase = .outside
    isGone = true
  }

  /// The state that the others shall read if this member is gone without a goodbye.
  package var will: Member { gone(.lost) }

  private func gone(_ state: Member.State) -> Member {
    var gone = me
    gone.state = state
    return gone
  }
}
