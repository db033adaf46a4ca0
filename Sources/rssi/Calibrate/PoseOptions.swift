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
  ///
  /// - Parameter ofFiles: whether each is of one file, and may come again.
  func distances(ofFiles: Bool = false) throws -> [Double] {
    let distances = try distance.map { try parsedDistance($0) }
    guard ofFiles || Set(distances).count == distances.count else {
      throw RSSIError(.usage, "--distance names a distance twice: ask for more --poses there")
    }
    return distances
  }

  func names() throws -> [String] {
    guard pose.isEmpty || poses == nil else {
      throw RSSIError(
        .usage, "--poses counts poses and --pose names them: give one of the two")
    }
    guard (1...1000).contains(poses ?? 1) else {
      throw RSSIError(.usage, "--poses \(poses ?? 0) is no number of poses: 1 to 1000")
    }
    // Room for a remark behind the name in the trace's 64 bytes.
    for name in pose
    where name.isEmpty || name.utf8.count > 48 || name.utf8.contains(where: { $0 < 0x20 }) {
      throw RSSIError(
        .usage,
        "--pose \"\(name)\" is no name: write 1 to 48 bytes without control characters")
    }
    guard Set(pose).count == pose.count else {
      throw RSSIError(.usage, "--pose names a pose twice: give each a name of its own")
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
