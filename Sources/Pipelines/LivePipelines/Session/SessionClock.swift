/// The session's time, as a member knows it: the best of its latest exchanges.
///
/// The shortest way is the least uncertain; so, as in NTP's clock filter (RFC 5905, section 10), of
/// the latest eight the one with the smallest bound counts, to which age adds the drift of two
/// clocks.
package struct SessionClock: Equatable, Sendable {
  private var estimates: [ClockOffsetEstimate] = []
  /// Where this clock defines the session's time: it does not drift from itself.
  private var defined: ClockOffsetEstimate?

  /// Exchanges that are looked at.
  static let depth = 8

  package init() {}

  /// Whether there were enough exchanges to choose from.
  var isSettled: Bool { defined != nil || estimates.count >= Self.depth }

  /// From now on this clock is the session's time: as it knows it, or else with an offset that is
  /// exact by definition.
  mutating func define(at now: Int64, offset: Int64) {
    guard defined == nil else { return }
    defined =
      estimate(at: now) ?? ClockOffsetEstimate(offset: offset, uncertainty: 0, time: now)
  }

  /// From now on another clock is the session's time, which goes on.
  mutating func follow(at now: Int64) {
    if let known = defined.take() { estimates = [ClockOffsetEstimate(known, at: now)] }
  }

  package mutating func take(_ exchange: ClockExchange) {
    guard let estimate = exchange.offset else { return }
    estimates.append(estimate)
    if estimates.count > Self.depth { estimates.removeFirst(estimates.count - Self.depth) }
  }

  /// The offset now, with its bound; nil before the first exchange.
  package func estimate(at now: Int64) -> ClockOffsetEstimate? {
    if let defined { return ClockOffsetEstimate(defined, at: now) }
    return estimates.map { $0.aged(to: now) }.min { $0.uncertainty < $1.uncertainty }
  }
}
