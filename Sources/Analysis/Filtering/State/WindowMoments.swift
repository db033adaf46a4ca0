/// The variance of rounding to 1 dB, in dB², which every level of a receiver has.
let roundingVariance = 1.0 / 12

/// The number, mean and sum of squares of levels, which can be combined.
struct Moments: Sendable {
  var count = 0.0
  /// The mean in dBm.
  var mean = 0.0
  /// The sum of the squared deviations from the mean, in dB².
  var squares = 0.0

  /// Adds one level (Welford, "Note on a method for calculating corrected sums of squares and
  /// products", Technometrics 4, 1962).
  @inline(__always)
  mutating func add(_ level: Double) {
    count += 1
    let distance = level - mean
    mean += distance / count
    squares += distance * (level - mean)
  }

  /// Returns the moments of two sets together (Chan, Golub and LeVeque, "Updating formulae and a
  /// pairwise algorithm for computing sample variances", 1979). The mean is between the two to the
  /// last bit.
  @inline(__always)
  func joined(_ other: Moments) -> Moments {
    if count == 0 { return other }
    if other.count == 0 { return self }
    let total = count + other.count
    let distance = other.mean - mean
    let share = other.count / total
    return Moments(
      count: total, mean: mean + distance * share,
      squares: squares + other.squares + distance * distance * count * share)
  }
}

/// The mean and variance of the levels of a time window.
///
/// Nothing is ever subtracted from a sum, so rounding errors last no longer than the window. The
/// window is an older part, with the moments of each suffix, and a newer part, with only those of
/// the whole. A level that leaves removes one suffix; when none is left, the newer part becomes the
/// older. O(1) per sighting on average.
struct WindowMoments: Sendable {
  private var window: TimeWindow
  /// The moments of the older part from its last level back to each level, the longest last.
  private var older: [Moments] = []
  private var newer = Moments()

  /// - Parameter length: The window in nanoseconds, above 0; a level of this age is outside.
  init(length: Int64) { window = TimeWindow(length: length) }

  /// Removes levels outside the window at a time.
  @inline(__always)
  mutating func advance(to time: Int64) {
    let gone = window.advance(to: time)
    for _ in 0..<gone {
      if older.isEmpty { turn() }
      older.removeLast()
      window.removeFirst(1)
    }
  }

  /// Removes levels outside the window at a time, and adds one at that time.
  @inline(__always)
  mutating func add(_ rssi: Double, at time: Int64) {
    advance(to: time)
    window.append(rssi)
    newer.add(rssi)
  }

  var moments: Moments {
    @inline(__always) get { older.last?.joined(newer) ?? newer }
  }

  private mutating func turn() {
    newer = Moments()
    var moments = Moments()
    for index in stride(from: window.count - 1, through: 0, by: -1) {
      moments.add(window[index].rssi)
      older.append(moments)
    }
  }
}
