import RealModule

/// A repeatable stream of random numbers.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014
/// (SplitMix64).
struct DrawnNumbers {
  private var state: UInt64
  private var spare: Double?

  init(seed: UInt64) { state = seed }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Uniform in [0, 1).
  mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

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
