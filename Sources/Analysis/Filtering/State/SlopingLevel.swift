/// The level and the slope of one link with their covariance, from a diffuse start.
///
/// The start is exact, not a large variance: the first level fixes the level, and the first one at
/// a later time fixes the slope. Afterwards the covariance is kept with its determinant D, so that
/// nothing is subtracted, and two packets a microsecond apart (whose slope has a variance of 10¹²
/// dB²/s²) cost no precision:
///
///     P00 ← P00 + 2 h P01 + h² P11 + q h³/3     P01 ← P01 + h P11 + q h²/2     P11 ← P11 + q h
///     D ← D + q h (P00 + h P01 + h² P11/3) + q² h⁴/12                   (P00, P01, P11 from before)
///     S = P00 + r     P11 ← (r P11 + D) / S     P00, P01, D ← r/S times themselves
///
/// P01 is never negative, so every term is at least 0. O(1) per level.
struct SlopingLevel: Sendable {
  private enum Knowledge { case nothing, level, slope }

  /// The prediction error of a level, with its variance.
  struct Surprise {
    var error: Double
    var spread: Double
  }

  private var knowledge = Knowledge.nothing
  private(set) var level = 0.0
  /// The slope, in dB per second.
  private(set) var slope = 0.0
  /// The variance of the level, in dB².
  private(set) var variance = 0.0
  private var covariance = 0.0
  private var slopeVariance = 0.0
  private var determinant = 0.0

  /// Updates with a level some seconds after the previous one; returns `nil` if there was no
  /// prediction.
  ///
  /// - Parameters:
  ///   - q: The process noise of the slope in dB² per second³.
  ///   - r: The measurement noise in dB².
  mutating func take(_ rssi: Double, after h: Double, q: Double, r: Double) -> Surprise? {
    switch knowledge {
    case .nothing:
      level = rssi
      variance = r
      knowledge = .level
      return nil
    case .level where h > 0:
      startSlope(rssi, h, q, r)
      return nil
    case .level:
      return correct(rssi, r)
    case .slope:
      predict(h, q)
      return correct(rssi, r)
    }
  }

  /// Starts the slope with the first level at a second time: the estimate is this level alone.
  private mutating func startSlope(_ rssi: Double, _ h: Double, _ q: Double, _ r: Double) {
    slope = (rssi - level) / h
    level = rssi
    slopeVariance = (r + variance) / (h * h) + q * h / 3
    determinant = r * (variance / (h * h) + q * h / 3)
    covariance = r / h
    variance = r
    knowledge = .slope
  }

  /// Predicts the state `h` seconds ahead; two successive predictions equal one over their sum.
  mutating func predict(_ h: Double, _ q: Double) {
    level += h * slope
    determinant +=
      q * h * (variance + h * covariance + h * h * slopeVariance / 3) + q * q * h * h * h * h / 12
    variance += 2 * h * covariance + h * h * slopeVariance + q * h * h * h / 3
    covariance += h * slopeVariance + q * h * h / 2
    slopeVariance += q * h
  }

  private mutating func correct(_ rssi: Double, _ r: Double) -> Surprise {
    let spread = variance + r
    let error = rssi - level
    let kept = r / spread
    // Relative to the new level: if almost nothing is kept, the result is exact to the last digit.
    level = rssi - kept * error
    slope += covariance / spread * error
    slopeVariance = (r * slopeVariance + determinant) / spread
    variance *= kept
    covariance *= kept
    determinant *= kept
    return Surprise(error: error, spread: spread)
  }
}
