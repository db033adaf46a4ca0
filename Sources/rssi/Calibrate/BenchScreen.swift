import PathLoss
import Registries
import Screens
import Support
import TracePipelines

/// What a guided measurement says on standard error: prompts, a live line on a terminal, plain
/// lines anywhere else.
struct BenchScreen {
  private let isQuiet: Bool
  private let isLive: Bool
  private var lastPlain: Int64?
  private var lastCount: Int64?

  init(quiet: Bool) {
    isQuiet = quiet
    isLive = StandardError.isTerminal && !quiet
  }

  func say(_ text: String) {
    if !isQuiet { StandardError.write((isLive ? "\r\u{1B}[K" : "") + text.printableLines + "\n") }
  }

  /// Leaves the screen to the report.
  func end() { if isLive { StandardError.write("\r\u{1B}[K\n") } }

  /// Says what to put where.
  func ask(_ stop: Int, of plan: BenchPlan, try attempt: Int) {
    let (pose, distance) = (plan.stops[stop], metres(plan.stops[stop].distance))
    let isFirst = stop == 0 || plan.stops[stop - 1].distance != pose.distance
    let what: String
    if attempt > 1 {
      what = "again; is the beacon on, and the right one?"
    } else if plan.isNamed {
      what = "hold it so, beacon and receiver \(distance) apart, nothing between them"
    } else if isFirst {
      what = "put the beacon \(distance) from the receiver, as high, nothing near or between them"
    } else {
      let angle = max(1, 360 / plan.posesAtEach)
      what =
        "turn the beacon by \(angle)° and move both a hand's width, \(distance) apart as before"
    }
    let text = "\(stop + 1)/\(plan.stops.count) \(pose.name.printable) at \(distance)\n  \(what)"
    guard plan.waits else {
      return say(text + (isLive ? "" : " (in \(plain(Double(plan.countdown) / 1e9)) s)"))
    }
    let ending = stop == 0 && attempt == 1 ? " (Ctrl-C ends with what is complete)" : ""
    // Whoever is to press a key has to be told, quiet or not.
    StandardError.write(
      (isLive ? "\r\u{1B}[K" : "") + text.printableLines + "\n  Enter begins\(ending): ")
  }

  /// Counts down on a terminal.
  mutating func countDown(_ left: Int64) {
    let seconds = (left + 999_999_999) / 1_000_000_000
    guard isLive, seconds > 0, seconds != lastCount else { return }
    lastCount = seconds
    StandardError.write("\r  step back: \(seconds) s\u{1B}[K")
  }

  /// Shows how a pose goes, to its end.
  mutating func show(_ levels: PoseLevels?, beacons: Int, elapsed: Int64, of duration: Int64) {
    guard !isQuiet else { return }
    let seconds = Double(elapsed) / 1e9
    let packets = levels?.samples ?? 0
    var text = counted(packets, "packet")
    if seconds > 0.5 { text += ", \(decimal(Double(packets) / seconds, 1))/s" }
    if let levels, let mean = levels.mean, let trimmed = levels.trimmedMean() {
      text += ", mean \(decimal(mean, 1)), trimmed \(decimal(trimmed, 2)) dBm"
    }
    if beacons > 1 { text += " (best of \(beacons))" }
    if isLive {
      let done = Int(12 * min(1, Double(elapsed) / Double(duration)))
      let bar = String(repeating: "#", count: done) + String(repeating: "-", count: 12 - done)
      let left = (max(0, duration - elapsed) + 999_999_999) / 1_000_000_000
      StandardError.write("\r  [\(bar)] \(left) s  \(text)\u{1B}[K")
    } else {
      let period: Int64 = 5_000_000_000
      guard elapsed >= (lastPlain.map { $0 + period } ?? period) else { return }
      lastPlain = elapsed / period * period
      say("  \(decimal(seconds, 0)) s: \(text)")
    }
  }

  /// Says what a pose gave.
  mutating func end(
    _ levels: [String: PoseLevels], _ names: [String], called known: BeaconNames
  ) {
    (lastPlain, lastCount) = (nil, nil)
    for name in names {
      guard let pose = levels[name].flatMap(PoseMean.init) else { continue }
      say(
        "  \(counted(pose.samples, "packet")), trimmed mean \(decimal(pose.trimmedMean, 2)) dBm, "
          + "sd \(decimal(pose.deviation, 1)) dB"
          + (names.count > 1 ? "  \(known.label(name))" : ""))
    }
  }

  /// Says what all poses at 1 m gave so far.
  func sum(_ beacon: CalibratedBeacon) {
    guard let power = beacon.power, let half = power.halfWidth else { return }
    say(
      "  so far \(decimal(power.mean, 2)) ± \(decimal(half, 2)) dBm at 1 m, \(beacon.needed)")
  }
}
