import ArgumentParser
import Evaluation
import Support
import TracePipelines

/// The epochs to ask about, and the site.
struct AskingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Score only this trace; repeatable.", valueName: "name"))
  var trace: [String] = []

  @OptionGroup var epochs: EpochOptions

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

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Also test whether algorithms differ by less than this margin in metres.",
      valueName: "metres"))
  var equivalence: Double?

  @OptionGroup var place: SiteOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Height of the nodes in metres, with 2 dimensions, or truth (default: the median of the survey or, without one, of the anchors).",
      valueName: "metres"))
  var height: String?

  /// The options that differ from their defaults.
  var given: [(name: String, isGiven: Bool)] {
    [
      ("--trace", !trace.isEmpty), ("--filtered", !filtered.isEmpty),
      ("--interval-blocks", intervalBlocks != nil), ("--equivalence", equivalence != nil),
      ("--height", height != nil),
      ("--site", place.site != nil),
      ("--bounds", place.bounds != nil), ("--dimensions", place.dimensions != 2),
    ] + epochs.given
  }

  /// Fills in a request.
  ///
  /// - Throws: `RSSIError` for an invalid value.
  func apply(to request: inout EvaluationRequest) throws {
    request.trace = trace
    request.epoch = try epochs.plan()
    request.truthAt = epochs.truth
    request.clockOffset = try epochs.offset()
    request.intervalBlock = try intervalBlocks.map {
      try time($0, "--interval-blocks")
    }
    request.equivalence = equivalence
    request.site = place.site?.path
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
}

extension EvaluationSettings {
  /// Shows times as they were typed.
  mutating func show(_ asking: AskingOptions) {
    (epoch, window) = (asking.epochs.epoch ?? EpochOptions.standard, asking.epochs.window)
    clockOffset = asking.epochs.clockOffset
  }
}
