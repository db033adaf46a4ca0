/// The forward estimates of a random-walk Kalman filter for a link's sightings, with the backward
/// pass of Rauch, Tung and Striebel,
///
///     C = P / (P + q h)        x' ← x + C (x'₊ − x)        P' ← C q h + C² P'₊
///
/// where h is the time to the next sighting and ₊ marks its estimates. C q h = P − C (P + q h) C,
/// computed without a difference. Source: Rauch, Tung and Striebel, "Maximum likelihood estimates
/// of linear dynamic systems", AIAA Journal 3(8), 1965; Durbin and Koopman, "Time series analysis
/// by state space methods", section 4.4.
struct WalkHistory: Sendable {
  private var filter: KalmanFilter
  private var times: [Int64] = []
  private var levels: [FilteredLevel] = []
  /// The index of the oldest sighting in use; earlier ones are removed in batches.
  private var oldest = 0

  init(_ noise: Noise) { filter = KalmanFilter(q: noise.q, r: noise.r) }

  var logLikelihood: Double { filter.logLikelihood }

  mutating func append(time: Int64, rssi: Double) {
    levels.append(filter.update(time: time, rssi: rssi))
    // A late sighting counts as one at the latest time so far, as in the filter.
    times.append(max(time, times.last ?? time))
  }

  /// The number of sightings in use.
  var count: Int { times.count - oldest }

  /// Returns the number of sightings in use that are older than a time by more than some
  /// nanoseconds.
  func count(before time: Int64, by lag: Int64) -> Int {
    var end = oldest
    while end < times.count, time > times[end],
      UInt64(bitPattern: time &- times[end]) > UInt64(lag)
    { end += 1 }
    return end - oldest
  }

  /// Appends the smoothed levels of the oldest sightings, in order, and removes these. O(`count`).
  mutating func release(_ number: Int, into smoothed: inout [FilteredLevel]) {
    guard number > 0 else { return }
    let start = smoothed.count
    smoothed.append(contentsOf: levels[oldest..<oldest + number])
    var next = levels[levels.count - 1]
    for k in stride(from: levels.count - 2, through: oldest, by: -1) {
      let growth = filter.q * secondsLater(times[k + 1], than: times[k])
      let gain = levels[k].variance / (levels[k].variance + growth)
      next = FilteredLevel(
        rssi: levels[k].rssi + gain * (next.rssi - levels[k].rssi),
        variance: gain * growth + gain * gain * next.variance)
      if k < oldest + number { smoothed[start + k - oldest] = next }
    }
    oldest += number
    if oldest > 64, oldest * 2 > times.count {
      times.removeFirst(oldest)
      levels.removeFirst(oldest)
      oldest = 0
    }
  }
}
