import NumericalMethods
import RealModule

/// A repeatable stream of random numbers, uniform and normal.
struct DrawnNumbers {
  private var source: SplitMix64
  private var spare: Double?

  init(seed: UInt64) { source = SplitMix64(seed: seed) }

  /// Uniform in [0, 1).
  mutating func uniform() -> Double { source.uniform() }

  /// Uniform between two numbers.
  mutating func uniform(_ low: Double, _ high: Double) -> Double { low + (high - low) * uniform() }

  /// Standard normal (Box and Muller 1958).
  mutating func gaussian() -> Double {
    if let second = spare {
      spare = nil
      return second
    }
    let radius = (-2 * Double.log(1 - uniform())).squareRoot()
    let angle = 2 * Double.pi * uniform()
    spare = radius * Double.sin(angle)
    return radius * Double.cos(angle)
  }
}
