import Support

/// A polynomial in time through the levels of a window, at the time of the newest: Savitzky–Golay's
/// smoothing for irregular times, without later levels.
///
/// Weighted least squares with w = (1 − u³)³, where u = age / window: the newest level has weight
/// 1, one that is about to leave has none. The degree is lower by itself where the window has fewer
/// than degree + 3 distinct times, down to 0, the weighted mean; so the answer is always finite. It
/// is linear in the levels, x = Σ l z with Σ l² ≤ 1, so its variance Σ l² s² is at most that of a
/// level; s² is that of the residuals, Σ w e² / Σ w (1 − leverage), at least 1/12 dB², and needs
/// two levels more than coefficients, else the variance is NaN.
///
/// The fit is by orthogonal polynomials, which need no matrix. Sources: Cleveland, "Robust locally
/// weighted regression", JASA 74, 1979 (the weights); Forsythe, "Generation and use of orthogonal
/// polynomials for data-fitting with a digital computer", 1957. O(w) a sighting.
public struct LocalPolynomialFilter: LevelFilter {
  /// The degree of the polynomial, 0 to 3.
  public let degree: Int
  private var window: TimeWindow
  private var points: [Point] = []

  /// A level of the window while polynomials are fitted.
  private struct Point {
    let u: Double
    let weight: Double
    /// What the fit so far leaves of the level, less the newest level.
    var residual: Double
    /// The newest orthogonal polynomial at u, and the one before.
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

  /// Fills `points` from the window and shows how many distinct times there are.
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

  /// Goes on to the polynomial of the next degree, unless the times are too close together for it.
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

  /// Of the fitted level, from the residuals.
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
    "local-polynomial", "polynomial at the window's end",
    [
      .time("window", default: "3s", "length of the window"),
      .count(
        "degree", in: 0...3, default: "1",
        "degree of the polynomial, lower by itself where levels are few"),
    ]
  ) { values, _ in
    LocalPolynomialFilter(
      window: values.duration("window"), degree: values.count("degree") ?? 0)
  }
}
