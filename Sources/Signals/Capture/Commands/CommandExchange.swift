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
