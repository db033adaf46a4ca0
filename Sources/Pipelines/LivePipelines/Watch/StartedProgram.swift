import Support

/// A program that was started to take one event.
protocol StartedProgram: AnyObject {
  /// Hands it the event.
  func send(_ line: [UInt8], within milliseconds: Int) throws(ChildProgram.Failure)

  /// Waits for it to end.
  ///
  /// - Returns: its exit status as in a shell; nil if it did not end in time.
  func finish(within milliseconds: Int) -> Int32?

  /// Ends it, and everything that it started, at once.
  func end()
}

extension ChildProgram: StartedProgram {}
