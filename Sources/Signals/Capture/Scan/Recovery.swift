import Support

/// How far the attempts to bring scanning back have come.
struct Recovery {
  var remedy: Remedy
  /// Whether scanning never worked yet.
  let isFirst: Bool
  /// Where the controller is not there: what became of it.
  var absent: TransportState
  /// Nanoseconds to wait before the next attempt.
  private(set) var delay: Int64 = 0

  private var delays = BackOff(first: .second / 2, limit: 60 * .second)
  private var unansweredSetUps = 0
  private var resets = 0
  private var hasBeenRefused = false

  /// A controller may be busy, or have been given half a command by its last host.
  private static let mostSetUps = 4
  private static let mostResets = 3

  init(remedy: Remedy, isFirst: Bool, absent: TransportState) {
    (self.remedy, self.isFirst, self.absent) = (remedy, isFirst, absent)
  }

  /// The way to the controller is being reset.
  mutating func resetBegins() {
    resets += 1
    remedy = .setUp
  }

  /// A command was not answered: a stronger remedy is needed.
  ///
  /// - Throws: `.unavailable` where every remedy was in vain.
  mutating func isUnanswered(_ opcode: Opcode, by name: String) throws(RSSIError) {
    delay = delays.take()
    guard remedy != .rescan else {
      remedy = .setUp
      return
    }
    unansweredSetUps += 1
    guard unansweredSetUps >= Self.mostSetUps else { return }
    if isFirst {
      throw RSSIError(
        .unavailable,
        "\(name) does not answer \(opcode); check that it is a controller that speaks HCI (H4), at "
          + "this speed")
    }
    guard resets < Self.mostResets else {
      throw RSSIError(
        .unavailable,
        "\(name) answers no command any more (\(opcode)), not after \(resets) resets either; "
          + "unplug "
          + "it, plug it in again and capture again")
    }
    remedy = .reset
  }

  /// The controller went down, came up or vanished: its settings are gone.
  mutating func changed(to state: TransportState) {
    remedy = remedy == .rescan ? .setUp : remedy
    absent = state == .restarted ? .up : state
    delay = state == .restarted ? delays.take() : 0
  }

  /// A command was refused; true the first time.
  mutating func refused() -> Bool {
    if remedy == .rescan { remedy = .setUp }
    delay = delays.take()
    defer { hasBeenRefused = true }
    return !hasBeenRefused
  }
}
