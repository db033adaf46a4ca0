import ArgumentParser
import Filtering
import Sightings
import Support

/// What is asked about, and when.
struct LocateOptions: ParsableArguments {
  @Option(help: "Only this trace; may be repeated.")
  var trace: [String] = []

  @Option(help: "Only this moving node; may be repeated (default: every node at no known place).")
  var node: [String] = []

  @Option(help: "Time between positions.")
  var epoch = "1s"

  @Option(
    help:
      "How far a position looks back; trackers use all so far (default: the time between positions)."
  )
  var window: String?

  @Option(
    help:
      "When positions are asked: clock, at whole multiples of the time between them; truth, where `rssi eval --truth-at end` asks."
  )
  var epochsOf = EpochsOf.clock

  @Option(help: "How late a sighting may come and still count.")
  var reorder = "100ms"

  @Option(help: "How long a node may be silent before it is not asked about any more.")
  var silence = "30s"

  @Option(
    help:
      "The filter whose levels to use; none: the raw ones (default: the trace's only filter, if it has one)."
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
