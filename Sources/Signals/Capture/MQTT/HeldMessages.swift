/// The messages that a broker waits for an acknowledgement of, and those that it may send again.
///
/// After a lost connection a broker repeats each message whose acknowledgement it did not get,
/// under the same identifier (MQTT 5, section 4.4). Such a message was received before: its rows
/// are saved, or will be. It is recognised by identifier and content; so a session that goes on has
/// each message once, unless an acknowledgement older than the latest two rounds was lost.
struct HeldMessages {
  /// The arrival of the first message that is not acknowledged yet; nil = all are.
  private(set) var since: ContinuousClock.Instant?
  /// Messages that are not acknowledged yet, those that came again among them.
  private(set) var count = 0
  /// Digests of the messages that are not acknowledged yet, by identifier.
  private var held: [UInt64: Int] = [:]
  /// Those that were acknowledged last: the connection may have ended before the broker knew.
  private var acknowledged: [UInt64: Int] = [:]
  /// Those that a new connection may repeat.
  private var expected: [UInt64: Int] = [:]

  var isEmpty: Bool { count == 0 }

  /// Takes a message that arrived.
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

  /// Notes that the connection is lost: what it held may come again.
  mutating func expectAgain() {
    expected.merge(acknowledged) { $1 }
    expected.merge(held) { $1 }
    acknowledged = [:]
    release()
  }

  /// Notes that the broker has no session: nothing comes again.
  mutating func forget() { expected = [:] }

  private mutating func release() {
    held.removeAll(keepingCapacity: true)
    (count, since) = (0, nil)
  }
}
