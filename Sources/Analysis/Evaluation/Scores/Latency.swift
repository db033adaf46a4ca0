/// How old answers are; times in seconds.
package struct Latency: Equatable, Sendable {
  /// Answered questions before which something was heard.
  package var count: Int
  /// Age of the newest sighting at the question's instant.
  package var medianAge: Double
  package var p95Age: Double
  /// By how much the estimates are behind the truth, beyond the time that was asked; nil unless it
  /// was asked for and the truth moves.
  package var lag: ClockOffset?
}

extension Latency {
  /// Nil where nothing was answered, or nothing is known of what was heard.
  init?(_ answers: [AnsweredQuestion]) {
    let ages = SortedSample(
      answers.lazy.compactMap { answer in
        answer.question.newest.map { Double(answer.question.instant - $0) / 1e9 }
      })
    guard let median = ages.quantile(0.5), let p95 = ages.quantile(0.95) else { return nil }
    count = ages.values.count
    medianAge = median
    p95Age = p95
  }
}
