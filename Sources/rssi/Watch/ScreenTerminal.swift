import Glibc
import Screens
import Synchronization

/// The terminal while a screen is on it, and as it was before.
///
/// It is put back at the end of the program, after an error, at signals, and at Ctrl-Z. Signal
/// handlers call `release`, which uses nothing but write, tcsetattr and atomics.
enum ScreenTerminal {
  private static let isTaken = Atomic(false)
  private static let isResumed = Atomic(false)
  private static let readsKeys = Atomic(false)
  /// The settings to put back; allocated before a handler can ask for them.
  nonisolated(unsafe) private static let before = UnsafeMutablePointer<termios>.allocate(
    capacity: 1)
  private static let notes = ScreenNotes()

  /// The other buffer, no cursor, no wrapping of lines; and back (xterm, ctlseqs).
  private static let enterCodes: StaticString = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  private static let leaveCodes: StaticString = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Takes the terminal at standard output, and the keys of the one at standard input.
  static func enter(readsKeys: Bool) throws {
    before.initialize(to: termios())
    let hasKeys = readsKeys && tcgetattr(STDIN_FILENO, before) == 0
    Self.readsKeys.store(hasKeys, ordering: .relaxed)
    catchSignals()
    notes.holdBack()
    take()
  }

  /// Puts the terminal back, if that was not done already.
  static func leave() {
    release()
    notes.handOn()
  }

  /// The size of the terminal; 80 columns and 24 rows if it is unknown.
  static var size: ScreenSize { size(of: STDOUT_FILENO) }

  static func size(of terminal: Int32) -> ScreenSize {
    // struct winsize: rows, columns, and both in pixels. The compiler takes the struct itself for
    // BlueZ's, which includes the same header.
    var window = [UInt16](repeating: 0, count: 4)
    guard ioctl(terminal, UInt(TIOCGWINSZ), &window) == 0, window[0] > 0, window[1] > 0 else {
      return ScreenSize(columns: 80, rows: 24)
    }
    return ScreenSize(columns: Int(window[1]), rows: Int(window[0]))
  }

  /// Returns the keys typed since the last call.
  static func typed() -> [UInt8] {
    guard readsKeys.load(ordering: .relaxed) else { return [] }
    var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 0) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    if count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN) {
      // The terminal is gone, or another program's: no further keys will come.
      readsKeys.store(false, ordering: .relaxed)
    }
    return Array(bytes.prefix(max(count, 0)))
  }

  /// Returns whether the program was stopped and continued since the last call.
  static func takeResumption() -> Bool { isResumed.exchange(false, ordering: .relaxed) }

  /// The newest of the notes since the last call.
  static func newestNote() -> String? { notes.takeNewest() }

  private static func take() {
    guard !isTaken.exchange(true, ordering: .relaxed) else { return }
    if readsKeys.load(ordering: .relaxed) {
      var keys = before.pointee
      // Single keys, unseen; Ctrl-C and Ctrl-Z stay signals.
      keys.c_lflag &= ~tcflag_t(ICANON | ECHO)
      tcsetattr(STDIN_FILENO, TCSANOW, &keys)
    }
    send(enterCodes)
  }

  private static func release() {
    guard isTaken.exchange(false, ordering: .relaxed) else { return }
    send(leaveCodes)
    if readsKeys.load(ordering: .relaxed) { tcsetattr(STDIN_FILENO, TCSANOW, before) }
  }

  private static func send(_ codes: StaticString) {
    _ = write(STDOUT_FILENO, codes.utf8Start, codes.utf8CodeUnitCount)
  }

  private static func catchSignals() {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      catchSignal(number) { number in
        // A second signal ends the program at once.
        if StopSignals.isStopAsked, number != SIGHUP {
          ScreenTerminal.release()
          _exit(128 + number)
        }
        StopSignals.ask()
      }
    }
    catchSignal(SIGTSTP) { _ in
      ScreenTerminal.release()
      raise(SIGSTOP)
    }
    catchSignal(SIGCONT) { _ in
      // After SIGSTOP of another program the terminal may have been used meanwhile.
      ScreenTerminal.release()
      ScreenTerminal.take()
      ScreenTerminal.isResumed.store(true, ordering: .relaxed)
    }
  }
}

/// Messages that come while a screen is on the terminal: shown on it, and printed again when it is
/// left.
///
/// If standard error is not the terminal, they also go there at once.
final class ScreenNotes: Sendable {
  private struct Held {
    var isHolding = false
    var newest: String?
    var all: [String] = []
  }

  private let held = Mutex(Held())

  /// Messages that are kept: a device that keeps failing must not fill the memory.
  private static let most = 100

  func holdBack() {
    held.withLock { $0.isHolding = true }
    let isTerminal = StandardError.isTerminal
    StandardError.divert(to: { [self] text in
      held.withLock { held in
        guard held.isHolding else { return false }
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        held.newest = line
        if isTerminal, !held.all.contains(text) {
          held.all.append(text)
          held.all.removeFirst(max(held.all.count - Self.most, 0))
        }
        return isTerminal
      }
    })
  }

  func takeNewest() -> String? {
    held.withLock { held in
      defer { held.newest = nil }
      return held.newest
    }
  }

  /// Prints what was held back.
  func handOn() {
    StandardError.divert(to: nil)
    let texts = held.withLock { held in
      defer { held = Held() }
      return held.all
    }
    for text in texts { StandardError.write(text) }
  }
}
