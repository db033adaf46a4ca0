import ArgumentParser
import Filtering
import Support

/// Which poses to take, and for how long.
struct PoseOptions: ParsableArguments {
  @Option(
    help: "Number of poses at each distance, turning the beacon or the receiver (default: 4).")
  var poses: Int?

  @Option(help: "Named pose, such as upright, instead of --poses; repeatable.")
  var pose: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help:
      "Distance from beacon to receiver in metres; repeatable (default: 1m, where measured power is defined)."
  )
  var distance: [String] = []

  @Option(help: "Listening time in each pose (default: 20s).")
  var duration: String?

  @Option(help: "Time to step back before each pose (default: 3s).")
  var countdown: String?

  @Flag(help: "Do not prompt: start each pose when its countdown ends.")
  var yes = false

  /// In metres, as given.
  func distances() throws -> [Double] { try distance.map { try parsedDistance($0) } }

  func names() throws -> [String] {
    guard pose.isEmpty || poses == nil else {
      throw RSSIError(
        .usage, "--poses counts poses and --pose names them: give one of the two")
    }
    guard (1...1000).contains(poses ?? 1) else {
      throw RSSIError(.usage, "--poses \(poses ?? 0) is no number of poses: 1 to 1000")
    }
    return pose.isEmpty ? (1...(poses ?? 4)).map { "pose \($0)" } : pose
  }

  /// Nanoseconds.
  func durationTime() throws -> Int64 { try time(duration ?? "20s", "--duration") }

  /// Nanoseconds.
  func countdownTime() throws -> Int64 {
    let countdown = countdown ?? "3s"
    if let none = Support.duration(countdown), none == 0 { return 0 }
    return try time(countdown, "--countdown")
  }

  /// The first of what was asked for that means nothing for a recording; nil = none was.
  var optionOfLiveSources: String? {
    if poses != nil { return "--poses" }
    if duration != nil { return "--duration" }
    if countdown != nil { return "--countdown" }
    return yes ? "--yes" : nil
  }
}
