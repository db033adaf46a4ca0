import Sightings
import Support
import Synchronization

/// The requests to a running `serve`, and their outcomes; any thread may use it.
///
/// The thread of the source takes requests within a twentieth of a second.
package final class ServeDesk: Sendable {
  package enum Wish: Sendable {
    case startRecording
    case stopRecording
    case mark(TruthMark)
  }

  /// The outcome of a request, and of a recording.
  package enum Outcome: Sendable {
    case recording(path: String)
    case recorded(path: String, sightings: Int)
    case marked(TruthMark, time: Int64)
    /// The reason for a failure, or for the end of a recording, as a sentence.
    case failed(String)
  }

  private let wishes = Mutex<[Wish]>([])
  private let take: @Sendable (Outcome) -> Void
  private static let mostWishes = 1000

  /// - Parameter take: receives the outcomes of requests, on the thread of the source.
  package init(_ take: @escaping @Sendable (Outcome) -> Void) { self.take = take }

  /// Adds a request; returns false if too many are waiting.
  package func ask(_ wish: Wish) -> Bool {
    wishes.withLock { wishes in
      guard wishes.count < Self.mostWishes else { return false }
      wishes.append(wish)
      return true
    }
  }

  func takeWishes() -> [Wish] {
    wishes.withLock { wishes in
      defer { wishes.removeAll() }
      return wishes
    }
  }

  func report(_ outcome: Outcome) { take(outcome) }
}
