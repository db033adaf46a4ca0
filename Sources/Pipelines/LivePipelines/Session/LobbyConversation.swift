import Capture
import Dispatch
import Support

/// A member's conversation with its lobby, on a separate thread: clocks are compared well only if
/// answers leave at once, and a radio's loop does not wait for messages.
final class LobbyConversation: Sendable {
  let mailbox: LobbyMailbox
  private let done = DispatchSemaphore(value: 0)
  private let log: any ActivityLog
  private let clock: MachineClock

  /// Milliseconds that the thread waits for the broker at most.
  private static let wait: Int32 = 20

  /// - Throws: `RSSIError` of kind `usage` or `permission`, before anything is connected.
  init(
    _ me: Member, _ request: LobbyRequest, duration: Int64?, log: any ActivityLog,
    clock: MachineClock
  ) throws {
    (self.log, self.clock) = (log, clock)
    mailbox = LobbyMailbox(me, lobby: request.lobby, at: clock.monotonic())
    let machine = Lobby(me, duration: duration)
    let channel = try request.channel(
      mailbox.topics.topics(for: me.name), will: mailbox.topics.will(machine.will))
    let carrier = Carrier(channel)
    detachThread {
      self.run(machine, carrier)
      self.done.signal()
    }
  }

  /// Hands a channel, which cannot be copied, to the thread.
  private final class Carrier: @unchecked Sendable {
    private var channel: BrokerChannel?
    init(_ channel: consuming BrokerChannel) { self.channel = consume channel }
    func take() -> BrokerChannel? { channel.take() }
  }

  /// Leaves the lobby, and waits until the others know.
  func leave() {
    mailbox.leave()
    _ = done.wait(timeout: .now() + 5)
    done.signal()
  }

  private func run(_ machine: Lobby, _ carrier: Carrier) {
    guard var channel = carrier.take() else { return }
    var driver = LobbyDriver(machine, mailbox.topics, log: log, at: clock.monotonic())
    do {
      while try driver.step(over: &channel, mailbox, within: Self.wait, clock) {}
    } catch {
      mailbox.fail(error as? RSSIError ?? RSSIError(.failed, "\(error)"))
    }
    try? driver.publish(over: &channel)
    channel.close()
  }
}
