/// Variance of rounding to 1 dB, dB²: what no level of a receiver is free of.
let roundingVariance = 1.0 / 12

/// Number, mean and spread of levels, from which those of two sets together follow.
struct Moments: Sendable {
  var count = 0.0
  /// dBm.
  var mean = 0.0
  /// Squares of the distances to the mean, summed, dB².
  var squares = 0.0

  /// Takes one level (Welford, "Note on a method for calculating corrected sums of squares and
  /// products", Technometrics 4, 1962).
  @inline(__always)
  mutating func add(_ level: Double) {
    count += 1
    let distance = level - mean
    mean += distance / count
    squares += distance * (level - mean)
  }

  /// Of two sets together (Chan, Golub and LeVeque, "Updating formulae and a pairwise algorithm for
  /// computing sample variances", 1979). The mean is between the two, to the last bit.
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

/// Mean and spread of the levels of a window of time.
///
/// Nothing is ever taken out of a sum, so no rounding error lasts longer than its window: the
/// window is an older part, of which the moments of each end are known, and a newer part, of which
/// only those of the whole are. A level that leaves drops one end; when none is left, the newer
/// part becomes the older. O(1) a sighting on average.
struct WindowMoments: Sendable {
  private var window: TimeWindow
  /// Of the older part from its last level back to each level, that of the oldest last.
  private var older: [Moments] = []
  private var newer = Moments()

  /// - Parameter length: nanoseconds, above 0; a level as old as this has left the window.
  init(length: Int64) { window = TimeWindow(length: length) }

  /// Drops what has left the window at a time.
  @inline(__always)
  mutating func advance(to time: Int64) {
    let gone = window.advance(to: time)
    for _ in 0..<gone {
      if older.isEmpty { turn() }
      older.removeLast()
      window.removeFirst(1)
    }
  }

  /// Drops what has left the window at a time, and takes a level at it.
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
