import LivePipelines

/// Where events of spots go: lines on standard output, and a program that is run for each.
struct SpotEventOutput {
  private let program: EventProgram?

  /// - Parameters:
  ///   - command: for the shell; nil = none.
  ///   - mayWait: whether the program may hold up what is read.
  init(command: String?, mayWait: Bool, _ context: LiveContext) {
    program = command.map { EventProgram($0, mayWait: mayWait, context) }
  }

  func tell(_ event: SpotEvent) throws {
    try StandardOutput.write(event.line)
    program?.take(event.line)
  }

  /// Waits for the program, as `EventProgram` does.
  func finish() throws {
    try StandardOutput.flush()
    program?.finish()
  }
}
