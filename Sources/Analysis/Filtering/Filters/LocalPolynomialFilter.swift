import Support

/// A local polynomial fit at the end of a time window: causal Savitzky–Golay smoothing for
/// irregular times.
///
/// Weighted least squares with w = (1 − u³)³, where u = age / window: the latest level has weight
/// 1, the oldest 0. The degree decreases automatically if the window has fewer than degree + 3
/// distinct times, down to 0, the weighted mean, so the answer is always finite. It is linear in
/// the levels, x = Σ l z with Σ l² ≤ 1, so its variance Σ l² s² is at most that of a level. s² is
/// that of the residuals, Σ w e² / Σ w (1 − leverage), at least 1/12 dB²; with fewer than two
/// levels more than coefficients, the variance is NaN.
///
/// The fit uses orthogonal polynomials, without a matrix. Sources: Cleveland, "Robust locally
/// weighted regression", JASA 74, 1979 (the weights); Forsythe, "Generation and use of orthogonal
/// polynomials for data-fitting with a digital computer", 1957. O(w) per sighting.
public struct LocalPolynomialFilter: LevelFilter {
  /// The degree of the polynomial, 0 to 3.
  public let degree: Int
  private var window: TimeWindow
  private var points: [Point] = []

  /// A level of the window during the fit.
  private struct Point {
    let u: Double
    let weight: Double
    /// The residual of the level so far, relative to the latest level.
    var residual: Double
    /// The current orthogonal polynomial at u, and the previous one.
    var p = 1.0
    var last = 0.0
    /// Σ p(0) p(u) / N and Σ p(u)² / N over the polynomials so far.
    var influence = 0.0
    var leverage = 0.0
  }

  /// Creates the filter.
  ///
  /// - Parameters:
  ///   - window: the length of the window, above 0; a level as old as this has left it.
  ///   - degree: 0 to 3.
  public init(window: Duration, degree: Int) {
    self.degree = degree
    self.window = TimeWindow(length: window.nanoseconds)
  }

  public mutating func update(time: Int64, rssi: Double, channel: UInt8 = 255) -> FilteredLevel {
    window.removeFirst(window.advance(to: time))
    window.append(rssi)
    let highest = max(0, min(degree, collect() - 3))
    var level = rssi
    var norm = 0.0
    var coefficients = 0
    while true {
      let lastNorm = norm
      var (product, moment) = (0.0, 0.0)
      norm = 0
      for point in points {
        let weighted = point.weight * point.p
        norm += weighted * point.p
        moment += weighted * point.p * point.u
        product += weighted * point.residual
      }
      let newest = points[points.count - 1].p
      let coefficient = product / norm
      level += coefficient * newest
      for index in points.indices {
        let p = points[index].p
        points[index].residual -= coefficient * p
        points[index].influence += newest * p / norm
        points[index].leverage += p * p / norm
      }
      coefficients += 1
      guard coefficients <= highest,
        raise(mean: moment / norm, ratio: lastNorm > 0 ? norm / lastNorm : 0)
      else { break }
    }
    return FilteredLevel(rssi: level, variance: variance(coefficients))
  }

  /// Fills `points` from the window and returns the number of distinct times.
  private mutating func collect() -> Int {
    points.removeAll(keepingCapacity: true)
    let newest = window[window.count - 1]
    let length = Double(window.length)
    var distinct = 1
    for index in 0..<window.count {
      let heard = window[index]
      if index > 0, heard.time != window[index - 1].time { distinct += 1 }
      let u = Double(UInt64(bitPattern: newest.time &- heard.time)) / length
      let rest = 1 - u * u * u
      points.append(
        Point(u: u, weight: rest * rest * rest, residual: heard.rssi - newest.rssi))
    }
    return distinct
  }

  /// Advances to the polynomial of the next degree, and returns `false` if the times are too close
  /// together for it.
  private mutating func raise(mean: Double, ratio: Double) -> Bool {
    var norm = 0.0
    var scale = 0.0
    for index in points.indices {
      let point = points[index]
      let next = (point.u - mean) * point.p - ratio * point.last
      norm += point.weight * next * next
      scale += point.weight * point.u * point.u * point.p * point.p
      points[index].last = point.p
      points[index].p = next
    }
    return norm > 1e-12 * scale
  }

  /// Returns the variance of the fitted level from the residuals.
  private func variance(_ coefficients: Int) -> Double {
    guard points.count >= coefficients + 2 else { return .nan }
    var squares = 0.0
    var freedom = 0.0
    var share = 0.0
    for point in points {
      let influence = point.weight * point.influence
      squares += point.weight * point.residual * point.residual
      freedom += point.weight * (1 - point.weight * point.leverage)
      share += influence * influence
    }
    return share * max(squares / freedom, roundingVariance)
  }
}

extension FilterKind {
  static let localPolynomial = causal(
    "local-polynomial", "polynomial fit at the window's end",
    [
      .time("window", default: "3s", "length of the window"),
      .count(
        "degree", in: 0...3, default: "1",
        "degree of the polynomial, reduced for few levels"),
    ]
  ) { values, _ in
    LocalPolynomialFilter(
      window: values.duration("window"), degree: values.count("degree") ?? 0)
  }
}
