import ArgumentParser
import Support
import TracePipelines

/// How an evaluation is shared among processes.
struct PartOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Answer some folds only, those of --share or else of --trace, and write them to this file, which --merge scores.",
      valueName: "file"), completion: .file())
  var part: String?

  @Option(
    help: ArgumentHelp(
      "With --part: every N-th fold from the K-th on; a fold is a trace, or a place with --cross-validate places.",
      valueName: "k/n"))
  var share: String?

  @Flag(help: "Score the parts of an evaluation, given as files; the settings are theirs.")
  var merge = false

  /// Fills in a request.
  ///
  /// - Parameter request: with its traces, which are those of the part where no share is given.
  /// - Throws: `RSSIError` for a part of nothing, and a share without a part.
  func apply(to request: inout EvaluationRequest) throws(RSSIError) {
    guard part != nil else {
      guard share == nil else {
        throw RSSIError(.usage, "--share goes with --part, the file of that share")
      }
      return
    }
    if let share {
      request.share = try Self.folds(share)
    } else if !request.trace.isEmpty {
      request.share = .traces(request.trace)
      request.trace = []
    } else {
      throw RSSIError(
        .usage, "--part needs the folds it has: name traces with --trace, or write --share 1/8")
    }
  }

  private static func folds(_ text: String) throws(RSSIError) -> EvaluationShare {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1] else {
      throw RSSIError(.usage, "--share \(text): write which of how many, such as 1/8")
    }
    return .folds(number, of: count)
  }
}
