import RealModule

/// The correction of a level by advertisements that were due but not received.
///
/// A packet is lost by chance, or its level with noise is too low for the receiver:
///
///     P(miss | x) = 1 − ρ Φ((x − floor) / √(r + edge²))        ρ = 1 − loss
///
/// The product with the Gaussian belief N(x, P) is not Gaussian; it is replaced by the Gaussian
/// with the same mean and variance. With s² = P + r + edge², u = (x − floor) / s and η = ρ φ(u) /
/// (1 − ρ Φ(u)):
///
///     x ← x − P/s η        P ← P (1 − P/s² η (η − u))
///
/// Source: Rasmussen and Williams, "Gaussian processes for machine learning", section 3.9 (moments
/// of a Gaussian times Φ); Allik, Miller, Piovoso and Zurakowski, "The Tobit Kalman filter", IEEE
/// Transactions on Control Systems Technology 24(1), 2016 (censored measurements). O(1).
struct MissedSlots: Sendable {
  /// The mean level at which half of the packets that are not lost by chance are received, in dBm.
  let floor: Double
  /// The standard deviation of the noise and the edge together, in dB.
  let deviation: Double
  /// The probability that a strong packet is lost.
  let loss: Double

  /// Combines a number of slots, not necessarily whole, into one. All are missed with probability
  /// lossᵐ far above the floor, and certainly far below; in between, Φ is shifted so that it is
  /// half-way where the product of m slots is.
  init(_ share: Double, _ reception: Reception, r: Double) {
    let (floor, loss) = (reception.floor, reception.loss)
    let deviation = (r + reception.edge * reception.edge).squareRoot()
    let lossOfAll = share == 1 ? loss : Double.pow(loss, share)
    let heardHalfWay = -Double.expMinusOne(.log((1 + lossOfAll) / 2) / share)
    self.floor =
      share == 1 ? floor : floor + deviation * normalQuantile(heardHalfWay / (1 - loss))
    self.deviation = deviation
    self.loss = lossOfAll
  }

  /// Corrects a belief, and returns the logarithm of the probability of silence.
  func correct(_ level: inout Double, _ variance: inout Double) -> Double {
    let spread = variance + deviation * deviation
    let scale = spread.squareRoot()
    let u = (level - floor) / scale
    let (hazard, logProbability) = miss(u)
    level -= variance / scale * hazard
    // At most 1 but for rounding: an observation of x + noise leaves at least P r / s².
    variance *= 1 - variance / spread * min(hazard * (hazard - u), 1)
    return logProbability
  }

  /// Returns η and log(1 − ρ Φ(u)).
  private func miss(_ u: Double) -> (hazard: Double, logProbability: Double) {
    let heard = 1 - loss
    let logDensity = -0.5 * (u * u + .log(2 * .pi))
    let density = Double.exp(logDensity)
    if u < 5 {
      let probability = loss + heard * 0.5 * .erfc(u / 2.0.squareRoot())
      return (heard * density / probability, .log(probability))
    }
    // The ratio stays finite where φ and 1 − Φ vanish.
    let ratio = tailRatio(u)
    guard loss > 0 else { return (1 / ratio, logDensity + .log(ratio)) }
    return (heard / (loss / density + heard * ratio), .log(loss + heard * ratio * density))
  }
}

/// Returns Mills' ratio (1 − Φ(u)) / φ(u) for u of at least 5: Laplace's continued fraction.
/// Source: Abramowitz and Stegun, formula 26.2.14.
private func tailRatio(_ u: Double) -> Double {
  var denominator = u
  for k in stride(from: 60.0, through: 1, by: -1) { denominator = u + k / denominator }
  return 1 / denominator
}

/// Returns the quantile of the normal distribution, by bisection.
private func normalQuantile(_ probability: Double) -> Double {
  var (low, high) = (-38.0, 38.0)
  for _ in 0..<60 {
    let middle = (low + high) / 2
    if 0.5 * .erfc(-middle / 2.0.squareRoot()) < probability { low = middle } else { high = middle }
  }
  return (low + high) / 2
}
