/// Which command is waited for, and which answers are somebody else's.
struct CommandExchange {
  private var awaited: Opcode?
  /// Commands whose answers did not come in time and may come yet.
  private var overdue: [Opcode] = []
  private(set) var reply: CommandReply?

  /// Waits for the answer to a command.
  mutating func begin(_ opcode: Opcode) { (awaited, reply) = (opcode, nil) }

  /// Waits no more; a late answer is still known as an answer to this host.
  mutating func abandon() {
    if let awaited, reply == nil { overdue.append(awaited) }
    (awaited, reply) = (nil, nil)
    if overdue.count > 16 { overdue.removeFirst() }
  }

  /// Waits no more, since the answer came.
  mutating func end() { (awaited, reply) = (nil, nil) }

  /// Forgets late answers: the controller was reset and will not give them.
  mutating func forget() { overdue.removeAll() }

  /// Whether an answer is one to this host's commands.
  mutating func take(_ reply: CommandReply) -> Bool {
    if reply.opcode == awaited {
      if reply.isFinal, self.reply == nil { self.reply = reply }
      return true
    }
    guard let index = overdue.firstIndex(of: reply.opcode) else { return false }
    if reply.isFinal { overdue.remove(at: index) }
    return true
  }
}
