import ArgumentParser
import Evaluation
import Support
import TracePipelines

/// Which positions are asked, when, and what is known of the site.
struct AskingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Score only this trace; repeatable.", valueName: "name"))
  var trace: [String] = []

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
    help: ArgumentHelp(
      "Filter whose levels to use; none for the raw levels; all to compare them; repeatable (default: the trace's only filter, if any).",
      valueName: "filter"))
  var filtered: [String] = []

  @Option(
    help: ArgumentHelp(
      "Draw blocks of this length for intervals, such as 30s (default: whole traces, or places).",
      valueName: "time"))
  var intervalBlocks: String?

  @OptionGroup var place: SiteOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Height of the nodes in metres, with 2 dimensions, or truth (default: the median of the anchors).",
      valueName: "metres"))
  var height: String?

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
      ("--trace", !trace.isEmpty), ("--epoch", epoch != "2s"), ("--window", window != nil),
      ("--truth-at", truthAt != nil), ("--filtered", !filtered.isEmpty),
      ("--interval-blocks", intervalBlocks != nil), ("--height", height != nil),
      ("--clock-offset", clockOffset != "0s"), ("--site", place.site != nil),
      ("--bounds", place.bounds != nil), ("--dimensions", place.dimensions != 2),
    ]
  }

  /// Fills in a request.
  ///
  /// - Throws: `RSSIError` for what is not written as it should be.
  func apply(to request: inout EvaluationRequest) throws {
    request.trace = trace
    request.epoch = try plan()
    request.truthAt = truthAt.map { $0 == .middle ? .windowMiddle : .epoch }
    request.clockOffset = try offset()
    request.intervalBlock = try intervalBlocks.map {
      try nanoseconds($0, of: "--interval-blocks", such: "such as 30s or 1m")
    }
    request.site = place.site
    request.bounds = place.bounds
    request.dimensions = try place.shape()
    request.height = try targetHeight()
  }

  private func targetHeight() throws -> TargetHeight {
    guard let height else { return .anchors }
    if height == "truth" { return .truth }
    guard let metres = Double(height) else {
      throw RSSIError(.usage, "--height \(height): write metres, such as 1.2, or truth")
    }
    return .metres(metres)
  }

  private func plan() throws -> EpochPlan {
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
  private func offset() throws -> Int64? {
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

extension EvaluationSettings {
  /// Shows times as they were typed.
  mutating func show(_ asking: AskingOptions) {
    (epoch, window) = (asking.epoch, asking.window)
    if let index = others.firstIndex(where: { $0.name == "clock offset of the truth" }) {
      others[index].value = asking.clockOffset
    }
  }
}
