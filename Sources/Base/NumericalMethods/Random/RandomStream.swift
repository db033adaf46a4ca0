internal import RealModule

/// A seeded stream of uniform and Gaussian numbers: the same generator gives the same numbers.
@frozen
package struct RandomStream<Generator: RandomNumberGenerator & Sendable>: Sendable {
  @usableFromInline var generator: Generator
  @usableFromInline var spare: Double?

  @inlinable
  package init(_ generator: Generator) { self.generator = generator }

  /// A number of [0, 1), in steps of 2⁻⁵³.
  @inlinable
  package mutating func uniform() -> Double { generator.uniform() }

  /// A number between two others.
  @inlinable
  package mutating func uniform(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * uniform()
  }

  /// A standard Gaussian number; every second one is the other half of a pair.
  @inlinable
  package mutating func gaussian() -> Double {
    if let second = spare {
      spare = nil
      return second
    }
    let (first, second) = gaussianPair()
    spare = second
    return first
  }

  /// Two independent standard Gaussian numbers, from two uniform ones.
  @inlinable
  package mutating func gaussianPair() -> (Double, Double) {
    let radius = uniform()
    return boxMuller(radius, uniform())
  }
}

/// Two independent standard Gaussian numbers from two uniform ones of [0, 1).
///
/// Source: Box and Muller, "A note on the generation of random normal deviates", Annals of
/// Mathematical Statistics 29 (1958).
@usableFromInline
func boxMuller(_ first: Double, _ second: Double) -> (Double, Double) {
  let radius = (-2 * Double.log(1 - first)).squareRoot()
  let angle = 2 * Double.pi * second
  return (radius * Double.cos(angle), radius * Double.sin(angle))
}

extension RandomNumberGenerator {
  /// A number of [0, 1), in steps of 2⁻⁵³.
  @inlinable
  package mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }
}
