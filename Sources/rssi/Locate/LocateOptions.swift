import ArgumentParser
import TracePipelines

/// What is asked about, and when.
struct LocateOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Use only this trace; repeatable.", valueName: "name"))
  var trace: [String] = []

  @Option(
    help: ArgumentHelp(
      "Locate only this moving node; repeatable (default: every node without a known position).",
      valueName: "node"))
  var node: [String] = []

  @Option(help: ArgumentHelp("Time between positions, \(LocateRequest.epochs).", valueName: "time"))
  var epoch = "1s"

  @Option(
    help: ArgumentHelp(
      "Time window of levels for each position, \(LocateRequest.epochs); trackers use all levels so far (default: the time between positions).",
      valueName: "time"))
  var window: String?

  @Option(
    help: ArgumentHelp(
      "Write each position this late, \(LocateRequest.lags), with what was received since; its time stays (trackers).",
      valueName: "time"))
  var lag = "0s"

  @Option(
    help: ArgumentHelp(
      "Times of positions: clock, at whole multiples of --epoch; truth, at the epochs of `rssi eval --truth-at end`.",
      valueName: "at"))
  var epochsOf = LocateRequest.Instants.clock

  @Option(
    help: ArgumentHelp(
      "Sightings up to this late are used, \(LocateRequest.reorders).", valueName: "time"))
  var reorder = "100ms"

  @Option(
    help: ArgumentHelp(
      "Stop locating a node after this time without a sighting, \(LocateRequest.silences).",
      valueName: "time"))
  var silence = "30s"

  @Option(
    help: ArgumentHelp(
      "Filter whose levels to use; none for the raw levels (default: the trace's only filter, if any).",
      valueName: "filter"))
  var filtered: String?

  /// Fills in a request.
  ///
  /// - Throws: `RSSIError` for what is not a time.
  func apply(to request: inout LocateRequest) throws {
    request.trace = trace
    request.node = node
    request.epoch = try time(epoch, "--epoch", LocateRequest.epochs)
    request.window = try window.map { try time($0, "--window", LocateRequest.epochs) }
    request.lag = try time(lag, "--lag", LocateRequest.lags)
    request.epochsOf = epochsOf
    request.reorder = try time(reorder, "--reorder", LocateRequest.reorders)
    request.silence = try time(silence, "--silence", LocateRequest.silences)
    request.filtered = filtered
  }
}

extension LocateRequest.Instants: ExpressibleByArgument {}
