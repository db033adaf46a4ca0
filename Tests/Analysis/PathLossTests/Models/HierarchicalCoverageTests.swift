import Foundation
import NumericalMethods
import PathLoss
import TestSupport
import Testing

struct HierarchicalCoverageTests {
  @Test(.systemRun)
  func `95 % intervals of P and n contain the true ones about as often as claimed`() throws {
    var generator = SeededGenerator(seed: 2026)
    let links = SimulatedLinks(beacons: 6, receivers: 3, positions: 2)
    let runs = 300
    var power = 0
    var exponent = 0
    var converged = 0
    for _ in 0..<runs {
      let packets = links.packets(&generator)
      let fit = try HierarchicalFit(sums(packets))
      let powers = try #require(fit.powerInterval)
      let exponents = try #require(fit.exponentInterval)
      if powers.contains(links.power) { power += 1 }
      if exponents.contains(links.exponent) { exponent += 1 }
      if fit.hasConverged { converged += 1 }
    }
    print("hierarchical: of \(runs) intervals \(power) hold P, \(exponent) hold n")
    // Four standard errors of a share of 0.95 in 300: 4 √(0.95 · 0.05 / 300) = 0.050.
    #expect((270...300).contains(power))
    #expect((270...300).contains(exponent))
    #expect(converged == runs)
  }
}
