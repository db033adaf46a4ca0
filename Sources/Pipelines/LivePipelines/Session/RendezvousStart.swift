// How a session begins and ends.
extension Rendezvous {
  /// A Boolean value that is true if someone records the announced session.
  package var isRunning: Bool {
    guard let announcement else { return false }
    return ([me] + present).contains {
      $0.state == .recording && $0.session == announcement.session
    }
  }

  /// A Boolean value that is true if as many as expected have read the announcement, or the session
  /// runs already.
  private var isAgreed: Bool {
    guard let announcement, me.session == announcement.session else { return false }
    let agreeing = present.count { $0.session == announcement.session } + 1
    return agreeing >= announcement.expected || isRunning
  }

  /// Returns the time to begin, by this member's clock; nil as long as that is not agreed.
  package func start(at now: Int64) -> Int64? {
    guard isInside, me.state == .ready, isAgreed, let announcement,
      now < end(at: now) ?? .max
    else { return nil }
    return reading(at: now).map { announcement.start &- $0.offset }
  }

  /// Returns the time to end, by this member's clock; nil as long as no one asked for it.
  package func end(at now: Int64) -> Int64? {
    guard let announcement, me.session == announcement.session, let end = announcement.end else {
      return nil
    }
    return reading(at: now).map { end &- $0.offset }
  }

  /// Recording began.
  package mutating func began() { change { $0.state = .recording } }

  /// Asks for the end of the running session, for all; false where that cannot be asked now.
  package mutating func askForStop() -> Bool {
    guard isRunning, isConnected, let session = announcement?.session else { return false }
    stopAsked = session
    outbox.append(.stop(session))
    return true
  }

  /// Recording ended, and these are its parts.
  package mutating func ended(with parts: [Member.Part]) {
    change {
      $0.state = .handing
      $0.parts = parts
    }
  }

  mutating func hear(_ new: Announcement) {
    lastTerm = max(lastTerm, new.term)
    // Who records stays with its session, whatever else is announced.
    if me.state == .recording || me.state == .handing, new.session != me.session { return }
    guard let known = announcement, known != new, !new.replaces(known) else {
      announcement = new
      return
    }
    // An older one, of someone who was away: those who come later shall read what counts.
    if isLeading { outbox.append(.announcement(known)) }
  }

  /// Announces what is to be announced, as the leader.
  mutating func lead(at now: Int64) {
    guard isLeading, isConnected, me.isSynchronised, let time = sessionTime(at: now) else { return }
    if let current = announcement {
      if isRunning { return endWhereAsked(current, time) }
      // It never began: those who agreed were lost.
      let isDone = me.state == .handing || present.contains { $0.state == .handing }
      guard !isDone, time > current.start &+ Self.overdue else { return }
    }
    let everybody = [me] + present
    guard everybody.count >= me.expected, everybody.allSatisfy({ $0.state == .ready }) else {
      return
    }
    lastTerm = min(lastTerm, .max - 1) + 1
    let start = time + Self.lead
    let new = Announcement(
      term: lastTerm, session: .random(), start: start, end: duration.map { start &+ $0 },
      expected: me.expected)
    announcement = new
    outbox.append(.announcement(new))
  }

  private mutating func endWhereAsked(_ current: Announcement, _ time: Int64) {
    guard stopAsked == current.session else { return }
    stopAsked = nil
    let end = time + Self.lead / 2
    guard end < current.end ?? .max else { return }
    announcement?.end = end
    if let announcement { outbox.append(.announcement(announcement)) }
  }

  /// Shows what one is, and what one has read.
  mutating func agree(at now: Int64) {
    guard me.state == .joining || me.state == .ready else { return }
    let isReady = hasSource && me.isSynchronised
    // What no one records any more is a remainder; what starts is not.
    let isFresh =
      announcement.map { current in
        isRunning || (sessionTime(at: now) ?? .max) < current.start &+ Self.overdue
      } ?? false
    let session = isReady && isFresh ? announcement?.session : nil
    change {
      $0.state = isReady ? .ready : .joining
      $0.session = session
    }
  }
}
