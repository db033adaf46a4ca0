import Geometry
import NumericalMethods
import RealModule

/// The purpose of a stream of random numbers.
enum StreamPurpose: UInt64 {
  case layout = 1
  case power, walk, scanner, link, stay, pause
  case map, common, channels, heading, shadowing, selectivity, scattering, events, packets, rest,
    slabs, walls
}

extension RandomStream<Xoshiro256> {
  /// Creates the stream of a purpose.
  ///
  /// Streams of different purposes or indices are practically independent, so one more beacon or
  /// walk leaves the numbers of all others unchanged.
  ///
  /// - Parameters:
  ///   - seed: The scenario's seed.
  ///   - purpose: The purpose of the numbers.
  ///   - indices: The indices of a trace, a beacon or a stay.
  init(seed: UInt64, for purpose: StreamPurpose, _ indices: Int...) {
    self.init(seed: seed, for: purpose, indices)
  }

  /// Creates the stream of a purpose and a list of indices.
  init(seed: UInt64, for purpose: StreamPurpose, _ indices: [Int]) {
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

/// A zero-mean Gaussian level in dB with the correlation exp(-Δs / d) over the distance walked.
///
/// Sampled exactly at any spacing as a first-order autoregression:
/// x' = ρ x + σ √(1 - ρ²) g with ρ = exp(-Δs / d).
/// Source: Gudmundson, "Correlation model for shadow fading in mobile radio systems", Electronics
/// Letters 27 (1991).
struct CorrelatedField: Sendable {
  /// The standard deviation σ, in dB.
  let deviation: Double
  /// The correlation distance d, in metres.
  let distance: Double
  private var level: Double
  private var place = 0.0

  /// Starts with a level of the stationary distribution.
  init(deviation: Double, distance: Double, from stream: inout RandomStream<Xoshiro256>) {
    self.deviation = deviation
    self.distance = distance
    level = deviation * stream.gaussian()
  }

  /// Returns the level in dB after a total walk of `place` metres, which never decreases between
  /// calls.
  mutating func level(at place: Double, from stream: inout RandomStream<Xoshiro256>) -> Double {
    let correlation = Double.exp(-(place - self.place) / distance)
    let innovation = (1 - correlation * correlation).squareRoot()
    level = correlation * level + deviation * innovation * stream.gaussian()
    self.place = place
    return level
  }
}

/// A reproducible zero-mean level in dB at each place of the plane, with Gudmundson's covariance σ²
/// exp(-Δ / d).
///
/// A sum of plane waves of equal amplitude whose wave numbers k are drawn from the spectrum of that
/// covariance, P(k < K) = 1 - (1 + (K d)²)^(-1/2), one from each of as many equally likely ranges.
/// Source: Cai and Giannakis, "A two-dimensional channel simulation model for shadowing processes",
/// IEEE Transactions on Vehicular Technology 52 (2003).
struct ShadowingMap: Sendable {
  private struct Wave {
    var x: Double
    var y: Double
    var phase: Double
  }

  private let amplitude: Double
  private let waves: [Wave]

  /// Draws the waves.
  init(
    deviation: Double, distance: Double, waves count: Int = 64,
    from stream: RandomStream<Xoshiro256>
  ) {
    var stream = stream
    amplitude = deviation * (2 / Double(count)).squareRoot()
    waves = (0..<count).map { index in
      let rest = 1 - (Double(index) + stream.uniform()) / Double(count)
      let number = (1 / (rest * rest) - 1).squareRoot() / distance
      let direction = 2 * Double.pi * stream.uniform()
      return Wave(
        x: number * Double.cos(direction), y: number * Double.sin(direction),
        phase: 2 * Double.pi * stream.uniform())
    }
  }

  /// Returns the level at a place, in dB.
  func level(at place: Point) -> Double {
    guard amplitude > 0 else { return 0 }
    var sum = 0.0
    for wave in waves { sum += Double.cos(wave.x * place.x + wave.y * place.y + wave.phase) }
    return amplitude * sum
  }
}
