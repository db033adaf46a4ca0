import Glibc

/// The extent of an axis, in the axis's unit.
struct Extent: Equatable {
  var low: Double
  var high: Double
  var isLogarithmic: Bool

  /// Creates the axis's own range, else that of the values with `margin` on either side.
  ///
  /// - Returns: an extent of some length, also for one value or none.
  init(_ axis: Axis, of columns: [[Double]], margin: Double = 0) {
    isLogarithmic = axis.scale == .logarithmic
    (low, high) = (.infinity, -.infinity)
    let columns = columns + [[axis.mark ?? .nan]]
    if let range = axis.range {
      (low, high) = (range.lowerBound, range.upperBound)
    } else {
      for column in columns {
        for value in column where canShow(value) {
          low = min(low, value)
          high = max(high, value)
        }
      }
      if low > high { (low, high) = isLogarithmic ? (0.1, 10) : (0, 1) }
    }
    // Doubles that differ less would leave the ticks no digits to differ in.
    if high - low <= 1e-9 * max(abs(low), abs(high)) {
      if isLogarithmic {
        (low, high) = (low / 2, high * 2)
      } else {
        let half = max(0.5, abs(low) * 0.01)
        (low, high) = (low - half, high + half)
      }
    } else if axis.range == nil {
      widen(below: margin, above: margin)
    }
  }

  /// Extends both ends by shares of its length.
  mutating func widen(below: Double, above: Double) {
    let ends = (value(-below), value(1 + above))
    (low, high) = ends
  }

  /// Returns the place of a value: 0 at the low end, 1 at the high end; nil if it cannot be drawn.
  func share(_ value: Double) -> Double? {
    guard canShow(value) else { return nil }
    return isLogarithmic
      ? (log(value) - log(low)) / (log(high) - log(low)) : (value - low) / (high - low)
  }

  /// Returns whether a value lies within its ends.
  func contains(_ value: Double) -> Bool { share(value).map { (0...1).contains($0) } ?? false }

  /// Returns whether a value is a number that can be scaled without overflow.
  private func canShow(_ value: Double) -> Bool {
    abs(value) < 1e150 && (!isLogarithmic || value > 1e-150)
  }

  /// Returns the value at a share of its length.
  private func value(_ share: Double) -> Double {
    isLogarithmic
      ? exp(log(low) + share * (log(high) - log(low))) : low + share * (high - low)
  }

  /// The ticks of a logarithmic axis: few round values, more of them the shorter it is.
  ///
  /// - Returns: an empty list if gnuplot's own ticks fit, at powers of ten or on a very short axis.
  var logarithmicTicks: [Double] {
    guard isLogarithmic, low >= 1e-6, high <= 1e6, high / low < 1e3 else { return [] }
    let decades = [1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.1, 1, 10, 100, 1000, 1e4, 1e5]
    for steps in [[1.0, 2, 5], [1, 1.5, 2, 3, 4, 5, 6, 8]] {
      let ticks = decades.flatMap { decade in steps.map { decade * $0 } }
        .filter { (low...high).contains($0) }
      if ticks.count >= 4 { return ticks }
    }
    return []
  }
}
