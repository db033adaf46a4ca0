import Sightings
import Support

/// An estimate of the error of a gateway's clock from the delay between its times and the arrival
/// of its messages.
///
/// | the newest sighting of a message is | the clock is |
/// |---|---|
/// | ahead of the arrival by more than a minute, or behind by more than seven days | wrong |
/// | within a minute | right |
/// | behind by a time zone, see `isZone`, in each message | wrong from the first one on |
/// | behind by the same time, within 1.5 s, in four messages over 3 s | wrong from there on |
/// | behind otherwise | right: the message was held back |
///
/// After an outage the backlog is sent faster than it was received, so its lateness decreases; a
/// gateway with such a backlog has to be late by the same time for a minute. O(1) per message.
/// message.
struct GatewayClock {
  /// The lag of the clock in nanoseconds; negative for a clock that is ahead, nil for a correct
  /// one.
  private(set) var offset: Int64?
  /// The first arrival of the messages with one lateness.
  private var reference: Int64 = 0
  private var firstArrival: Int64 = 0
  private var messages = 0
  /// A Boolean value that is true if the gateway sent a backlog.
  private var hasHeldBack = false

  private static let tolerance = 60 * Timestamp.second
  private static let longestHeld = 7 * 86_400 * Timestamp.second
  private static let jitter = 1500 * Timestamp.second / 1000
  private static let drift = 5 * Timestamp.second
  private static let fewestMessages = 4

  /// Returns the delay from a clock's time to the arrival.
  static func lateness(of time: Int64, arrival: Int64) -> Int64 {
    let (lateness, overflow) = arrival.subtractingReportingOverflow(time)
    return overflow ? (arrival > time ? .max : .min) : lateness
  }

  /// Returns a Boolean value that is true for a plausible delay: a broker may have kept a message
  /// for days, but a clock that was never set shows 1970, and none may be ahead by more than a
  /// minute.
  static func isPossible(_ lateness: Int64) -> Bool {
    lateness >= -tolerance && lateness <= longestHeld
  }

  /// Returns a Boolean value that is true if the arrival replaces the time of a sighting of the
  /// latest message.
  func isWrong(for lateness: Int64) -> Bool {
    !Self.isPossible(lateness) || offset != nil && lateness > Self.tolerance
  }

  /// Updates the estimate with the lateness of the newest sighting of a message.
  mutating func note(_ lateness: Int64, arrival: Int64) {
    guard lateness > Self.tolerance, Self.isPossible(lateness) else {
      offset = Self.isPossible(lateness) ? nil : lateness
      (messages, hasHeldBack) = (0, false)
      return
    }
    if let offset, abs(lateness - offset) <= Self.drift { return }
    if messages > 0, abs(lateness - reference) <= Self.jitter {
      messages += 1
    } else {
      if messages > 0 { hasHeldBack = true }
      (reference, firstArrival, messages, offset) = (lateness, arrival, 1, nil)
    }
    let shortest = hasHeldBack ? 60 * Timestamp.second : 3 * Timestamp.second
    let isConstant = messages >= Self.fewestMessages && arrival - firstArrival >= shortest
    if isConstant || !hasHeldBack && Self.isZone(lateness) { offset = lateness }
  }

  /// Returns a Boolean value that is true for the lateness of a clock in another time zone: whole
  /// quarters of an hour up to 14 h, and up to 5 s of transmission.
  static func isZone(_ lateness: Int64) -> Bool {
    let quarter = 900 * Timestamp.second
    let quarters = (lateness + quarter / 2) / quarter
    return (1...56).contains(quarters)
      && (-2 * Timestamp.second...5 * Timestamp.second).contains(lateness - quarters * quarter)
  }

  /// The description of the offset, such as `5 h behind, a time zone?`.
  var offsetText: String {
    guard let offset else { return "" }
    return "\(roughDuration(offset)) \(offset < 0 ? "ahead" : "behind")"
      + (Self.isZone(offset) || Self.isZone(-max(offset, -.max)) ? ", a time zone?" : "")
  }
}

/// A time from a gateway, and its resolution.
struct GatewayTime {
  /// The time, nanoseconds since the Unix epoch.
  var time: Int64
  var kind: Radio.TimeKind

  /// Reads Unix seconds, Unix milliseconds or ISO 8601 in UTC, as a number or as text; nil for
  /// anything else.
  init?(_ value: JSONElement?) {
    guard let value else { return nil }
    if let number = value.number {
      // Seconds stay below this number until the year 5138, milliseconds exceed it since 1973.
      let isMilliseconds = abs(number) >= 1e11
      let milliseconds = isMilliseconds ? number : number * 1000
      guard abs(milliseconds) < Double(Timestamp.limit) * 1000 else { return nil }
      time = Int64(milliseconds.rounded()) * 1_000_000
      kind = isMilliseconds || number != number.rounded() ? .gatewayMilliseconds : .gatewaySeconds
    } else {
      guard let text = value.text, text.count <= 32,
        let parsed = Timestamp.parse(iso8601: String(decoding: text, as: UTF8.self))
      else { return nil }
      time = parsed
      kind = text.contains(UInt8(ascii: ".")) ? .gatewayMilliseconds : .gatewaySeconds
    }
  }
}
