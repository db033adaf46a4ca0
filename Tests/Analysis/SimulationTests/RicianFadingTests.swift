import NumericalMethods
import RealModule
import TestSupport
import Testing

@testable import Simulation

struct RicianFadingTests {
  private let count = 40_000

  private func propagation(
    kFactor: Double, deviation: Double = 0, time: ClosedRange<Double> = 5...5
  ) -> Propagation {
    var propagation = Propagation()
    propagation.kFactor = kFactor
    propagation.kFactorDeviation = deviation
    propagation.fadingTime = time
    return propagation
  }

  private func fading(_ propagation: Propagation, _ link: Int = 0) -> RicianFading {
    RicianFading(propagation, from: RandomStream(seed: 1, for: .scattering, link))
  }

  /// E₁ of Abramowitz and Stegun, table 5.1 (1, 2 and 10 in 5.1 and 5.2).
  @Test(arguments: [
    (0.1, 1.822_923_958_4), (1, 0.219_383_934_4), (2, 0.048_900_510_7), (10, 4.156_969e-6), (50, 0),
  ])
  func `mean logarithm is that of the exponential integral`(_ k: Double, _ integral: Double) {
    #expect(
      isClose(RicianFading.meanLogarithm(k), Double.log(k) + integral, absolute: 1e-9))
  }

  /// Mean, standard deviation and skew in dB by integrating SciPy's non-central chi-squared
  /// density.
  @Test(arguments: [-100, 0, 6, 15, 25.0])
  func `levels are Rician`(_ kFactor: Double) throws {
    let script = """
      import sys, numpy as np
      from scipy import integrate, stats
      k = 10 ** (float(sys.argv[1]) / 10)
      power = stats.ncx2(2, 2 * k)
      level = lambda u: 10 * np.log10(power.ppf(u))
      moment = lambda p, c=0: integrate.quad(lambda u: (level(u) - c) ** p, 0, 1, limit=200)[0]
      mean = moment(1)
      sd = moment(2, mean) ** 0.5
      print(sd, moment(3, mean) / sd ** 3)
      """
    let result = try runPython(script, ["\(kFactor)"])
    try #require(result.exitCode == 0, "\(result.error)")
    let expected = result.output.split(whereSeparator: \.isWhitespace).map { Double($0)! }
    var fading = fading(propagation(kFactor: kFactor))
    // Every level is a new one: a hundred correlation distances lie in between.
    let levels = (0..<count).map { fading.level(channel: 1, time: 0, walked: 15 * Double($0)) }
    let moments = Moments(levels)
    #expect(moments.hasMean(0, deviation: expected[0]))
    // The kurtosis of a Rician level is at most that of a Gumbel variable, 5.4.
    #expect(abs(moments.deviation / expected[0] - 1) < 5 * 1.05 / Double(count).squareRoot())
    let skew =
      levels.reduce(0) { $0 + Double.pow($1, 3) } / Double(count) / Double.pow(moments.deviation, 3)
    #expect(abs(skew - expected[1]) < 0.15)
    #expect(skew < 0)
  }

  /// Without a direct wave the power is exponential, and the correlation of two powers is the
  /// square of that of the waves, exp(-Δt / τ - Δs / d).
  @Test(arguments: [(0.5, 0.0, 1), (5, 0, 1), (0, 0.15, 1), (2, 0.1, 4), (0, 0, 1)])
  func `correlation falls with time and distance`(_ seconds: Double, _ metres: Double, _ steps: Int)
  {
    let propagation = propagation(kFactor: -100)
    let excess = (0..<count).map { link in
      var fading = fading(propagation, link)
      let first = power(fading.level(channel: 0, time: 0, walked: 0))
      var last = first
      for step in 1...steps {
        let share = Double(step) / Double(steps)
        last = power(fading.level(channel: 0, time: seconds * share, walked: metres * share))
      }
      return first * last
    }
    let wave = Double.exp(-seconds / 5 - metres / 0.15)
    let moments = Moments(excess)
    #expect(moments.hasMean(1 + wave * wave, deviation: moments.deviation))
  }

  @Test func `channels share a part of their waves`() {
    let propagation = propagation(kFactor: -100)
    let products = (0..<count).map { link in
      var fading = fading(propagation, link)
      let first = power(fading.level(channel: 0, time: 0, walked: 0))
      return first * power(fading.level(channel: 2, time: 0, walked: 0))
    }
    let moments = Moments(products)
    #expect(moments.hasMean(1 + 0.75 * 0.75, deviation: moments.deviation))
  }

  /// Links differ in K-factor (Gaussian in dB) and correlation time (even on a logarithmic scale).
  @Test func `links differ`() {
    let propagation = propagation(kFactor: 6, deviation: 7, time: 1...10)
    let links = (0..<5_000).map { fading(propagation, $0) }
    let kFactors = Moments(links.map { 10 * Double.log10($0.kFactor) })
    #expect(kFactors.hasMean(6, deviation: 7))
    #expect(kFactors.hasGaussianVariance(49))
    #expect(links.allSatisfy { (1...10).contains($0.time) })
    let times = Moments(links.map { Double.log10($0.time) })
    #expect(times.hasMean(0.5, deviation: (1.0 / 12).squareRoot()))
  }

  /// A correlation time of 0 makes fading that is independent from packet to packet.
  @Test func `no correlation time is white`() {
    var fading = fading(propagation(kFactor: -100, time: 0...0))
    let powers = (0...count).map {
      power(fading.level(channel: 0, time: 0.1 * Double($0), walked: 0))
    }
    let moments = Moments(zip(powers, powers.dropFirst()).map { $0 * $1 })
    #expect(moments.hasMean(1, deviation: moments.deviation))
  }

  /// The power of a level about the mean level of Rayleigh fading, -10 γ / ln 10 dB.
  private func power(_ level: Double) -> Double {
    Double.pow(10, (level - 0.577_215_664_9 * 10 / Double.log(10)) / 10)
  }
}
