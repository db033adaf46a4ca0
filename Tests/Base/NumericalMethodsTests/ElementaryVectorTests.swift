import Foundation
import NumericalMethods
import Testing

struct ElementaryVectorTests {
  private static func isClose(
    _ found: SIMD8<Float>, _ expected: (Int) -> Double, absolute: Double = 0, relative: Double
  ) -> Bool {
    (0..<8).allSatisfy {
      abs(Double(found[$0]) - expected($0)) <= absolute + relative * abs(expected($0))
    }
  }

  @Test(arguments: 0..<50)
  func `powers of e, logarithms and roots are those of the C library`(step: Int) {
    let lanes = SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7)
    let powers = (lanes / 7 - 0.5) * 3.4 * Float(step)
    #expect(Self.isClose(powers.exponential, { exp(Double(powers[$0])) }, relative: 3e-7))
    let positive = powers.exponential
    #expect(
      Self.isClose(
        positive.logarithm, { log(Double(positive[$0])) }, absolute: 3e-7, relative: 1e-6))
    #expect(Self.isClose(positive.root, { sqrt(Double(positive[$0])) }, relative: 6e-6))
  }

  @Test func `beyond the range of a power it stays finite, and ends are exact`() {
    let far = SIMD8<Float>(-1e9, 1e9, -100, 100, 0, 0, -.infinity, .infinity)
    #expect((0..<8).allSatisfy { far.exponential[$0].isFinite && far.exponential[$0] > 0 })
    #expect(far.exponential[4] == 1)
    #expect(SIMD8<Float>(repeating: 1).logarithm == .zero)
    #expect(SIMD8<Float>.zero.root == .zero)
  }

  @Test(arguments: 0..<20)
  func `sines and cosines of half turns are those of the C library`(step: Int) {
    let turns = (SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7) / 7 - 0.5) * Float(step) / 19
    #expect(
      Self.isClose(
        turns.sineOfHalfTurns, { sin(.pi * Double(turns[$0])) }, absolute: 3e-7, relative: 0))
    #expect(
      Self.isClose(
        turns.cosineOfHalfTurns, { cos(.pi * Double(turns[$0])) }, absolute: 3e-7, relative: 0))
  }

  @Test func `whole parts and their integers are right`() {
    let numbers = SIMD8<Float>(0, 0.25, 0.99, 1, 1.5, 2, 1000.75, 4096)
    for lane in 0..<8 {
      let (whole, number) = (numbers.wholeBelow[lane], numbers[lane])
      #expect(whole == number.rounded(.down) || whole == number - 1)
      #expect(Float(numbers.wholeBelow.wholeBits[lane]) == whole)
    }
  }
}
