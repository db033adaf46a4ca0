/// The receptions of a step of a track.
struct FloorStep {
  /// The end of the step, in nanoseconds since the Unix epoch.
  var end: Int64
  var seconds: Double
  var received: [BuildingMap.Received]
}

/// The scans of one target as steps of equal duration.
struct FloorSteps {
  /// The duration of a step, in nanoseconds.
  let duration: Int64
  /// The end of the last whole step; `nil` before the first scan.
  private var settled: Int64?
  /// The readings after it, in order of time.
  private var pending: [Reading] = []

  init(seconds: Double) { duration = Int64(seconds * 1e9) }

  /// The longest time without steps before a scan, after which a target may be anywhere, in steps.
  static let longestGap: Int64 = 60

  /// Returns the whole steps that end with a scan, and the rest until its instant.
  ///
  /// - Returns: The steps, the rest if the instant is not the end of a step, and a Boolean value that
  ///   is true if the scan follows a gap after which nothing is known of the target.
  mutating func take(_ scan: Scan) -> (whole: [FloorStep], rest: FloorStep?, isAfterGap: Bool) {
    // Levels of a stop have no times.
    pending +=
      scan.readings.isEmpty
      ? scan.observations.map {
        Reading(time: scan.instant, anchor: $0.number, rssi: $0.rssi, packets: $0.packets)
      } : scan.readings
    let first = settled == nil
    var start = settled ?? scan.start
    let isAfterGap = first || scan.instant - start > Self.longestGap * duration
    if isAfterGap {
      let windows = max((scan.instant - scan.start - 1) / duration + 1, 1)
      start = scan.instant - min(windows, Self.longestGap) * duration
      pending.removeAll { $0.time <= start }
    }
    var whole: [FloorStep] = []
    while scan.instant - start >= duration {
      start += duration
      whole.append(step(to: start, seconds: Double(duration) * 1e-9))
    }
    settled = start
    guard scan.instant > start else { return (whole, nil, isAfterGap) }
    let rest = FloorStep(
      end: scan.instant, seconds: Double(scan.instant - start) * 1e-9,
      received: pending.map(\.received).joined)
    return (whole, rest, isAfterGap)
  }

  private mutating func step(to end: Int64, seconds: Double) -> FloorStep {
    let count = pending.prefix { $0.time <= end }.count
    defer { pending.removeFirst(count) }
    return FloorStep(
      end: end, seconds: seconds, received: pending[..<count].map(\.received).joined)
  }
}

extension Reading {
  fileprivate var received: BuildingMap.Received {
    BuildingMap.Received(anchor: anchor, rssi: rssi, packets: Double(packets))
  }
}

extension [BuildingMap.Received] {
  /// The mean levels by anchor, in order.
  var joined: [BuildingMap.Received] {
    var means: [BuildingMap.Received] = []
    for one in sorted(by: { $0.anchor < $1.anchor }) where one.packets > 0 && one.rssi.isFinite {
      guard let last = means.last, last.anchor == one.anchor else {
        means.append(one)
        continue
      }
      let packets = last.packets + one.packets
      means[means.count - 1].rssi += one.packets / packets * (one.rssi - last.rssi)
      means[means.count - 1].packets = packets
    }
    return means
  }
}
