/// Errors of the height, where the truth's and the estimate's are known; lengths in metres.
package struct VerticalErrors: Equatable, Sendable {
  /// Answered questions with both heights.
  package var count: Int
  /// Mean of estimate minus truth.
  package var bias: Double
  /// The size of the errors: its median is the VEP, its p95 the VE95.
  package var size: ErrorSummary
}

extension VerticalErrors {
  /// Nil where no truth and estimate have heights.
  init?(_ answers: [AnsweredQuestion]) {
    let errors = answers.compactMap(\.dz)
    guard let size = ErrorSummary(errors.map(abs)) else { return nil }
    count = errors.count
    bias = errors.reduce(0) { $0 + $1 / Double(errors.count) }
    self.size = size
  }
}
