import Filtering
import NumericalMethods
import TestSupport
import Testing

/// Links that no receiver would report: the estimate is a number, and no other q and r beat it.
struct NoiseEstimateFuzzTests {
  private func link(_ generator: inout SeededGenerator) -> NoiseEstimate.Link {
    let count = Int.random(in: 0...60, using: &generator)
    let kind = Int.random(in: 0..<6, using: &generator)
    let size = [0.1, 3, 50, 1e6, 1e30].randomElement(using: &generator)!
    var link = NoiseEstimate.Link()
    var (time, level): (Int64, Double) = (Int64.random(in: 0...1_000_000_000, using: &generator), 0)
    for _ in 0..<count {
      switch Int.random(in: 0..<30, using: &generator) {
      case 0: time = Int64.random(in: .min ... .max, using: &generator)
      case 1: time &-= 1_000_000_000
      case 2...5: break
      case 6: time &+= 1
      default: time &+= Int64.random(in: 0...2_000_000_000, using: &generator)
      }
      level += size * generator.gaussian()
      let noise = size * generator.gaussian()
      let value =
        switch kind {
        case 0: level
        case 1: noise
        case 2: level + noise
        case 3: (level + noise).rounded()
        case 4: (2 * noise).rounded() / 2
        default: Double(Int.random(in: 0...1, using: &generator))
        }
      link.times.append(time)
      link.levels.append(Float(value))
    }
    if Int.random(in: 0..<4, using: &generator) == 0 {
      for _ in 0..<3 {
        guard let k = link.levels.indices.randomElement(using: &generator) else { break }
        link.levels[k] = [.nan, .infinity, -.infinity].randomElement(using: &generator)!
      }
    }
    return link
  }

  @Test(arguments: 0..<8)
  func `whatever the levels, the estimate is a number that no other beats`(seed: UInt64) {
    var generator = SeededGenerator(seed: 100 + seed)
    var made = 0
    for _ in 0..<25 {
      var links = (0..<Int.random(in: 0...4, using: &generator)).map { _ in link(&generator) }
      if Int.random(in: 0..<10, using: &generator) == 0, !links.isEmpty, !links[0].levels.isEmpty {
        links[0].levels.removeLast()
      }
      guard let estimate = NoiseEstimate(links) else { continue }
      made += 1
      #expect(estimate.q >= 0 && estimate.q.isFinite && estimate.r > 0 && estimate.r.isFinite)
      #expect(estimate.logLikelihood.isFinite)
      let finite = links.flatMap(\.levels).filter(\.isFinite)
      let isWhole = finite.allSatisfy { $0 == $0.rounded() }
      let isHalf = finite.allSatisfy { 2 * $0 == (2 * $0).rounded() }
      let spacing = Double(finite.map { abs($0) }.max()?.ulp ?? 0)
      let leastR = isWhole ? 1.0 / 12 : isHalf ? 1.0 / 48 : spacing * spacing / 12
      #expect(estimate.r >= leastR)
      for _ in 0..<20 {
        let q = estimate.q * .exp10(generator.gaussian()) + (estimate.q == 0 ? 1e-3 : 0)
        let r = max(leastR, estimate.r * .exp10(generator.gaussian()))
        let other = likelihood(of: links, q, r)
        let rounding = 1e-9 * (1 + abs(other))
        #expect(other <= estimate.logLikelihood + rounding, "\(q), \(r): \(estimate)")
      }
      let uncertainty = estimate.uncertainty(from: links)
      #expect(uncertainty.q.contains(estimate.q) && uncertainty.q.lower >= 0)
      #expect(uncertainty.r.contains(estimate.r) && uncertainty.r.lower >= leastR)
      #expect(uncertainty.q.upper.isFinite && uncertainty.r.upper.isFinite)
      if let whiteness = Whiteness(links, q: estimate.q, r: estimate.r) {
        #expect((0...1).contains(whiteness.pValue) && whiteness.meanNIS >= 0)
      }
    }
    #expect(made > 5)
  }
}

extension Double {
  /// A power of ten, without a library of its own.
  fileprivate static func exp10(_ x: Double) -> Double {
    let factor = x < 0 ? 0.794328234724 : 1.258925411794
    return (0..<Int((abs(x) * 10).rounded())).reduce(1) { product, _ in product * factor }
  }
}
