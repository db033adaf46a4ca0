/// The session's time, as a member knows it: the best of its latest exchanges.
///
/// The exchange with the shortest delay is the least uncertain. As in NTP's clock filter (RFC 5905,
/// section 10), the one with the smallest bound of the latest eight counts; age adds the drift of
/// two clocks.
package struct SessionClock: Equatable, Sendable {
  private var estimates: [ClockOffsetEstimate] = []
  /// The offset if this clock defines the session's time: it does not drift from itself.
  private var defined: Int64?

  /// The number of exchanges that are compared.
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

  /// Returns the offset now, with its bound; nil before the first exchange.
  package func estimate(at now: Int64) -> ClockOffsetEstimate? {
    if let defined { return ClockOffsetEstimate(offset: defined, uncertainty: 0, time: now) }
    return estimates.map { $0.aged(to: now) }.min { $0.uncertainty < $1.uncertainty }
  }
}

/// A question for the time and its answer.
///
/// The offset is half of the difference between the delays there and back. Its error is at most
/// half of the total delay, however different the two ways are.
///
/// Source: Mills, "Internet time synchronization: the network time protocol", IEEE Transactions on
/// Communications 39 (1991), 1482; RFC 5905, section 8.
package struct ClockExchange: Equatable, Sendable {
  /// The times at which the question left and the answer arrived, nanoseconds of the asker's clock.
  package var asked: Int64
  package var returned: Int64
  /// The times at which the question arrived and the answer left, nanoseconds of the session's
  /// time.
  package var arrived: Int64
  package var answered: Int64
  /// The maximum error of the answer's time, in nanoseconds.
  package var answerUncertainty: Int64

  package init(
    asked: Int64, arrived: Int64, answered: Int64, returned: Int64, answerUncertainty: Int64 = 0
  ) {
    (self.asked, self.returned) = (asked, returned)
    (self.arrived, self.answered) = (arrived, answered)
    self.answerUncertainty = answerUncertainty
  }

  /// The offset to add to the asker's clock, and its maximum error; nil for an impossible exchange.
  package var offset: ClockOffsetEstimate? {
    let numbers = [asked, returned, arrived, answered, answerUncertainty]
    guard numbers.allSatisfy({ $0.magnitude < 1 << 62 }), returned >= asked, answered >= arrived,
      answerUncertainty >= 0
    else { return nil }
    let delay = (returned - asked) - (answered - arrived)
    guard delay >= 0 else { return nil }
    // Halved first: the sum of two differences may overflow.
    let (there, back) = (arrived - asked, answered - returned)
    let offset = there / 2 + back / 2 + (there % 2 + back % 2) / 2
    return ClockOffsetEstimate(
      offset: offset, uncertainty: delay / 2 + 1 + answerUncertainty, time: returned)
  }
}

/// The offset of a clock from the session's time, at an instant.
package struct ClockOffsetEstimate: Equatable, Sendable {
  /// The correction to add to the clock, in nanoseconds.
  package var offset: Int64
  /// The bound of the error of the offset, in nanoseconds.
  package var uncertainty: Int64
  /// The time of the clock, in nanoseconds.
  package var time: Int64

  package init(offset: Int64, uncertainty: Int64, time: Int64) {
    (self.offset, self.uncertainty, self.time) = (offset, uncertainty, time)
  }

  /// The time in which two clocks drift by one nanosecond: each of two crystals is accurate to 50
  /// parts per million.
  static let driftPeriod: Int64 = 10_000

  /// Returns the same offset at a later time, with the possible drift of the clocks.
  package func aged(to now: Int64) -> ClockOffsetEstimate {
    let age = max(0, now &- time)
    let drift = age / Self.driftPeriod + (age > 0 ? 1 : 0)
    return ClockOffsetEstimate(offset: offset, uncertainty: uncertainty + drift, time: now)
  }
}
