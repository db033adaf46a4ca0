/// The state of the random-walk filters: a level, its variance and its time.
///
/// The start is diffuse: the first reading is the level, with the variance of its noise.
struct WalkState: Sendable {
  var level = 0.0
  var variance = Double.infinity
  private var lastTime: Int64 = 0

  /// Advances to the time of a reading and returns the elapsed seconds, or `nil` for the first
  /// reading, which becomes the state.
  @inline(__always)
  mutating func advance(to time: Int64, _ rssi: Double, r: Double) -> Double? {
    guard variance != .infinity else {
      (level, variance, lastTime) = (rssi, r, time)
      return nil
    }
    let seconds = secondsLater(time, than: lastTime)
    lastTime = max(lastTime, time)
    return seconds
  }

  /// Updates a predicted level and its variance with a reading of noise r (Kalman's update).
  @inline(__always)
  mutating func correct(by rssi: Double, predicted: Double, r: Double) {
    let gain = predicted / (predicted + r)
    level += gain * (rssi - level)
    variance = gain * r
  }

  var filtered: FilteredLevel { FilteredLevel(rssi: level, variance: variance) }
}
