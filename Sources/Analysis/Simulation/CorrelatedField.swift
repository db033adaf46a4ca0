import NumericalMethods
import RealModule

/// A zero-mean Gaussian level in dB whose correlation falls as exp(-Δs / d) with distance walked.
///
/// Sampled exactly at any spacing as a first-order autoregression:
/// x' = ρ x + σ √(1 - ρ²) g with ρ = exp(-Δs / d).
/// Source: Gudmundson, "Correlation model for shadow fading in mobile radio systems", Electronics
/// Letters 27 (1991).
struct CorrelatedField: Sendable {
  /// Standard deviation σ, in dB.
  let deviation: Double
  /// Correlation distance d, in metres.
  let distance: Double
  private var level: Double
  private var place = 0.0

  /// Starts at a level of the stationary distribution.
  init(deviation: Double, distance: Double, from stream: inout RandomStream<Xoshiro256>) {
    self.deviation = deviation
    self.distance = distance
    level = deviation * stream.gaussian()
  }

  /// The level in dB after a total walk of `place` metres, which never falls from call to call.
  mutating func level(at place: Double, from stream: inout RandomStream<Xoshiro256>) -> Double {
    let correlation = Double.exp(-(place - self.place) / distance)
    let innovation = (1 - correlation * correlation).squareRoot()
    level = correlation * level + deviation * innovation * stream.gaussian()
    self.place = place
    return level
  }
}
