import Glibc
import Support
import Synchronization
import TraceStore

/// The requests by signals to a running capture: to end, or to start a new file.
enum StopSignals {
  private static let stop = Atomic(false)
  private static let rotate = Atomic(false)

  /// Installs handlers: SIGINT and SIGTERM ask for the end; a second SIGINT ends the program at
  /// once. SIGHUP, which also comes when the terminal closes, asks for the end, too, unless it was
  /// ignored before, as by `nohup`.
  ///
  /// - Parameter hangUpRotates: true if SIGHUP asks for a new file instead.
  static func install(hangUpRotates: Bool = false) {
    for number in [SIGINT, SIGTERM] {
      catchSignal(number) { number in
        if StopSignals.stop.exchange(true, ordering: .relaxed), number == SIGINT {
          UnfinishedFiles.remove()
          _exit(128 + number)
        }
      }
    }
    if hangUpRotates {
      catchSignal(SIGHUP) { _ in StopSignals.rotate.store(true, ordering: .relaxed) }
    } else if !isIgnored(SIGHUP) {
      catchSignal(SIGHUP) { _ in StopSignals.stop.store(true, ordering: .relaxed) }
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  static var isStopAsked: Bool { stop.load(ordering: .relaxed) }

  static func ask() { stop.store(true, ordering: .relaxed) }

  /// Returns whether a new file was asked for since the last call.
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
