/// The generator SplitMix64: every seed gives another sequence, the same on every machine.
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

  /// A number from 0 up to, but not including, the bound; the bias is below bound / 2⁶⁴.
  ///
  /// Not the standard library's: how that turns bits into a number may change with its version.
  @inlinable package mutating func next(below bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
