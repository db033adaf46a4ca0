import NumericalMethods
import RealModule

/// A repeatable stream of uniform and Gaussian numbers, named by what it is drawn for.
///
/// Streams of different names are independent for every practical purpose, so that one more beacon
/// or one more walk leaves the numbers of all others as they were.
struct RandomStream: Sendable {
  /// What a stream is drawn for.
  enum Purpose: UInt64 {
    case layout = 1
    case power, walk, scanner, link, dwell, pause
  }

  private var generator: Xoshiro256
  private var spare: Double?

  /// - Parameters:
  ///   - seed: the scenario's seed.
  ///   - purpose: what the numbers are for.
  ///   - indices: which of them: a trace, a beacon, a dwell.
  init(seed: UInt64, for purpose: Purpose, _ indices: Int...) {
    var key = SplitMix64(seed: seed).first ^ purpose.rawValue
    for index in indices {
      key = SplitMix64(seed: key).first ^ UInt64(truncatingIfNeeded: index)
    }
    generator = Xoshiro256(seed: key)
  }

  /// A number uniform in [0, 1), a multiple of 2^-53.
  mutating func uniform() -> Double { Double(generator.next() >> 11) * 0x1p-53 }

  /// A standard Gaussian number, by the exact transformation of two uniform ones.
  ///
  /// Source: Box and Muller, "A note on the generation of random normal deviates", Annals of
  /// Mathematical Statistics 29 (1958). Every second number is the other half of a pair.
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

extension SplitMix64 {
  /// The first number of the generator: a mixture of all bits of its seed.
  fileprivate var first: UInt64 {
    var copy = self
    return copy.next()
  }
}
