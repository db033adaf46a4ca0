import Geometry
import NumericalMethods
import Testing

@testable import Simulation

struct RandomStreamTests {
  let count = 200_000

  @Test func `uniform numbers fill the unit interval`() {
    var stream = RandomStream(seed: 1, for: .walk)
    let values = (0..<count).map { _ in stream.uniform() }
    #expect(values.allSatisfy { (0..<1).contains($0) })
    #expect(Moments(values).hasMean(0.5, deviation: (1.0 / 12).squareRoot()))
    // Mean of u² is 1/3 and its variance 1/5 - 1/9.
    #expect(Moments(values.map { $0 * $0 }).hasMean(1.0 / 3, deviation: (4.0 / 45).squareRoot()))
  }

  /// The first four moments are 0, 1, 0, 3; the variances of x³ and x⁴ are 15 and 96.
  @Test func `Gaussian numbers have Gaussian moments`() {
    var stream = RandomStream(seed: 2, for: .walk)
    let values = (0..<count).map { _ in stream.gaussian() }
    #expect(Moments(values).hasMean(0, deviation: 1))
    #expect(Moments(values).hasGaussianVariance(1))
    #expect(Moments(values.map { $0 * $0 * $0 }).hasMean(0, deviation: 15.0.squareRoot()))
    #expect(Moments(values.map { $0 * $0 * $0 * $0 }).hasMean(3, deviation: 96.0.squareRoot()))
  }

  @Test(arguments: [(1.0, 0.3173105079), (2.0, 0.0455002639), (3.0, 0.0026997961)])
  func `Gaussian tails have their share`(_ bound: Double, _ share: Double) {
    var stream = RandomStream(seed: 3, for: .walk)
    let beyond = (0..<count).filter { _ in abs(stream.gaussian()) > bound }.count
    #expect(isShare(beyond, of: count, share))
  }

  /// Box-Muller makes two numbers of a pair of uniform ones; they must not know each other.
  @Test func `successive numbers are uncorrelated`() {
    var stream = RandomStream(seed: 4, for: .walk)
    let products = (0..<count).map { _ in stream.gaussian() * stream.gaussian() }
    #expect(Moments(products).hasMean(0, deviation: 1))
  }

  @Test func `one name gives one stream`() {
    var a = RandomStream(seed: 5, for: .link, 3, 7)
    var b = RandomStream(seed: 5, for: .link, 3, 7)
    #expect((0..<9).allSatisfy { _ in a.gaussian() == b.gaussian() })
  }

  @Test func `other names give independent streams`() {
    let names = [
      RandomStream(seed: 6, for: .link, 3, 7), RandomStream(seed: 7, for: .link, 3, 7),
      RandomStream(seed: 6, for: .stay, 3, 7), RandomStream(seed: 6, for: .link, 7, 3),
      RandomStream(seed: 6, for: .link, 3, 8), RandomStream(seed: 6, for: .link, 3),
    ]
    for (i, first) in names.enumerated() {
      for second in names[..<i] {
        var (a, b) = (first, second)
        let products = (0..<10_000).map { _ in a.gaussian() * b.gaussian() }
        #expect(Moments(products).hasMean(0, deviation: 1))
      }
    }
  }
}
