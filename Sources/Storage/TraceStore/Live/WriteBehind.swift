import Dispatch
import Support

/// A trace writer that another thread works with while its owner prepares the next block.
///
/// At most one piece of work is on its way, so that memory stays bounded and HDF5 is used by one
/// thread at a time. What it failed with is thrown at the next piece of work, or at the end.
struct WriteBehind: ~Copyable {
  /// Touched by the thread whose turn it is: the owner's only while nothing is on its way.
  private final class Turn: Sendable {
    nonisolated(unsafe) var writer: TraceWriter?
    nonisolated(unsafe) var failure: RSSIError?
    let work = DispatchGroup()
  }
  private let turn = Turn()

  /// Hands over work, once that handed over before is done.
  ///
  /// - Parameter work: is given the writer, nil the first time.
  func start(
    _ work: @escaping @Sendable (inout TraceWriter?) throws(RSSIError) -> Void
  ) throws(RSSIError) {
    try wait()
    DispatchQueue.global().async(group: turn.work) { [turn] in
      do throws(RSSIError) { try work(&turn.writer) } catch { turn.failure = error }
    }
  }

  /// Gives the writer back; nil where no work was handed over.
  consuming func finish() throws(RSSIError) -> TraceWriter? {
    try wait()
    return turn.writer.take()
  }

  private func wait() throws(RSSIError) {
    turn.work.wait()
    if let failure = turn.failure { throw failure }
  }

  deinit {
    turn.work.wait()
    // Here rather than on the other thread, so that the unfinished file is gone from now on.
    turn.writer = nil
  }
}
