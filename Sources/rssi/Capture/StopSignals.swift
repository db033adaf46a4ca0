import Glibc
import Support
import Synchronization
import TraceStore

/// What a user or a service asks of a running capture: to end, or to begin a new file.
enum StopSignals {
  private static let stop = Atomic(false)
  private static let rotate = Atomic(false)

  /// From now on SIGINT and SIGTERM ask for the end and SIGHUP for a new file; a second SIGINT ends
  /// the program at once.
  static func install() {
    for number in [SIGINT, SIGTERM] {
      catchSignal(number) { number in
        if StopSignals.stop.exchange(true, ordering: .relaxed), number == SIGINT {
          UnfinishedFiles.remove()
          _exit(128 + number)
        }
      }
    }
    catchSignal(SIGHUP) { _ in StopSignals.rotate.store(true, ordering: .relaxed) }
  }

  static var isStopAsked: Bool { stop.load(ordering: .relaxed) }

  static func ask(_ value: Bool = true) { stop.store(value, ordering: .relaxed) }

  /// Whether a new file was asked for since the last call.
  static func takeRotation() -> Bool { rotate.exchange(false, ordering: .relaxed) }
}

/// Handles a signal; without SA_RESTART, so that a wait for the radio ends at once.
func catchSignal(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
  var action = sigaction()
  action.__sigaction_handler.sa_handler = handler
  sigaction(number, &action, nil)
  // The program that started this one may have blocked it, which is inherited.
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, number)
  pthread_sigmask(SIG_UNBLOCK, &signals, nil)
}
