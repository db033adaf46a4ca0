import ArgumentParser
import TracePipelines

/// What is asked about, and when.
struct LocateOptions: ParsableArguments {
  @Option(help: "Use only this trace; repeatable.")
  var trace: [String] = []

  @Option(
    help: "Locate only this moving node; repeatable (default: every node without a known position)."
  )
  var node: [String] = []

  @Option(help: "Time between positions.")
  var epoch = "1s"

  @Option(
    help:
      "Time window of levels for each position; trackers use all levels so far (default: the time between positions)."
  )
  var window: String?

  @Option(
    help:
      "Times of positions: clock, at whole multiples of --epoch; truth, at the epochs of `rssi eval --truth-at end`."
  )
  var epochsOf = LocateRequest.Instants.clock

  @Option(help: "Sightings up to this late are used.")
  var reorder = "100ms"

  @Option(help: "Stop locating a node after this time without a sighting.")
  var silence = "30s"

  @Option(
    help:
      "Filter whose levels to use; none for the raw levels (default: the trace's only filter, if any)."
  )
  var filtered: String?

  /// Fills in a request.
  ///
  /// - Throws: `RSSIError` for what is not a time.
  func apply(to request: inout LocateRequest) throws {
    request.trace = trace
    request.node = node
    request.epoch = try nanoseconds(
      epoch, of: "--epoch", such: "from 10ms to 1d, such as 1s")
    request.window = try window.map {
      try nanoseconds($0, of: "--window", such: "from 10ms to 1d, such as 2s")
    }
    request.epochsOf = epochsOf
    request.reorder = try nanoseconds(
      reorder, of: "--reorder", such: "from 0 to 1h, such as 100ms")
    request.silence = try nanoseconds(
      silence, of: "--silence", such: "from 0 to 1d, such as 30s")
    request.filtered = filtered
  }
}

extension LocateRequest.Instants: ExpressibleByArgument {}
