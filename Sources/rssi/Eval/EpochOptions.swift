import ArgumentParser
import Evaluation
import Support
import TracePipelines

/// When positions are asked, and which truth is that of an epoch.
struct EpochOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Time between epochs; stay: one epoch per stop; place: one epoch per place.",
      valueName: "time"))
  var epoch = "2s"

  @Option(
    help: ArgumentHelp(
      "Time window of levels for each epoch (default: the time between epochs).", valueName: "time")
  )
  var window: String?

  @Option(
    help: ArgumentHelp(
      "Time of the truth in the window (default: middle for raw levels, end for filtered levels).",
      valueName: "at"))
  var truthAt: TruthAt?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Offset added to truth timestamps: a time such as 300ms or -1.5s, or estimate.",
      valueName: "time"))
  var clockOffset = "0s"

  enum TruthAt: String, ExpressibleByArgument, CaseIterable { case middle, end }

  /// The options that differ from their defaults.
  var given: [(name: String, isGiven: Bool)] {
    [
      ("--epoch", epoch != "2s"), ("--window", window != nil), ("--truth-at", truthAt != nil),
      ("--clock-offset", clockOffset != "0s"),
    ]
  }

  var truth: TruthInstant? { truthAt.map { $0 == .middle ? .windowMiddle : .epoch } }

  func plan() throws -> EpochPlan {
    if epoch == "stay" || epoch == "place" {
      guard window == nil else {
        throw RSSIError(
          .usage, "--window goes with a time between epochs: a stay's window is the stay")
      }
      return epoch == "stay" ? .stays : .places
    }
    let step = try nanoseconds(
      epoch, of: "--epoch", such: "such as 2s or 500ms, or stay, or place")
    let length = try window.map {
      try nanoseconds($0, of: "--window", such: "such as 2s or 500ms")
    }
    return .periodic(step: step, window: length ?? step)
  }

  /// Nil where the offset is estimated.
  func offset() throws -> Int64? {
    if clockOffset == "estimate" { return nil }
    let isNegative = clockOffset.hasPrefix("-")
    guard let size = duration(String(clockOffset.dropFirst(isNegative ? 1 : 0))) else {
      throw RSSIError(
        .usage,
        "--clock-offset \(clockOffset): write a time such as 300ms or -1.5s, or estimate")
    }
    return isNegative ? -size : size
  }
}
