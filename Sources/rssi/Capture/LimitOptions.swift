import ArgumentParser
import Support

/// When a capture ends and begins new files.
struct LimitOptions: ParsableArguments {
  @Option(help: "Stop after this time, such as 30s, 10m, 8h.")
  var duration: String?

  @Option(help: "Stop after this many sightings.")
  var count: Int?

  @Option(
    help:
      "Start a new file after this time or size, such as 1h or 1GB; file names include the start time."
  )
  var rotate: String?

  @Option(help: "Flush interval: a crash loses at most this much data.")
  var flush = "1s"

  @Flag(help: "Do not compress the trace at the end (see `rssi pack`).")
  var noPack = false

  func set(_ plan: inout CapturePlan) throws {
    plan.duration = try duration.map { try time($0, "--duration") }
    plan.flushPeriod = try time(flush, "--flush")
    plan.count = count
    plan.packs = !noPack
    if let count, count <= 0 {
      throw RSSIError(.usage, "--count \(count) is no number of sightings")
    }
    plan.rotation = try rotate.map { try Rotation($0) }
    if rotate != nil, plan.output == nil {
      throw RSSIError(.usage, "--rotate needs a file: -o - is a stream")
    }
  }
}
