package import Capture
package import Support
import Synchronization

/// Keeps the state of topics at an MQTT broker: of each topic the latest payload, retained.
///
/// A thread of its own talks to the broker, and its caller never waits: while the broker
/// is slow or away, the payloads of a topic that are older than its latest are left out. A new
/// connection publishes every topic again. `PREFIX/status` is `online`, and `offline` once the
/// program has ended, by the broker's will where it ended without a goodbye.
///
/// ```swift
/// let publisher = try StatePublisher("mqtt://localhost/rssi", log: log)
/// publisher.set(#"{"room":"office"}"#, at: "rssi/tag/state")
/// publisher.end()
/// ```
package final class StatePublisher: Sendable {
  private struct Topics {
    var payloads: [String: String] = [:]
    /// Those that the broker does not have yet, the oldest first.
    var due: [String] = []
    var isDue: Set<String> = []
    var isClosed = false
    /// Whether nothing is published any more.
    var isOver = false

    mutating func set(_ payload: String, at topic: String) {
      guard payloads.updateValue(payload, forKey: topic) != payload else { return }
      if isDue.insert(topic).inserted { due.append(topic) }
    }

    mutating func setAllDue() {
      due = payloads.keys.sorted()
      isDue = Set(due)
    }
  }

  /// The prefix of all topics, which the address has after the broker.
  package let prefix: String
  /// What is published when another program of the broker announces its start, as Home Assistant
  /// does: everything.
  private static let birth = "homeassistant/status"
  private let topics = Mutex(Topics())
  private let channel: Mutex<BrokerChannel>
  private let log: any ActivityLog
  /// Messages between two looks at whether the broker takes them.
  private static let burst = 50

  /// Connects to a broker, and publishes from then on.
  ///
  /// - Parameter address: `mqtt://[USER@]HOST[:PORT][/PREFIX]`, or `mqtts://` for TLS; the prefix is
  ///   `rssi` unless given.
  /// - Throws: `RSSIError` for an address that is invalid, or a broker that is not there.
  package init(
    _ address: String, options: GatewayOptions = GatewayOptions(), log: any ActivityLog
  ) throws(RSSIError) {
    let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    let prefix = parts.count == 4 && !parts[3].isEmpty ? String(parts[3]) : "rssi"
    guard Self.isPrefix(prefix) else {
      throw RSSIError(
        .usage,
        "`publish` \(address): a prefix has letters, digits, -, _ and single slashes, such as "
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
    detachThread { self.work() }
  }

  private static func isPrefix(_ text: String) -> Bool {
    text.wholeMatch(of: /[A-Za-z0-9_\-]+(\/[A-Za-z0-9_\-]+)*/) != nil && text.utf8.count <= 128
  }

  private static func connect(_ channel: inout BrokerChannel) throws(RSSIError) {
    while true {
      if case .connected = try channel.step(within: 50) { return }
    }
  }

  /// Sets what a topic shall have; returns at once, on any thread.
  package func set(_ payload: String, at topic: String) {
    topics.withLock { $0.set(payload, at: topic) }
  }

  /// Publishes what is due, then that nothing is published any more; two seconds at most.
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

  /// False once everything is published and nothing more will come.
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
      log.warn("nothing is published any more: \(error)")
      return false
    }
    if channel.takeMessages().contains(where: { $0.payload == Array("online".utf8) }) {
      topics.withLock { $0.setAllDue() }
    }
    return publish(on: &channel)
  }

  private func publish(on channel: inout BrokerChannel) -> Bool {
    // What the connection does not take now would fill memory.
    guard !channel.isBusy else { return true }
    let (messages, isLast) = topics.withLock { topics in
      let next = topics.due.prefix(Self.burst).map { ($0, topics.payloads[$0] ?? "") }
      topics.due.removeFirst(next.count)
      topics.isDue.subtract(next.map(\.0))
      return (next, topics.isClosed && topics.due.isEmpty)
    }
    for (topic, payload) in messages {
      // A new connection publishes what is lost with this one.
      channel.publish(Array(payload.utf8), to: topic, isRetained: true, isUrgent: true)
    }
    return !isLast
  }
}
