import Synchronization

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
