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
  private var unansweredResets = 0
  private var hasBeenRefused = false

  private static let mostResets = 3

  init(remedy: Remedy, isFirst: Bool, absent: TransportState) {
    (self.remedy, self.isFirst, self.absent) = (remedy, isFirst, absent)
  }

  /// A command was not answered: a stronger remedy is needed.
  ///
  /// - Throws: `.unavailable` after several resets in vain.
  mutating func isUnanswered(_ opcode: Opcode, by name: String) throws(CaptureError) {
    switch remedy {
    case .rescan: remedy = .setUp
    case .setUp: remedy = .reset
    case .reset:
      unansweredResets += 1
      guard unansweredResets < Self.mostResets else {
        throw CaptureError(
          .unavailable,
          "\(name) answers no command (\(opcode)), not after \(Self.mostResets) resets either; "
            + "unplug it and plug it in again, or check that it speaks HCI (H4) at this speed")
      }
    }
    delay = delays.take()
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
