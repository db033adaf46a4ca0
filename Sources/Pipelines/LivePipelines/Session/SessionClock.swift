/// The session's time, as a member knows it: the best of its latest exchanges.
///
/// The shortest way is the least uncertain; so, as in NTP's clock filter (RFC 5905, section 10), of
/// the latest eight the one with the smallest bound counts, to which age adds the drift of two
/// clocks.
package struct SessionClock: Equatable, Sendable {
  private var estimates: [ClockOffsetEstimate] = []
  /// The offset if this clock defines the session's time: it does not drift from itself.
  private var defined: Int64?

  /// Exchanges that are looked at.
  static let depth = 8

  package init() {}

  /// Creates the clock that is the session's time.
  init(defining offset: Int64) { defined = offset }

  /// A Boolean value that is true if there were enough exchanges to choose from.
  var isSettled: Bool { defined != nil || estimates.count >= Self.depth }

  package mutating func take(_ exchange: ClockExchange) {
    guard let estimate = exchange.offset else { return }
    estimates.append(estimate)
    if estimates.count > Self.depth { estimates.removeFirst(estimates.count - Self.depth) }
  }

  /// The offset now, with its bound; nil before the first exchange.
  package func estimate(at now: Int64) -> ClockOffsetEstimate? {
    if let defined { return ClockOffsetEstimate(offset: defined, uncertainty: 0, time: now) }
    return estimates.map { $0.aged(to: now) }.min { $0.uncertainty < $1.uncertainty }
  }
}

/// A question for the time and its answer.
///
/// The offset is half of what the way there and the way back differ by, and is off by half of the
/// time under way at most, however unlike the two ways are.
///
/// Source: Mills, "Internet time synchronization: the network time protocol", IEEE Transactions on
/// Communications 39 (1991), 1482; RFC 5905, section 8.
package struct ClockExchange: Equatable, Sendable {
  /// The times at which the question left and the answer came, nanoseconds of the asker's clock.
  package var asked: Int64
  package var returned: Int64
  /// The times at which the question came and the answer left, nanoseconds of the session's time.
  package var arrived: Int64
  package var answered: Int64
  /// The greatest error of the answer's idea of that time, in nanoseconds.
  package var answerUncertainty: Int64

  package init(
    asked: Int64, arrived: Int64, answered: Int64, returned: Int64, answerUncertainty: Int64 = 0
  ) {
    (self.asked, self.returned) = (asked, returned)
    (self.arrived, self.answered) = (arrived, answered)
    self.answerUncertainty = answerUncertainty
  }

  /// The offset to add to the asker's clock, and its greatest error; nil for an impossible
  /// exchange.
  package var offset: ClockOffsetEstimate? {
    let numbers = [asked, returned, arrived, answered, answerUncertainty]
    guard numbers.allSatisfy({ $0.magnitude < 1 << 62 }), returned >= asked, answered >= arrived,
      answerUncertainty >= 0
    else { return nil }
    let delay = (returned - asked) - (answered - arrived)
    guard delay >= 0 else { return nil }
    // Halved first: the sum of two differences may be too large.
    let (there, back) = (arrived - asked, answered - returned)
    let offset = there / 2 + back / 2 + (there % 2 + back % 2) / 2
    return ClockOffsetEstimate(
      offset: offset, uncertainty: delay / 2 + 1 + answerUncertainty, time: returned)
  }
}

/// The offset of a clock from the session's time, at an instant.
package struct ClockOffsetEstimate: Equatable, Sendable {
  /// Nanoseconds to add to the clock.
  package var offset: Int64
  /// The true offset is within so many nanoseconds.
  package var uncertainty: Int64
  /// Nanoseconds of the clock.
  package var time: Int64

  package init(offset: Int64, uncertainty: Int64, time: Int64) {
    (self.offset, self.uncertainty, self.time) = (offset, uncertainty, time)
  }

  /// The drift of two clocks: one nanosecond in so many, since each of two crystals is right to 50
  /// parts in a million.
  static let driftPeriod: Int64 = 10_000

  /// The same at a later time, by when the clocks may have drifted.
  package func aged(to now: Int64) -> ClockOffsetEstimate {
    let age = max(0, now &- time)
    let drift = age / Self.driftPeriod + (age > 0 ? 1 : 0)
    return ClockOffsetEstimate(offset: offset, uncertainty: uncertainty + drift, time: now)
  }
}
