import Foundation
import NumericalMethods
import Testing

struct VectorStreamTests {
  @Test func `the same seed gives the same numbers, another one others`() {
    var (a, b, c) = (VectorStream(seed: 7), VectorStream(seed: 7), VectorStream(seed: 8))
    for _ in 0..<20 {
      let expected = a.uniform()
      #expect(b.uniform() == expected)
      #expect(c.uniform() != expected)
    }
  }

  @Test func `Gaussian numbers have the moments and tails of the normal distribution`() {
    var stream = VectorStream(seed: 3)
    var (sum, square, fourth, product, tail) = (0.0, 0.0, 0.0, 0.0, 0)
    let count = 16 * 20_000
    for _ in 0..<(count / 16) {
      let (x, y) = stream.gaussianPair()
      for lane in 0..<8 {
        let (a, b) = (Double(x[lane]), Double(y[lane]))
        sum += a + b
        square += a * a + b * b
        fourth += a * a * a * a + b * b * b * b
        product += a * b
        tail += (abs(a) > 1.959964 ? 1 : 0) + (abs(b) > 1.959964 ? 1 : 0)
      }
    }
    // Four standard errors of each.
    let error = 4 / Double(count).squareRoot()
    #expect(abs(sum / Double(count)) < error)
    #expect(abs(square / Double(count) - 1) < 1.5 * error)
    #expect(abs(fourth / Double(count) - 3) < 10 * error)
    #expect(abs(product / Double(count / 2)) < 1.5 * error)
    #expect(abs(Double(tail) / Double(count) - 0.05) < 0.22 * error)
  }
}
