import RealModule

/// The likelihood of q and r for the levels of several links, prepared for repeated evaluation.
///
/// Four ratios λ = q / r are evaluated at once, because a pass over the levels is limited by the
/// latency of its own dependencies. Source: Durbin and Koopman, "Time series analysis by state
/// space methods", sections 2.10.2 and 7.3; Cox, "On the estimation of state variables and
/// parameters for noisy dynamic systems", 1964, for the recursion of least squares.
struct NoiseLikelihood {
  /// Four ratios λ, in dB² per second per dB², or four results for them.
  typealias Lanes = SIMD4<Double>

  /// One level after the first of its link.
  private struct Step {
    /// The time since the latest previous level.
    var seconds: Double
    /// The change from the previous level, in dB.
    var change: Double
  }

  private var steps: [Step] = []
  /// The steps of each link.
  private var links: [Range<Int>] = []
  /// The variance of rounding alone in dB², the lower bound of r.
  let leastR: Double
  /// A Boolean value that is true if any level differs from the first of its link.
  let hasChange: Bool
  /// The total duration of the steps, in seconds.
  private(set) var seconds = 0.0
  /// The upper bound of the process noise from the fastest change, in dB² per second.
  let fastest: Double

  var count: Int { steps.count }

  init(_ links: [NoiseEstimate.Link]) {
    leastR = roundingVariance(of: links)
    var (shortest, widest) = (Double.infinity, 0.0)
    steps.reserveCapacity(links.reduce(0) { $0 + $1.times.count })
    for link in links {
      let begin = steps.count
      var latest: (time: Int64, level: Double)?
      var (lowest, highest) = (Float.infinity, -Float.infinity)
      for (time, level) in zip(link.times, link.levels) where level.isFinite {
        (lowest, highest) = (min(lowest, level), max(highest, level))
        guard let (last, before) = latest else {
          latest = (time, Double(level))
          continue
        }
        // A late level counts as one at the latest time so far, as in the filter.
        let step = Step(seconds: secondsLater(time, than: last), change: Double(level) - before)
        latest = (max(last, time), Double(level))
        seconds += step.seconds
        if step.seconds > 0 { shortest = min(shortest, step.seconds) }
        steps.append(step)
      }
      if steps.count > begin { self.links.append(begin..<steps.count) }
      if lowest < highest { widest = max(widest, Double(highest) - Double(lowest)) }
    }
    hasChange = widest > 0
    fastest = widest * widest / shortest
  }

  /// Returns the sum of e² / F and the sum of log F over all steps for each ratio, with r = 1.
  ///
  /// The least sum of squares of noise and movement that ends at x, relative to the latest level,
  /// is a parabola (a x² − 2 b x + c) / d with the minimum e / a. Movement of the variance s = λ h
  /// adds s a to d and s e to c; a change z of the level subtracts z a from b and z (b + b′) from c,
  /// where b′ is the new b; the noise of the level adds x², which is d to a and c to e. So a step
  /// has no division. The minimum is the sum of e² / F, and F is the factor by which a grows.
  ///
  /// - Parameter ratios: Finite ratios, at least 0; none larger than the last.
  func sums(_ ratios: Lanes) -> (squares: Lanes, logSpread: Lanes) {
    var squares = Lanes()
    var logSpread = Lanes()
    for link in links {
      var (a, b, c, d, e) = (
        Lanes(repeating: 1), Lanes(), Lanes(), Lanes(repeating: 1), Lanes()
      )
      var exponents = Lanes()
      for step in steps[link] {
        let variance = ratios * step.seconds
        let moved = b - a * step.change
        c += variance * e - step.change * (b + moved)
        b = moved
        d += variance * a
        e += c
        a += d
        // The largest ratio has the largest a. Only the ratios of the five matter.
        if a[3] > 0x1p300 {
          let scale = Lanes(a[0].binade, a[1].binade, a[2].binade, a[3].binade)
          (a, b, c, d, e) = (a / scale, b / scale, c / scale, d / scale, e / scale)
          for lane in 0..<4 { exponents[lane] += Double(scale[lane].exponent) }
        }
      }
      squares += e / a
      logSpread += Self.log(a) + exponents * .log(2)
    }
    return (squares, logSpread)
  }

