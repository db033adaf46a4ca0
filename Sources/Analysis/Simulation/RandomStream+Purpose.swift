import NumericalMethods

/// What a stream of random numbers is drawn for.
enum StreamPurpose: UInt64 {
  case layout = 1
  case power, walk, scanner, link, dwell, pause
}

extension RandomStream<Xoshiro256> {
  /// The stream of a purpose.
  ///
  /// Streams of different purposes or indices are independent for every practical purpose, so that
  /// one more beacon or one more walk leaves the numbers of all others unchanged.
  ///
  /// - Parameters:
  ///   - seed: the scenario's seed.
  ///   - purpose: what the numbers are for.
  ///   - indices: which of them: a trace, a beacon, a dwell.
  init(seed: UInt64, for purpose: StreamPurpose, _ indices: Int...) {
    var key = SplitMix64(seed: seed).first ^ purpose.rawValue
    for index in indices {
      key = SplitMix64(seed: key).first ^ UInt64(truncatingIfNeeded: index)
    }
    self.init(Xoshiro256(seed: key))
  }
}

extension SplitMix64 {
  /// The first number of the generator: a mixture of all bits of its seed.
  fileprivate var first: UInt64 {
    var copy = self
    return copy.next()
  }
}
