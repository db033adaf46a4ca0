import NumericalMethods
import RealModule

/// The fading of one link on its three channels: the sum of a direct wave and of scattered waves
/// that change over time, because people move, and with distance walked.
///
/// The scattered waves of a channel are a complex Ornstein–Uhlenbeck process of time and distance,
/// sampled exactly: s' = ρ s + √(1 - ρ²) g with ρ = exp(-Δt / τ - Δs / d). Source: Rice,
/// "Statistical properties of a sine wave plus random noise", Bell System Technical Journal 27
/// (1948).
struct RicianFading: Sendable {
  /// The link's K-factor, as a power ratio.
  let kFactor: Double
  /// The correlation time τ of the link, in seconds.
  let time: Double
  private let distance: Double
  private let direct: Double
  /// The amplitudes of the scattered waves that channels share, and of each channel's own.
  private let shares: (common: Double, own: Double)
  /// The mean of 20 log10 of the amplitude, in dB.
  private let mean: Double
  private var common: ScatteredWave
  private var own: [ScatteredWave]
  private var stream: RandomStream<Xoshiro256>

  /// Draws the link's K-factor and correlation time, and the first scattered waves.
  init(_ propagation: Propagation, from stream: RandomStream<Xoshiro256>) {
    var stream = stream
    let decibels = propagation.kFactor + propagation.kFactorDeviation * stream.gaussian()
    let range = propagation.fadingTime
    // 1 µs is shorter than any interval between packets, so such fading is white.
    let shortest = max(range.lowerBound, 1e-6)
    time = shortest * Double.pow(max(range.upperBound, 1e-6) / shortest, stream.uniform())
    distance = propagation.fadingDistance
    kFactor = Double.pow(10, min(max(decibels, -100), 100) / 10)
    let scattered = 1 / (kFactor + 1)
    direct = (kFactor * scattered).squareRoot()
    shares = (
      (scattered * propagation.channelCorrelation).squareRoot(),
      (scattered * (1 - propagation.channelCorrelation)).squareRoot()
    )
    mean = 10 / Double.log(10) * (Double.log(scattered) + Self.meanLogarithm(kFactor))
    common = ScatteredWave(from: &stream)
    own = []
    for _ in 0..<3 { own.append(ScatteredWave(from: &stream)) }
    self.stream = stream
  }

  /// Returns the level relative to its mean over time, in dB, on a channel from 0 to 2.
  ///
  /// - Parameters:
  ///   - time: The time in seconds, which never decreases between calls.
  ///   - walked: The total distance walked in metres, which never decreases either.
  mutating func level(channel: Int, time: Double, walked: Double) -> Double {
    let phase = time / self.time + walked / distance
    common.advance(to: phase, from: &stream)
    own[channel].advance(to: phase, from: &stream)
    let x = direct + shares.common * common.x + shares.own * own[channel].x
    let y = shares.common * common.y + shares.own * own[channel].y
    return 10 * Double.log10(max(x * x + y * y, .leastNormalMagnitude)) - mean
  }

  /// Returns the mean of the logarithm of a Rician power in units of the scattered power, ln K +
  /// E₁(K).
  ///
  /// The power is a gamma variable whose shape, less 1, is a Poisson variable of mean K, so this is
  /// the mean of the digamma function ψ(j + 1) = H_j - γ.
  static func meanLogarithm(_ kFactor: Double) -> Double {
    // E₁(40) is below 10⁻¹⁸.
    guard kFactor < 40 else { return Double.log(kFactor) }
    var (probability, harmonic, sum) = (Double.exp(-kFactor), 0.0, 0.0)
    for j in 1...200 {
      probability *= kFactor / Double(j)
      harmonic += 1 / Double(j)
      sum += probability * harmonic
    }
    return sum - 0.577_215_664_901_532_9
  }
}

/// A complex Gaussian variable of unit mean power whose correlation falls as exp(-Δ).
private struct ScatteredWave: Sendable {
  private(set) var x: Double
  private(set) var y: Double
  private var phase = 0.0

  init(from stream: inout RandomStream<Xoshiro256>) {
    let (first, second) = stream.gaussianPair()
    (x, y) = (first * 0.5.squareRoot(), second * 0.5.squareRoot())
  }

  mutating func advance(to phase: Double, from stream: inout RandomStream<Xoshiro256>) {
    let correlation = Double.exp(self.phase - phase)
    let innovation = (0.5 * (1 - correlation * correlation)).squareRoot()
    let (first, second) = stream.gaussianPair()
    x = correlation * x + innovation * first
    y = correlation * y + innovation * second
    self.phase = phase
  }
}
