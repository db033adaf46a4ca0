internal import RealModule

/// A seeded stream of uniform and Gaussian numbers: the same generator gives the same numbers.
@frozen
package struct RandomStream<Generator: RandomNumberGenerator & Sendable>: Sendable {
  @usableFromInline var generator: Generator
  @usableFromInline var spare: Double?

  @inlinable
  package init(_ generator: Generator) { self.generator = generator }

  /// Returns a number in [0, 1), in steps of 2⁻⁵³.
  @inlinable
  package mutating func uniform() -> Double { generator.uniform() }

  /// Returns a number between two others.
  @inlinable
  package mutating func uniform(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * uniform()
  }

  /// Returns a standard Gaussian number; every second one completes a pair.
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

  /// Returns two independent standard Gaussian numbers, from two uniform ones.
  @inlinable
  package mutating func gaussianPair() -> (Double, Double) {
    let radius = uniform()
    return boxMuller(radius, uniform())
  }
}

/// Returns two independent standard Gaussian numbers from two uniform ones in [0, 1).
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
  /// Returns a number in [0, 1), in steps of 2⁻⁵³.
  @inlinable
  package mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }
}

/// Eight seeded streams of uniform and Gaussian numbers in parallel: the same seed gives the same
/// numbers.
///
/// Each is xoshiro128+, of which the upper 23 bits are used. Source: Blackman and Vigna, "Scrambled
/// linear pseudorandom number generators", ACM TOMS 47 (2021).
@frozen
package struct VectorStream: Sendable {
  @usableFromInline var s0: SIMD8<Int32>
  @usableFromInline var s1: SIMD8<Int32>
  @usableFromInline var s2: SIMD8<Int32>
  @usableFromInline var s3: SIMD8<Int32>

  /// Creates the streams with states from SplitMix64, as the generator's authors recommend.
  package init(seed: UInt64) {
    var words = SplitMix64(seed: seed)
    func state() -> SIMD8<Int32> {
      var state = SIMD8<Int32>()
      for lane in state.indices { state[lane] = Int32(truncatingIfNeeded: words.next() >> 32) }
      return state
    }
    (s0, s1, s2) = (state(), state(), state())
    // A state must not be zero.
    s3 = state() | 1
  }

  @inlinable @inline(__always)
  mutating func next() -> SIMD8<Int32> {
    let result = s0 &+ s3
    let t = s1 &<< 9
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    s3 = (s3 &<< 11) | ((s3 &>> 21) & 0x7FF)
    return result
  }

  /// Returns numbers in [0, 1), in steps of 2⁻²³.
  @inlinable @inline(__always)
  package mutating func uniform() -> SIMD8<Float> {
    SIMD8<Float>(bits: ((next() &>> 9) & 0x007F_FFFF) | 0x3F80_0000) - 1
  }

  /// Returns two independent standard Gaussian vectors, by the Box–Muller method.
  @inlinable
  package mutating func gaussianPair() -> (SIMD8<Float>, SIMD8<Float>) {
    let radius = (-2 * (1 - uniform()).logarithm).root
    let half = uniform() - 0.5
    let sine = half.sineOfHalfTurns
    let (x, y) = (1 - 2 * sine * sine, 2 * sine * half.cosineOfHalfTurns)
    return (radius * x, radius * y)
  }
}
