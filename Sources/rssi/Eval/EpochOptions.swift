import ArgumentParser
import Evaluation
import Support
import TracePipelines

/// The epochs, and the time of the truth in them.
struct EpochOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Time between epochs; stay: one epoch per stop; place: one epoch per place. (default: 2s; of places of beacons 1s)",
      valueName: "time"))
  var epoch: String?

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

  /// The time between epochs by default.
  static let standard = "2s"

  enum TruthAt: String, ExpressibleByArgument, CaseIterable { case middle, end }

  /// The options that differ from their defaults.
  var given: [(name: String, isGiven: Bool)] {
    [
      ("--epoch", epoch != nil), ("--window", window != nil), ("--truth-at", truthAt != nil),
      ("--clock-offset", clockOffset != "0s"),
    ]
  }

  var truth: TruthInstant? { truthAt.map { $0 == .middle ? .windowMiddle : .epoch } }

  /// - Parameter other: the time between epochs if none is given.
  func plan(every other: String = standard) throws -> EpochPlan {
    let epoch = epoch ?? other
    if epoch == "stay" || epoch == "place" {
      guard window == nil else {
        throw RSSIError(
          .usage, "--window goes with a time between epochs: a stay's window is the stay")
      }
      return epoch == "stay" ? .stays : .places
    }
    let step = try time(epoch, "--epoch", EvaluationRequest.epochs)
    let length = try window.map { try time($0, "--window") }
    return .periodic(step: step, window: length ?? step)
  }

  /// Returns the clock offset; nil if it is to be estimated.
  func offset() throws -> Duration? {
    clockOffset == "estimate"
      ? nil : try time(clockOffset, "--clock-offset", EvaluationRequest.clockOffsets)
  }
}
