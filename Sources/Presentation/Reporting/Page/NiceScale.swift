import RealModule
import Support

/// Round numbers for axes.
enum NiceScale {
  /// The step of 1, 2 or 5 times a power of ten that divides a length into at most so many.
  static func step(_ length: Double, atMost count: Int) -> Double {
    guard length > 0, length.isFinite else { return 1 }
    let power = Double.pow(10, Double.log10(length / Double(count)).rounded(.down))
    for factor in [1.0, 2, 5] where length / (factor * power) <= Double(count) * (1 + 1e-9) {
      return factor * power
    }
    return 10 * power
  }

  /// A round number that is not smaller.
  static func ceiling(_ value: Double) -> Double {
    let step = step(value, atMost: 10)
    return max((value / step - 1e-9).rounded(.up), 1) * step
  }

  /// The multiples of the step from 0 to the end.
  static func ticks(to end: Double, atMost count: Int) -> [Double] {
    let step = step(end, atMost: count)
    return (0...Int((end / step + 1e-9).rounded(.down))).map { Double($0) * step }
  }

  /// Returns a number with the decimals that a step needs.
  static func label(_ value: Double, step: Double) -> String {
    decimal(value, step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3)
  }
}
