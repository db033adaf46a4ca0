/// The messages whose acknowledgement a broker awaits, and those that it may send again.
///
/// After a lost connection a broker repeats each message without an acknowledgement, under the same
/// identifier (MQTT 5, section 4.4). Such a message was received before: its rows are saved, or
/// will be. It is recognised by identifier and content, so a session that continues has each
/// message once, unless an acknowledgement older than the latest two rounds was lost.
struct HeldMessages {
  /// The arrival of the first unacknowledged message; nil if there is none.
  private(set) var since: ContinuousClock.Instant?
  /// The number of unacknowledged messages, including repeated ones.
  private(set) var count = 0
  /// Digests of the unacknowledged messages, by identifier.
  private var held: [UInt64: Int] = [:]
  /// The messages acknowledged last: the connection may have ended before the broker was informed.
  private var acknowledged: [UInt64: Int] = [:]
  /// The messages that a new connection may repeat.
  private var expected: [UInt64: Int] = [:]

  var isEmpty: Bool { count == 0 }

  /// Adds a message that arrived.
  ///
  /// - Returns: false for one that arrived before the connection was lost.
  mutating func isNew(_ message: BrokerMessage) -> Bool {
    guard message.identifier != 0 else { return true }
    var hasher = Hasher()
    hasher.combine(message.topic)
    hasher.combine(message.payload)
    let digest = hasher.finalize()
    count += 1
    since = since ?? .now
    held[message.identifier] = digest
    return expected.removeValue(forKey: message.identifier) != digest
  }

  /// Notes that every message was acknowledged.
  mutating func acknowledge() {
    acknowledged = held
    release()
  }

  /// Notes the loss of the connection, after which unacknowledged messages may be repeated.
  mutating func expectAgain() {
    expected.merge(acknowledged) { $1 }
    expected.merge(held) { $1 }
    acknowledged = [:]
    release()
  }

  /// Notes that the broker has no session, so that nothing is repeated.
  mutating func forget() { expected = [:] }

  private mutating func release() {
    held.removeAll(keepingCapacity: true)
    (count, since) = (0, nil)
  }
}
