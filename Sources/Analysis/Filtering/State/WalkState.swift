/// What the filters of a random walk know: a level, its variance, and when it was so.
///
/// The start is diffuse: the first reading is the level, with the variance of its noise.
struct WalkState: Sendable {
  var level = 0.0
  var variance = Double.infinity
  private var lastTime: Int64 = 0

  /// Goes on to the time of a reading and states by how many seconds; nil where the reading is the
  /// first, which is taken.
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

  /// Takes a reading with noise r where its level was predicted with a variance: Kalman's update.
  @inline(__always)
  mutating func correct(by rssi: Double, predicted: Double, r: Double) {
    let gain = predicted / (predicted + r)
    level += gain * (rssi - level)
    variance = gain * r
  }

  var filtered: FilteredLevel { FilteredLevel(rssi: level, variance: variance) }
}
