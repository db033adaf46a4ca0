/// The generator xoshiro256**: 256 bits of state, a period of 2^256 - 1, the same on every machine.
///
/// Source: Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47
/// (2021).
@frozen
package struct Xoshiro256: RandomNumberGenerator, Sendable {
  @usableFromInline var s0: UInt64
  @usableFromInline var s1: UInt64
  @usableFromInline var s2: UInt64
  @usableFromInline var s3: UInt64

  /// Creates the generator from its four words of state, which must not all be zero.
  @inlinable
  package init(state s0: UInt64, _ s1: UInt64, _ s2: UInt64, _ s3: UInt64) {
    self.s0 = s0
    self.s1 = s1
    self.s2 = s2
    self.s3 = s3
  }

  /// Creates the generator with a state from SplitMix64, as its authors recommend.
  @inlinable
  package init(seed: UInt64) {
    var words = SplitMix64(seed: seed)
    self.init(state: words.next(), words.next(), words.next(), words.next())
  }

  @inlinable
  package mutating func next() -> UInt64 {
    let result = Self.rotate(s1 &* 5, by: 7) &* 9
    let t = s1 << 17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    s3 = Self.rotate(s3, by: 45)
    return result
  }

  @inlinable
  static func rotate(_ x: UInt64, by k: UInt64) -> UInt64 { (x << k) | (x >> (64 - k)) }
}

/// The generator SplitMix64: every seed gives a different sequence, the same on every machine.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
@frozen
package struct SplitMix64: RandomNumberGenerator, Sendable {
  @usableFromInline var state: UInt64

  @inlinable package init(seed: UInt64) { state = seed }

  @inlinable package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Returns a number from 0 to below the bound; the bias is below bound / 2⁶⁴.
  ///
  /// It does not use the standard library, whose conversion of bits to a number may change between
  /// versions.
  @inlinable package mutating func next(below bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
