import NumericalMethods
import RealModule
import Testing

@testable import Simulation

struct CorrelatedFieldTests {
  /// Over many fields, E[x(0) x(Δ)] = σ² exp(-Δ / d), however many steps lead there; the product's
  /// standard deviation is σ² √(1 + ρ²).
  @Test(arguments: [0.1, 0.5, 2.0, 6.0], [1, 7])
  func `correlation falls exponentially`(_ distance: Double, _ steps: Int) {
    var stream = RandomStream(seed: 1, for: .link)
    var ends: [Double] = []
    let products = (0..<40_000).map { _ in
      var field = CorrelatedField(deviation: 4, distance: 2, from: &stream)
      let start = field.level(at: 0, from: &stream)
      var end = 0.0
      for step in 1...steps {
        end = field.level(at: distance * Double(step) / Double(steps), from: &stream)
      }
      ends.append(end)
      return start * end
    }
    let rho = Double.exp(-distance / 2)
    #expect(Moments(products).hasMean(16 * rho, deviation: 16 * (1 + rho * rho).squareRoot()))
    #expect(Moments(ends).hasMean(0, deviation: 4))
    #expect(Moments(ends).hasGaussianVariance(16))
  }

  @Test func `stands still with the receiver`() {
    var stream = RandomStream(seed: 2, for: .link)
    var field = CorrelatedField(deviation: 4, distance: 2, from: &stream)
    let level = field.level(at: 3, from: &stream)
    #expect((0..<5).allSatisfy { _ in field.level(at: 3, from: &stream) == level })
    #expect(field.level(at: 3.1, from: &stream) != level)
  }
}
