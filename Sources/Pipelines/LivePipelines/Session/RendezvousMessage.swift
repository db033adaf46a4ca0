/// A message between members of a lobby.
package enum RendezvousMessage: Equatable, Sendable {
  /// Kept by the broker: who a member is and what it does.
  case presence(Member)
  /// The removal of what the broker kept of a member.
  case absence(String)
  /// Kept by the broker: the session, and when it starts.
  case announcement(Announcement)
  /// The announcement is taken back.
  case withdrawal
  case question(ClockQuestion, to: String)
  case answer(ClockAnswer, to: String)
  /// To oneself: what the broker kept came before it.
  case marker(Token, to: String)
  /// Someone wants the session to end for all.
  case stop(Token)
}

/// A question for the time.
package struct ClockQuestion: Equatable, Sendable {
  package var number: UInt32
  package var name: String
  package var incarnation: Token

  package init(number: UInt32, name: String, incarnation: Token) {
    self.number = number
    self.name = name
    self.incarnation = incarnation
  }
}

/// The session's time at which a question came and its answer left.
package struct ClockAnswer: Equatable, Sendable {
  /// Whose question it is, and which.
  package var asker: Token
  package var number: UInt32
  /// The member that answers.
  package var answerer: Token
  /// Nanoseconds of the session's time; nil where the answerer does not know it.
  package var times: Times?

  package struct Times: Equatable, Sendable {
    package var arrived: Int64
    package var answered: Int64
    package var uncertainty: Int64

    package init(arrived: Int64, answered: Int64, uncertainty: Int64) {
      (self.arrived, self.answered, self.uncertainty) = (arrived, answered, uncertainty)
    }
  }

  package init(asker: Token, number: UInt32, answerer: Token, times: Times?) {
    self.asker = asker
    self.number = number
    self.answerer = answerer
    self.times = times
  }
}

// The messages of a lobby as JSON objects. They are checked here: what passes has sizes and ranges
// that all members can work with.

struct MemberJSON: Codable {
  var key: String
  var incarnation: String
  var ticket: UInt32
  var state: String
  var synchronised: Bool
  var session: String?
  var expected: Int
  var limit: Int
  var gathers: Bool
  var parts: [PartJSON]

  struct PartJSON: Codable {
    var id: String
    var file: String
    var bytes: UInt64
    var sha256: String
  }

  init(_ member: Member) {
    (key, incarnation) = (member.key.description, member.incarnation.description)
    (ticket, state) = (member.ticket, member.state.rawValue)
    (synchronised, session) = (member.isSynchronised, member.session?.description)
    (expected, limit, gathers) = (member.expected, member.limit, member.gathers)
    parts = member.parts.map {
      PartJSON(id: $0.id.description, file: $0.file, bytes: $0.bytes, sha256: $0.sha256)
    }
  }

  func member(named name: String) -> Member? {
    guard let key = Token(key), let incarnation = Token(incarnation),
      let state = Member.State(rawValue: state), ticket <= 1_000_000_000,
      (1...256).contains(expected), (1...256).contains(limit), parts.count <= 64
    else { return nil }
    var member = Member(
      name: name, key: key, incarnation: incarnation, expected: expected, limit: limit)
    (member.ticket, member.state) = (ticket, state)
    (member.isSynchronised, member.gathers) = (synchronised, gathers)
    if let session {
      guard let token = Token(session) else { return nil }
      member.session = token
    }
    for part in parts {
      // A name, never a path: it is only shown, and no file gets it.
      guard let id = Token(part.id), isFileName(part.file), part.sha256.utf8.count == 64,
        part.sha256.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
      else { return nil }
      member.parts.append(
        Member.Part(id: id, file: part.file, bytes: part.bytes, sha256: part.sha256))
    }
    return member
  }
}

private func isFileName(_ text: String) -> Bool {
  (1...255).contains(text.utf8.count)
    && !text.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "/") || $0 == 0x7F }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
struct AnnouncementJSON: Codable {
  var term: UInt32
  var session: String
  /// Nanoseconds since the Unix epoch of the session's time.
  var start_ns: Int64
  var end_ns: Int64?
  var expected: Int

  init(_ announcement: Announcement) {
    (term, session) = (announcement.term, announcement.session.description)
    (start_ns, end_ns) = (announcement.start, announcement.end)
    expected = announcement.expected
  }

  var announcement: Announcement? {
    // Years that a trace can count in, with room for what is added.
    let years = -4_000_000_000_000_000_000...4_000_000_000_000_000_000 as ClosedRange<Int64>
    guard let session = Token(session), years.contains(start_ns), (1...256).contains(expected),
      end_ns.map(years.contains) ?? true
    else { return nil }
    return Announcement(
      term: term, session: session, start: start_ns, end: end_ns, expected: expected)
  }
}

/// A message of one member to another.
struct MailJSON: Codable {
  var question: QuestionJSON?
  var answer: AnswerJSON?
  var marker: String?

  struct QuestionJSON: Codable {
    var number: UInt32
    var name: String
    var incarnation: String
  }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  struct AnswerJSON: Codable {
    var asker: String
    var number: UInt32
    var answerer: String
    var arrived_ns: Int64?
    var answered_ns: Int64?
    var uncertainty_ns: Int64?
  }

  init(_ message: RendezvousMessage) {
    switch message {
    case .question(let asked, _):
      question = QuestionJSON(
        number: asked.number, name: asked.name, incarnation: asked.incarnation.description)
    case .answer(let given, _):
      answer = AnswerJSON(
        asker: given.asker.description, number: given.number,
        answerer: given.answerer.description, arrived_ns: given.times?.arrived,
        answered_ns: given.times?.answered, uncertainty_ns: given.times?.uncertainty)
    case .marker(let token, _): marker = token.description
    default: break
    }
  }

  func message(to name: String) -> RendezvousMessage? {
    if let question, isSessionName(question.name), let token = Token(question.incarnation) {
      return .question(
        ClockQuestion(number: question.number, name: question.name, incarnation: token), to: name)
    }
    if let answer, let asker = Token(answer.asker), let answerer = Token(answer.answerer) {
      var times: ClockAnswer.Times?
      if let arrived = answer.arrived_ns, let answered = answer.answered_ns,
        let uncertainty = answer.uncertainty_ns
      {
        times = ClockAnswer.Times(arrived: arrived, answered: answered, uncertainty: uncertainty)
      }
      return .answer(
        ClockAnswer(asker: asker, number: answer.number, answerer: answerer, times: times),
        to: name)
    }
    return marker.flatMap { Token($0) }.map { .marker($0, to: name) }
  }
}

struct StopJSON: Codable {
  /// The session to end.
  var stop: String
}
