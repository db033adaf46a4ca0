/// Which command is waited for, and which answers are someone else's.
struct CommandExchange {
  private var awaited: Opcode?
  /// Commands whose answers did not come in time and may come yet.
  private var overdue: [Overdue] = []
  private(set) var reply: CommandReply?

  private struct Overdue {
    var opcode: Opcode
    /// Until when an answer is taken for this host's, on the clock that is never set.
    var until: Int64
  }

  /// Waits for the answer to a command.
  mutating func begin(_ opcode: Opcode) { (awaited, reply) = (opcode, nil) }

  /// Waits no more; a late answer is still known as an answer to this host.
  mutating func end(at monotonic: Int64) {
    overdue.removeAll { $0.until < monotonic }
    if let awaited, reply == nil {
      overdue.append(Overdue(opcode: awaited, until: monotonic + 10 * .second))
    }
    (awaited, reply) = (nil, nil)
  }

  /// Forgets late answers: the controller was reset and will not give them.
  mutating func forget() { overdue.removeAll() }

  /// Whether an answer is one to this host's commands.
  mutating func take(_ reply: CommandReply, at monotonic: Int64) -> Bool {
    if reply.opcode == awaited {
      if reply.isFinal, self.reply == nil { self.reply = reply }
      return true
    }
    guard
      let index = overdue.firstIndex(where: { $0.opcode == reply.opcode && $0.until >= monotonic })
    else { return false }
    if reply.isFinal { overdue.remove(at: index) }
    return true
  }
}

/// A controller's answer to a command.
///
/// Command Complete (0x0E): number of commands allowed(1) opcode(2) status(1) return parameters.
/// Command Status (0x0F): status(1) number of commands allowed(1) opcode(2); it refuses a command,
/// or states that the answer follows.
///
/// Source: Bluetooth Core Specification 5.4, volume 4, part E, sections 7.7.14 and 7.7.15.
struct CommandReply: Equatable {
  var opcode: Opcode
  var status: HCIStatus
  /// What follows the status.
  var parameters: [UInt8]
  /// False where the command is only under way.
  var isFinal: Bool

  /// The answer in an event, nil where it is not an answer or is cut short.
  init?(event: Span<UInt8>) {
    guard event.count >= 6 else { return nil }
    switch event[0] {
    case 0x0E:
      opcode = Opcode(rawValue: UInt16(event[3]) | UInt16(event[4]) << 8)
      status = HCIStatus(rawValue: event[5])
      parameters = (6..<event.count).map { event[$0] }
      isFinal = true
    case 0x0F:
      opcode = Opcode(rawValue: UInt16(event[4]) | UInt16(event[5]) << 8)
      status = HCIStatus(rawValue: event[2])
      parameters = []
      isFinal = status != .success
    default: return nil
    }
  }
}
