import Support
import Synchronization

/// The time by which a recording is replayed: it stands still while the user looks, so that the
/// replay goes on where it stopped.
final class ReplayTime: Sendable {
  private let base: MachineClock
  /// Nanoseconds for which the replay waited.
  private let leftOut = Atomic<Int64>(0)

  init(_ base: MachineClock) { self.base = base }

  var clock: MachineClock {
    MachineClock(
      now: base.now,
      monotonic: { [self] in base.monotonic() - leftOut.load(ordering: .relaxed) },
      pause: base.pause)
  }

  /// Leaves out nanoseconds for which the replay waited.
  func leaveOut(_ nanoseconds: Int64) { leftOut.add(nanoseconds, ordering: .relaxed) }
}
