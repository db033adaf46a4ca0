/// What members of a lobby state to each other.
package enum LobbyMessage: Equatable, Sendable {
  /// Kept by the broker: who a member is and what it does.
  case presence(Member)
  /// What the broker kept of a member is taken back.
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

/// What time is it?
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
  /// Who answers.
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
