import ArgumentParser
import Support
import TracePipelines

/// The sharing of a stage's work among processes.
struct PartOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write a partial result for --merge to this file, instead of the result.",
      valueName: "file"), completion: .file())
  var part: OutputPath?

  @Option(
    help: ArgumentHelp(
      "With --part: every N-th file (eval: fold) from the K-th on.", valueName: "k/n"))
  var share: String?

  @Flag(
    help: "Merge parts, given as files, into the result of one process; the settings are theirs.")
  var merge = false

  /// Returns the share, such as 1 of 8; nil if none was asked for.
  ///
  /// - Throws: `RSSIError` for a share without a part.
  func fileShare() throws(RSSIError) -> FileShare? {
    guard let share else { return nil }
    guard part != nil else {
      throw RSSIError(.usage, "--share goes with --part, the file of that share")
    }
    let numbers = share.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1] else {
      throw RSSIError(.usage, "--share \(share): write which of how many, such as 1/8")
    }
    return FileShare(number, of: count)
  }

  /// Refuses options that a part does not have, or that parts have decided already.
  func refuse(
    withPart: [(name: String, isGiven: Bool)], withMerge: [(name: String, isGiven: Bool)]
  ) throws(RSSIError) {
    if merge, let name = (withMerge + [("--part", part != nil)]).first(where: \.isGiven)?.name {
      throw RSSIError(
        .usage,
        "\(name) does not go with --merge, whose parts are made already: give it to the parts")
    }
    if part != nil, let name = withPart.first(where: \.isGiven)?.name {
      throw RSSIError(.usage, "\(name) does not go with --part, which has no result: merge first")
    }
  }
}

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
