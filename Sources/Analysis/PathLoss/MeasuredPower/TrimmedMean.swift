extension PoseLevels {
  /// The share of packets trimmed at either end: a tenth, as in Apple's AirLocate sample.
  public static let trimming = 0.1

  /// Returns the mean without a tenth of the packets, rounded down, at either end.
  ///
  /// Passers-by and single reflections produce a few extreme levels. The mean is of levels in dB,
  /// for which the log-distance model holds.
  ///
  /// - Parameter channel: The channel of the packets; `nil` for all.
  /// - Returns: The mean in dBm, or `nil` without packets.
  public func trimmedMean(channel: UInt8? = nil) -> Double? {
    let counts = levels(channel: channel)
    let total = counts.reduce(0) { $0 + $1.count }
    guard total > 0 else { return nil }
    let kept = (total / 10)..<(total - total / 10)
    var sum = 0.0
    var start = 0
    for one in counts {
      let end = start + one.count
      sum += one.level * Double(max(0, min(end, kept.upperBound) - max(start, kept.lowerBound)))
      start = end
    }
    return sum / Double(kept.count)
  }

  /// The mean of all packets, in dBm; `nil` without packets.
  public var mean: Double? {
    samples > 0
      ? levels().reduce(0) { $0 + $1.level * Double($1.count) } / Double(samples) : nil
  }

  /// The standard deviation of all packets, in dB, with one degree of freedom less than packets;
  /// `nil` for fewer than two.
  public var deviation: Double? {
    guard samples > 1, let mean else { return nil }
    let squares = levels().reduce(0) {
      $0 + Double($1.count) * ($1.level - mean) * ($1.level - mean)
    }
    return (squares / Double(samples - 1)).squareRoot()
  }
}
