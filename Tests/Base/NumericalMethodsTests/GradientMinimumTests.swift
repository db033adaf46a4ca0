import Foundation
import NumericalMethods
import TestSupport
import Testing

struct GradientMinimumTests {
  @Test func `finds the end of Rosenbrock's valley`() {
    let search = GradientMinimum(from: [-1.2, 1], step: 0.01, tolerance: 1e-8) { place, gradient in
      let bend = place[1] - place[0] * place[0]
      gradient = [-400 * place[0] * bend - 2 * (1 - place[0]), 200 * bend]
      return 100 * bend * bend + (1 - place[0]) * (1 - place[0])
    }
    #expect(search.hasConverged)
    #expect(
      isClose(search.place[0], 1, absolute: 1e-6) && isClose(search.place[1], 1, absolute: 1e-6))
  }

  @Test func `evaluates a place once for its value and its gradient`() {
    var places: [[Double]] = []
    _ = GradientMinimum(from: [3, 1], step: 0.1, tolerance: 1e-8) { place, gradient in
      places.append(place)
      gradient = [4 * place[0] * place[0] * place[0], 2 * place[1]]
      return place[0] * place[0] * place[0] * place[0] + place[1] * place[1]
    }
    #expect(places.count > 2)
    #expect(zip(places, places.dropFirst()).allSatisfy { $0 != $1 })
  }

  @Test func `a function that only falls does not converge`() {
    let search = GradientMinimum(from: [0], step: 1, tolerance: 1e-8, maximumSteps: 20) {
      place, gradient in
      gradient = [-1]
      return -place[0]
    }
    #expect(!search.hasConverged)
  }

  @Test func `shortens steps to where the function is not finite`() {
    // Finite above 0 only; the minimum of x − log x is at 1.
    let search = GradientMinimum(from: [0.05], step: 1, tolerance: 1e-9) { place, gradient in
      gradient = [1 - 1 / place[0]]
      return place[0] > 0 ? place[0] - logarithm(place[0]) : .infinity
    }
    #expect(isClose(search.place[0], 1, absolute: 1e-5))
  }
}

private func logarithm(_ x: Double) -> Double { log(x) }
