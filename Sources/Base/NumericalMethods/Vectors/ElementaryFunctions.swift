/// Elementary functions of eight numbers at once, accurate to a few units in the last place.
///
/// Polynomials of Cephes (Moshier 1984 to 2000) after the reduction that its `expf` and `logf` use.
extension SIMD8<Float> {
  /// Returns e to the power of these numbers, clamped to ±87.
  @inlinable @inline(__always)
  package var exponential: Self {
    let power = most(-87).least(87)
    // Adding 1.5 × 2²³ rounds to an integer in the low bits.
    let shifted = power * 1.442_695_04 + 12_582_912
    let whole = shifted - 12_582_912
    let rest = power - whole * 0.693_359_375 + whole * 2.121_944_4e-4
    var sum = rest * 1.987_569_15e-4 + 1.398_199_95e-3
    sum = sum * rest + 8.333_451_9e-3
    sum = sum * rest + 4.166_579_6e-2
    sum = sum * rest + 1.666_666_55e-1
    sum = sum * rest + 5.000_000_1e-1
    let value = sum * rest * rest + rest + 1
    return Self(bits: value.bits &+ (shifted.bits &<< 23))
  }

  /// Returns the natural logarithms of positive numbers.
  @inlinable @inline(__always)
  package var logarithm: Self {
    // Numbers below √½ are doubled, with an exponent of one less.
    let low = SIMD8<Int32>(repeating: 0x3F35_04F3)
    let above = bits &- low
    let exponent = above &>> 23
    let rest = Self(bits: (above & 0x007F_FFFF) &+ low) - 1
    let whole = Self(bits: exponent &+ 0x4B40_0000) - 12_582_912
    var sum = Self(repeating: 7.037_683_6e-2)
    sum = sum * rest - 1.151_461e-1
    sum = sum * rest + 1.167_699_87e-1
    sum = sum * rest - 1.242_014_1e-1
    sum = sum * rest + 1.424_932_3e-1
    sum = sum * rest - 1.666_805_8e-1
    sum = sum * rest + 2.000_071_5e-1
    sum = sum * rest - 2.499_999_4e-1
    sum = sum * rest + 3.333_333_1e-1
    sum = sum * rest - 0.5
    sum = sum * rest + 1
    return sum * rest + whole * 0.693_147_18
  }

  /// Returns sin(π x) of these numbers x from -½ to ½.
  @inlinable @inline(__always)
  package var sineOfHalfTurns: Self {
    let angle = self * 3.141_592_65
    let square = angle * angle
    var sum = square * -2.505_210_8e-8 + 2.755_731_9e-6
    sum = sum * square - 1.984_127e-4
    sum = sum * square + 8.333_333_3e-3
    sum = sum * square - 1.666_666_7e-1
    return sum * square * angle + angle
  }

  /// Returns cos(π x) of these numbers x from -½ to ½.
  @inlinable @inline(__always)
  package var cosineOfHalfTurns: Self {
    let angle = self * 3.141_592_65
    let square = angle * angle
    var sum = square * 2.087_675_7e-9 - 2.755_731_9e-7
    sum = sum * square + 2.480_158_7e-5
    sum = sum * square - 1.388_888_9e-3
    sum = sum * square + 4.166_666_7e-2
    sum = sum * square - 0.5
    return sum * square + 1
  }

  /// Returns the greatest integers that are at most these numbers, or one less; for numbers from 0
  /// to 2²².
  @inlinable @inline(__always)
  package var wholeBelow: Self { (self - 0.5 + 12_582_912) - 12_582_912 }

  /// Returns these whole numbers from 0 to 2²² - 1 as integers.
  @inlinable @inline(__always)
  package var wholeBits: SIMD8<Int32> { (self + 12_582_912).bits & 0x3F_FFFF }

  /// Returns the square roots of numbers that are not negative.
  ///
  /// Newton's steps for the inverse, starting from half the exponent; the machine's root is slower
  /// here, because it works number by number.
  @inlinable @inline(__always)
  package var root: Self {
    let half = 0.5 * self
    var inverse = Self(bits: 0x5F37_59DF &- (bits &>> 1))
    for _ in 0..<2 { inverse *= 1.5 - half * inverse * inverse }
    return self * inverse
  }

  /// Returns these numbers, at least a bound.
  @inlinable @inline(__always)
  package func most(_ bound: Float) -> Self {
    replacing(with: bound, where: self .< bound)
  }

  /// Returns these numbers, at most a bound.
  @inlinable @inline(__always)
  package func least(_ bound: Float) -> Self {
    replacing(with: bound, where: self .> bound)
  }

  @inlinable var bits: SIMD8<Int32> { unsafeBitCast(self, to: SIMD8<Int32>.self) }

  @inlinable init(bits: SIMD8<Int32>) { self = unsafeBitCast(bits, to: Self.self) }
}
