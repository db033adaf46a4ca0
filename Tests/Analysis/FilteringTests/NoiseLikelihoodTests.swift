import Foundation
import TestSupport
import Testing

@testable import Filtering

struct NoiseLikelihoodTests {
  /// Links of every pattern of reception, at rest, walking and without noise, whole and not, some
  /// with a silent year, with levels at one time, with a far outlier and with late levels.
  private func links() -> [NoiseEstimate.Link] {
    var generator = SeededGenerator(seed: 60)
    let noise: [(q: Double, r: Double)] = [(6, 12), (0, 16), (300, 1), (8, 0)]
    var links = Reception.allCases.flatMap { reception in
      noise.map { levels(at: reception.times(400, &generator), q: $0.q, r: $0.r, &generator) }
    }
    for k in links.indices where k % 2 == 0 { links[k] = links[k].rounded() }
    for k in 200..<400 { links[0].times[k] += 31_000_000_000_000_000 }
    for k in stride(from: 1, to: 400, by: 3) { links[1].times[k] = links[1].times[k - 1] }
    links[2].levels[77] = 1e6
    for k in stride(from: 5, to: 400, by: 9) { links[3].times[k] -= 700_000_000 }
    return links
  }

  @Test(arguments: [0, 1e-9, 1e-3, 0.5, 40, 1e6, 1e12])
  func `the sums are those of the filter's prediction errors`(ratio: Double) {
    let links = links()
    for group in links.map({ [$0] }) + [links] {
      let found = NoiseLikelihood(group)
      let (squares, logSpread) = found.sums(.init(ratio / 9, ratio / 9, ratio, ratio))
      for (lane, ratio) in [ratio / 9, ratio / 9, ratio, ratio].enumerated() {
        var expected = (squares: 0.0, logSpread: 0.0)
        for link in group {
          var (level, variance, last) = (Double(link.levels[0]), 1.0, link.times[0])
          for (time, next) in zip(link.times, link.levels).dropFirst() {
            variance += ratio * Double(max(time - last, 0)) * 1e-9
            last = max(time, last)
            let error = Double(next) - level
            level += variance / (variance + 1) * error
            expected.squares += error * error / (variance + 1)
            expected.logSpread += log(variance + 1)
            variance /= variance + 1
          }
        }
        #expect(isClose(squares[lane], expected.squares, relative: 1e-10))
        #expect(isClose(logSpread[lane], expected.logSpread, absolute: 1e-10, relative: 1e-11))
      }
    }
  }

  @Test(arguments: [0.5, 2.5, 12, 27])
  func `polynomials agree with the sums between their points`(width: Double) {
    for link in links() {
      let likelihood = NoiseLikelihood([link])
      for low in [-12.0, -3, 1] {
        let polynomials = RatioPolynomials(likelihood, over: low...(low + width))
        for k in 0...50 {
          let x = NoiseLikelihood.Lanes(repeating: low + width * Double(k) / 50)
          let (found, expected) = (polynomials.sums(x), likelihood.sums(NoiseLikelihood.exp(x)))
          #expect(isClose(found.squares[0], expected.squares[0], relative: 1e-7))
          let n = Double(likelihood.count)
          #expect(isClose(found.logSpread[0], expected.logSpread[0], absolute: 1e-8 * n))
        }
      }
    }
  }

  @Test func `no ratio of a fine grid is better than the estimate`() throws {
    let links = links()
    for group in links.map({ [$0] }) + [links] {
      let likelihood = NoiseLikelihood(group)
      let estimate = try #require(NoiseEstimate(group))
      let range = try #require(likelihood.logRatios)
      let best = stride(from: range.lowerBound, through: range.upperBound, by: 0.02)
        .map { likelihood.profile($0).logLikelihood }.max()!
      #expect(estimate.logLikelihood >= best - 1e-9 * abs(best))
      #expect(estimate.logLikelihood >= likelihood.profile(-.infinity).logLikelihood)
    }
  }

  @Test func `an estimate with its uncertainty is that without, and its uncertainty`() throws {
    for link in links() {
      let both = try #require(NoiseEstimate.withUncertainty([link]))
      #expect(both.estimate == NoiseEstimate([link]))
      #expect("\(both.uncertainty)" == "\(both.estimate.uncertainty(from: [link]))")
    }
    #expect(NoiseEstimate.withUncertainty([])?.estimate == nil)
  }
}