  /// Returns the log-likelihood at four ratios, each with its best r.
  ///
  /// - Parameter logRatios: The values of log λ, ascending; −∞ is λ = 0.
  func profile(_ logRatios: Lanes) -> (logLikelihood: Lanes, r: Lanes) {
    profile(of: sums(Self.exp(logRatios)))
  }

  /// Returns the log-likelihood at one ratio, with its best r.
  func profile(_ logRatio: Double) -> (logLikelihood: Double, r: Double) {
    let (likelihood, r) = profile(Lanes(repeating: logRatio))
    return (likelihood[0], r[0])
  }

  /// Returns the log-likelihood and the best r of the sums at four ratios.
  func profile(
    of sums: (squares: Lanes, logSpread: Lanes)
  ) -> (logLikelihood: Lanes, r: Lanes) {
    let n = Double(count)
    // For one ratio the likelihood has a single peak in r, so it is clamped to the least r.
    let r = pointwiseMax(sums.squares / n, Lanes(repeating: leastR))
    return (-0.5 * (n * Self.log(2 * .pi * r) + sums.squares / r + sums.logSpread), r)
  }

  /// Returns the search for the best log λ, or `nil` if no time passes.
  func search() -> NoiseSearch? {
    logRatios.map { range in
      NoiseSearch(
        in: range, of: { profile($0).logLikelihood },
        within: { cell in
          let polynomials = RatioPolynomials(self, over: cell)
          return { profile(of: polynomials.sums($0)).logLikelihood }
        })
    }
  }

  /// Returns the prediction errors of each link over their standard deviations, e / √S.
  func standardizedErrors(q: Double, r: Double) -> [[Double]] {
    links.map { link in
      // The difference of the latest level from the filter's.
      var rest = 0.0
      var variance = r
      return steps[link].map { step in
        let predicted = variance + q * step.seconds
        let spread = predicted + r
        let error = step.change + rest
        rest = r / spread * error
        variance = predicted / spread * r
        return error / spread.squareRoot()
      }
    }
  }

  /// The range of log λ to search, or `nil` if no time passes.
  ///
  /// Below it the movement over a whole link is smaller than the error of the link's mean; above it
  /// the noise is at its minimum and the movement faster than the fastest observed change.
  var logRatios: ClosedRange<Double>? {
    guard fastest > 0 else { return nil }
    let low = Double.log(1e-3 / (seconds * Double(count)))
    return low...max(low + 1, .log(10 * fastest / leastR))
  }

  static func log(_ x: Lanes) -> Lanes { Lanes(.log(x[0]), .log(x[1]), .log(x[2]), .log(x[3])) }
  static func exp(_ x: Lanes) -> Lanes { Lanes(.exp(x[0]), .exp(x[1]), .exp(x[2]), .exp(x[3])) }
}

/// Returns the variance of rounding: the square of the step of the levels over 12.
///
/// The step is 1 dB if all levels are whole, 0.5 dB if all are halves, and otherwise the spacing of
/// `Float` at the largest level.
func roundingVariance(of links: [NoiseEstimate.Link]) -> Double {
  var step = 1.0
  var largest: Float = 0
  for link in links {
    for level in link.levels where level.isFinite {
      largest = max(largest, abs(level))
      if step == 1, level.rounded() != level { step = 0.5 }
      if step == 0.5, (2 * level).rounded() != 2 * level { step = 0 }
    }
  }
  if step == 0 { step = Double(largest.ulp) }
  return step * step / 12
}

/// The log-likelihood of Gaussian errors, accumulated sequentially.
///
/// Logarithms are slow, so variances are multiplied and one logarithm is taken occasionally.
struct GaussianLikelihood: Sendable {
  private var count = 0.0
  private var squares = 0.0
  private var logVariances = 0.0
  private var product = 1.0

  init() {}

  @inline(__always)
  mutating func add(error: Double, variance: Double) {
    count += 1
    squares += error * error / variance
    product *= variance
    if !(product < 1e100 && product > 1e-100) { takeLogarithm() }
  }

  @inline(never)
  private mutating func takeLogarithm() {
    logVariances += .log(product)
    product = 1
  }

  var logarithm: Double {
    -0.5 * (count * .log(2 * .pi) + squares + logVariances + .log(product))
  }
}
