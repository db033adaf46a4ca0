package import Capture
package import Support
import Synchronization

/// Keeps the state of topics at an MQTT broker: the latest payload of each topic, retained.
///
/// A separate thread talks to the broker, and the caller never waits: while the broker is slow or
/// away, only the latest payload of a topic is kept. A new connection publishes every topic again.
/// `PREFIX/status` is `online`, and `offline` once the program has ended, by the broker's will if
/// it ended abnormally.
///
/// ```swift
/// let publisher = try StatePublisher("mqtt://localhost/rssi", log: log)
/// publisher.set(#"{"room":"office"}"#, at: "rssi/tag/state")
/// publisher.end()
/// ```
package final class StatePublisher: Sendable {
  private struct Topics {
    private var payloads: [String: String] = [:]
    /// The topics that were published.
    private var sent: Set<String> = []
    /// Those of them that are empty now, which a new connection empties again; the latest only.
    private var emptied = LatestValues<String, Bool>(most: 2000)
    /// The topics to publish, the oldest first; only those in `isDue` count.
    private var due: [String] = []
    private var isDue: Set<String> = []
    var isClosed = false
    /// A Boolean value that is true if publishing has ended.
    var isOver = false

    /// - Parameter payload: empty removes the topic.
    mutating func set(_ payload: String, at topic: String) {
      if payload.isEmpty { return remove(topic) }
      guard payloads.updateValue(payload, forKey: topic) != payload else { return }
      _ = emptied.remove(topic)
      setDue(topic)
    }

    private mutating func remove(_ topic: String) {
      guard payloads.removeValue(forKey: topic) != nil else { return }
      if sent.remove(topic) == nil {
        isDue.remove(topic)
      } else {
        emptied.set(true, for: topic)
        setDue(topic)
      }
    }

    private mutating func setDue(_ topic: String) {
      guard isDue.insert(topic).inserted else { return }
      due.append(topic)
      // A topic that was removed while the broker was away is not due.
      if due.count > 2 * isDue.count + 64 { due = due.filter(isDue.contains) }
    }

    mutating func setAllDue() {
      due = payloads.keys.sorted() + emptied.values.map(\.key).sorted()
      isDue = Set(due)
    }

    /// Takes the next messages that are due.
    mutating func takeDue(_ most: Int) -> [(topic: String, payload: String)] {
      var messages: [(topic: String, payload: String)] = []
      let next = due.prefix(most)
      for topic in next where isDue.remove(topic) != nil {
        let payload = payloads[topic] ?? ""
        if !payload.isEmpty { sent.insert(topic) }
        messages.append((topic, payload))
      }
      due.removeFirst(next.count)
      return messages
    }

    var isEmpty: Bool { due.isEmpty }
  }

  /// The prefix of all topics, which follows the broker in the address.
  package let prefix: String
  /// The topic on which another client of the broker announces its start, as Home Assistant does:
  /// then everything is published again.
  private static let birth = "homeassistant/status"
  private let topics = Mutex(Topics())
  private let channel: Mutex<BrokerChannel>
  private let log: any ActivityLog
  /// The number of messages between two checks that the broker takes them.
  private static let burst = 50

  /// Connects to a broker, and publishes from then on.
  ///
  /// - Parameter address: `mqtt://[USER@]HOST[:PORT][/PREFIX]`, or `mqtts://` for TLS; the prefix
  ///   is `rssi` unless given.
  /// - Throws: `RSSIError` for an invalid address, or a broker that does not answer.
  package init(
    _ address: String, options: GatewayOptions = GatewayOptions(), log: any ActivityLog
  ) throws(RSSIError) {
    let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    let prefix = parts.count == 4 && !parts[3].isEmpty ? String(parts[3]) : "rssi"
    guard Self.isPrefix(prefix) else {
      throw RSSIError(
        .usage,
        "`publish` \(address): expected a prefix of letters, digits, -, _ and single slashes, such as "
          + "mqtt://localhost/rssi/lab")
    }
    (self.prefix, self.log) = (prefix, log)
    var options = options
    options.clientID = nil
    var channel = try BrokerChannel(
      broker: parts.prefix(3).joined(separator: "/"), topics: [Self.birth],
      will: (topic: prefix + "/status", payload: Array("offline".utf8)), options: options)
    log.note("publishing at \(channel.name) under \(prefix)/")
    try Self.connect(&channel)
    self.channel = Mutex(channel)
    topics.withLock { $0.set("online", at: prefix + "/status") }
    try detachThread { self.work() }
  }

  private static func isPrefix(_ text: String) -> Bool {
    func isPlain(_ character: Character) -> Bool {
      character.isASCII && (character.isLetter || character.isNumber || "_-".contains(character))
    }
    let levels = text.split(separator: "/", omittingEmptySubsequences: false)
    return text.utf8.count <= 128 && levels.allSatisfy { !$0.isEmpty && $0.allSatisfy(isPlain) }
  }

  private static func connect(_ channel: inout BrokerChannel) throws(RSSIError) {
    while true {
      if case .connected = try channel.step(within: 50) { return }
    }
  }

  /// Sets the payload of a topic, or empties it; returns at once, on any thread.
  package func set(_ payload: String, at topic: String) {
    topics.withLock { $0.set(payload, at: topic) }
  }

  /// Publishes pending messages, then `offline`; takes at most two seconds.
  package func end() {
    topics.withLock { topics in
      topics.set("offline", at: prefix + "/status")
      topics.isClosed = true
    }
    let deadline = SystemClock.monotonic + 2_000_000_000
    while !topics.withLock({ $0.isOver }), SystemClock.monotonic < deadline {
      MachineClock.system.pause(10)
    }
  }

  private func work() {
    channel.withLock { channel in
      while step(&channel) {}
      channel.close()
    }
    topics.withLock { $0.isOver = true }
  }

  /// Takes one step; returns false once everything is published and nothing more will come.
  private func step(_ channel: inout BrokerChannel) -> Bool {
    do {
      switch try channel.step(within: 20) {
      case .nothing, .failedAgain: break
      case .connected:
        log.note("\(channel.name): connected again")
        topics.withLock { $0.setAllDue() }
      case .lost(let reason): log.warn("\(channel.name): \(reason); connecting again")
      }
    } catch {
      log.warn("publishing has ended: \(error)")
      return false
    }
    if channel.takeMessages().contains(where: { $0.payload == Array("online".utf8) }) {
      topics.withLock { $0.setAllDue() }
    }
    return publish(on: &channel)
  }

  private func publish(on channel: inout BrokerChannel) -> Bool {
    // More than the connection takes now would fill memory.
    guard !channel.isBusy else { return true }
    let (messages, isLast) = topics.withLock { topics in
      (topics.takeDue(Self.burst), topics.isClosed && topics.isEmpty)
    }
    for (topic, payload) in messages {
      // A new connection publishes the messages that this one lost.
      channel.publish(Array(payload.utf8), to: topic, isRetained: true, isUrgent: true)
    }
    return !isLast
  }
}
