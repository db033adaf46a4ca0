/// What members of a lobby say to each other.
public enum LobbyMessage: Equatable, Sendable {
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
  /// Somebody wants the session to end for all.
  case stop(Token)
}

/// What time is it?
public struct ClockQuestion: Equatable, Sendable {
  public var number: UInt32
  public var name: String
  public var incarnation: Token

  public init(number: UInt32, name: String, incarnation: Token) {
    self.number = number
    self.name = name
    self.incarnation = incarnation
  }
}

/// The session's time at which a question came and its answer left.
public struct ClockAnswer: Equatable, Sendable {
  /// Whose question it is, and which.
  public var asker: Token
  public var number: UInt32
  /// Who answers.
  public var answerer: Token
  /// Nanoseconds of the session's time; nil where the answerer does not know it.
  public var times: Times?

  public struct Times: Equatable, Sendable {
    public var arrived: Int64
    public var answered: Int64
    public var uncertainty: Int64

    public init(arrived: Int64, answered: Int64, uncertainty: Int64) {
      (self.arrived, self.answered, self.uncertainty) = (arrived, answered, uncertainty)
    }
  }

  public init(asker: Token, number: UInt32, answerer: Token, times: Times?) {
    self.asker = asker
    self.number = number
    self.answerer = answerer
    self.times = times
  }
}
