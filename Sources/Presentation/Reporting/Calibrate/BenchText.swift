package import LivePipelines
import PathLoss
import Support
package import TracePipelines

/// The texts of a guided bench.
package enum BenchText {
  /// Returns the next pose and the instructions for it.
  package static func prompt(_ prompt: BenchPrompt) -> String {
    let distance = metres(prompt.pose.distance)
    let what: String
    if prompt.attempt > 1 {
      what = "again; is the beacon on, and the right one?"
    } else if prompt.plan.isNamed {
      what = "hold it so, beacon and receiver \(distance) apart, nothing between them"
    } else if prompt.isNewDistance {
      what = "put the beacon \(distance) from the receiver, as high, nothing near or between them"
    } else {
      let angle = max(1, 360 / prompt.plan.posesAtEach)
      what =
        "turn the beacon by \(angle)° and move both a hand's width, \(distance) apart as before"
    }
    return "\(prompt.stop + 1)/\(prompt.plan.stops.count) \(prompt.pose.name.printable) at "
      + "\(distance)\n  \(what)"
  }

  /// Returns the keys to press, for the end of a prompt.
  package static func question(_ prompt: BenchPrompt) -> String {
    let isFirst = prompt.stop == 0 && prompt.attempt == 1
    return "  Enter begins\(isFirst ? " (Ctrl-C ends with what is complete)" : ""): "
  }

  /// Returns the progress of a pose.
  package static func progress(_ progress: BenchProgress) -> String {
    let seconds = progress.elapsed / .seconds(1)
    let packets = progress.levels?.samples ?? 0
    var text = counted(packets, "packet")
    if seconds > 0.5 { text += ", \(decimal(Double(packets) / seconds, 1))/s" }
    if let levels = progress.levels, let mean = levels.mean, let trimmed = levels.trimmedMean() {
      text += ", mean \(decimal(mean, 1)), trimmed \(decimal(trimmed, 2)) dBm"
    }
    return text + (progress.beacons > 1 ? " (best of \(progress.beacons))" : "")
  }

  /// Returns the progress of a pose with a bar and the remaining seconds.
  package static func liveProgress(_ progress: BenchProgress) -> String {
    let done = Int(12 * min(1, progress.elapsed / progress.duration))
    let bar = String(repeating: "#", count: done) + String(repeating: "-", count: 12 - done)
    let left = wholeSeconds(max(.zero, progress.duration - progress.elapsed))
    return "  [\(bar)] \(left) s  \(Self.progress(progress))"
  }

  /// Returns the result of a pose, one line per beacon.
  package static func completed(_ poses: [CompletedPose]) -> String {
    poses.map { pose in
      "  \(counted(pose.mean.samples, "packet")), trimmed mean "
        + "\(decimal(pose.mean.trimmedMean, 2)) dBm, sd \(decimal(pose.mean.deviation, 1)) dB"
        + (poses.count > 1 ? "  \(pose.label)" : "")
    }.joined(separator: "\n")
  }

  /// Returns the result of all poses at 1 m so far; nil for one pose.
  package static func sum(_ beacon: CalibratedBeacon) -> String? {
    guard let power = beacon.power, let half = power.halfWidth else { return nil }
    return "  so far \(decimal(power.mean, 2)) ± \(decimal(half, 2)) dBm at 1 m, \(beacon.needed)"
  }

  /// Returns a duration in seconds, rounded up.
  package static func wholeSeconds(_ duration: Duration) -> Int64 {
    Int64((duration / .seconds(1)).rounded(.up))
  }
}
