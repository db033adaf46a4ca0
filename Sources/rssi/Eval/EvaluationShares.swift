import Support
import TracePipelines

extension PartOptions {
  /// Fills in a request.
  ///
  /// - Parameter request: with its traces, which are those of the part where no share is given.
  /// - Throws: `RSSIError` for a part of nothing, and a share without a part.
  func apply(to request: inout EvaluationRequest) throws(RSSIError) {
    if let share = try fileShare() {
      request.share = .folds(share.number, of: share.count)
    } else if part != nil {
      guard !request.trace.isEmpty else {
        throw RSSIError(
          .usage, "--part needs the folds it has: name traces with --trace, or write --share 1/8")
      }
      request.share = .traces(request.trace)
      request.trace = []
    }
  }
}
