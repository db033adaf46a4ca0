import ArgumentParser
import Filtering
import Sightings
import Support

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
  var epochsOf = EpochsOf.clock

  @Option(help: "Sightings up to this late are used.")
  var reorder = "100ms"

  @Option(help: "Stop locating a node after this time without a sighting.")
  var silence = "30s"

  @Option(
    help:
      "Filter whose levels to use; none for the raw levels (default: the trace's only filter, if any)."
  )
  var filtered: String?

  enum EpochsOf: String, ExpressibleByArgument, CaseIterable { case clock, truth }

  /// - Throws: `RSSIError` for what is no sensible time.
  func rule() throws -> EpochRule {
    func time(_ text: String, _ option: String, _ range: ClosedRange<Int64>, _ words: String) throws
      -> Int64
    {
      guard let value = duration(text), range.contains(value) else {
        throw RSSIError(.usage, "\(option) \(text): write a time \(words)")
      }
      return value
    }
    let day = 86_400 * Timestamp.second
    let step = try time(epoch, "--epoch", 10_000_000...day, "from 10ms to 1d, such as 1s")
    let window = try self.window.map {
      try time($0, "--window", 10_000_000...day, "from 10ms to 1d, such as 2s")
    }
    return EpochRule(
      step: step, window: window ?? step,
      reorder: try time(reorder, "--reorder", 0...day / 24, "from 0 to 1h, such as 100ms"),
      silence: try time(silence, "--silence", 0...day, "from 0 to 1d, such as 30s"),
      isOfTruth: epochsOf == .truth)
  }
}
