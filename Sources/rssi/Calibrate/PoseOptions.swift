import ArgumentParser
import LivePipelines
import Support

/// Which poses to take, and for how long.
struct PoseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Number of poses at each distance, turning the beacon or the receiver (default: 4).",
      valueName: "n"))
  var poses: Int?

  @Option(
    help: ArgumentHelp(
      "Named pose, such as upright, instead of --poses; repeatable.", valueName: "name"))
  var pose: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Distance from beacon to receiver in metres; repeatable (default: 1m, where measured power is defined).",
      valueName: "metres"))
  var distance: [String] = []

  @Option(
    help: ArgumentHelp(
      "Cut a recording of several poses, one after the other, into poses of this length.",
      valueName: "time"))
  var split: String?

  @Option(help: ArgumentHelp("Listening time in each pose (default: 20s).", valueName: "time"))
  var duration: String?

  @Option(
    help: ArgumentHelp("Time to step back before each pose (default: 3s).", valueName: "time"))
  var countdown: String?

  @Flag(help: "Do not prompt: start each pose when its countdown ends.")
  var yes = false

  /// In metres, as given.
  func distances() throws -> [Double] { try distance.map { try parsedDistance($0) } }

  /// Nanoseconds; nil where recordings are not cut.
  func splitLength() throws -> Int64? {
    try split.map { try time($0, "--split") }
  }

  /// Sets how many poses there are, and how long they take.
  func set(_ request: inout BenchRequest) throws {
    request.poses = poses
    request.yes = yes
    if let duration { request.duration = try time(duration, "--duration", BenchRequest.durations) }
    if let countdown {
      request.countdown = try time(countdown, "--countdown", BenchRequest.countdowns)
    }
  }

  /// The first of what was asked for that means nothing for a recording; nil = none was.
  var optionOfLiveSources: String? {
    if poses != nil { return "--poses" }
    if duration != nil { return "--duration" }
    if countdown != nil { return "--countdown" }
    return yes ? "--yes" : nil
  }
}
