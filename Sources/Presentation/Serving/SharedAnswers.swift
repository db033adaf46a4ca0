import Support
import Synchronization

/// Answers that take time to make and memory to keep, with limits for both: clients with the same
/// question share one text, and requests beyond the limits are refused.
package final class SharedAnswers: Sendable {
  /// An answer, until the last client that it is sent to has received it.
  package final class Content: Sendable {
    let bytes: [UInt8]
    private let answers: SharedAnswers

    fileprivate init(_ bytes: [UInt8], _ answers: SharedAnswers) {
      (self.bytes, self.answers) = (bytes, answers)
      answers.usedBytes.add(bytes.count, ordering: .relaxed)
    }

    deinit { answers.usedBytes.subtract(bytes.count, ordering: .relaxed) }
  }

  private struct Made {
    var content: Content
    /// The version of the data that it was made from.
    var version: UInt64
    var time: Int64
  }

  private struct State {
    /// The latest answer to each question.
    var made: [String: Made] = [:]
    /// The time for making answers, in seconds; the rest of the time is for other requests.
    var time = Allowance(most: 0.5, perSecond: 0.25)
  }

  private let state = Mutex(State())
  private let usedBytes = Atomic(0)
  private let mostBytes: Int
  private let clock: @Sendable () -> Int64

  /// The time for which an answer may be repeated although there is a newer one, in nanoseconds.
  private static let validity: Int64 = 1_000_000_000

  /// - Parameters:
  ///   - mostBytes: the size of answers that are being sent, below which a further one begins.
  ///   - clock: the monotonic clock.
  package init(
    mostBytes: Int = 24_000_000,
    clock: @escaping @Sendable () -> Int64 = { SystemClock.monotonic }
  ) {
    (self.mostBytes, self.clock) = (mostBytes, clock)
  }

  /// The size of the answers that are being sent or may be repeated, in bytes.
  package var bytes: Int { usedBytes.load(ordering: .relaxed) }

  /// Answers a question, with JSON.
  ///
  /// - Parameters:
  ///   - question: everything on which the answer depends, except the version.
  ///   - version: a number that changes whenever the answer may.
  /// - Returns: the answer, or a refusal with 503 beyond the limits.
  package func answer(
    _ question: String, version: UInt64, _ make: () -> String
  ) -> WebAnswer {
    let content = state.withLock { state -> Content? in
      let now = clock()
      state.made = state.made.filter { now - $0.value.time < Self.validity }
      let known = state.made[question]
      if let known, known.version == version { return known.content }
      guard state.time.has(0, at: now), bytes < mostBytes else { return known?.content }
      let content = Content(Array(make().utf8), self)
      let end = clock()
      state.time.spend(Double(end - now) / 1e9)
      state.made[question] = Made(content: content, version: version, time: end)
      return content
    }
    guard let content else { return .busy }
    return WebAnswer(content, type: "application/json")
  }
}

/// An amount that may be used up at once, and is refilled with time.
struct Allowance {
  private let most: Double
  private let perSecond: Double
  private var left: Double
  private(set) var time: Int64?

  init(most: Double, perSecond: Double) {
    (self.most, self.perSecond, left) = (most, perSecond, most)
  }

  /// Returns true if an amount is left.
  ///
  /// - Parameter now: nanoseconds of the monotonic clock.
  mutating func has(_ amount: Double, at now: Int64) -> Bool {
    if let time { left = min(most, left + perSecond * Double(now - time) / 1e9) }
    time = now
    return left >= amount
  }

  mutating func spend(_ amount: Double) { left -= amount }
}
