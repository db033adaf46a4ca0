import Foundation
import NumericalMethods
import TestSupport
import Testing

struct GradientMinimumTests {
  @Test func `finds the end of Rosenbrock's valley`() {
    var evaluations = 0
    let search = GradientMinimum(from: [-1.2, 1], step: 0.01, tolerance: 1e-8) { place, gradient in
      evaluations += 1
      let bend = place[1] - place[0] * place[0]
      gradient = [-400 * place[0] * bend - 2 * (1 - place[0]), 200 * bend]
      return 100 * bend * bend + (1 - place[0]) * (1 - place[0])
    }
    #expect(search.hasConverged)
    #expect(
      isClose(search.place[0], 1, absolute: 1e-6) && isClose(search.place[1], 1, absolute: 1e-6))
    // Without a memory of the curvature there are hundreds.
    #expect(evaluations < 80)
  }

  @Test func `follows a flat valley in six dimensions to its end`() {
    // Curvatures from 1 to 10,000, turned by a reflection about the diagonal.
    let scales = [1.0, 10, 100, 1000, 5000, 10_000]
    func reflected(_ x: [Double]) -> [Double] {
      let share = x.reduce(0, +) / 3
      return x.map { $0 - share }
    }
    let search = GradientMinimum(
      from: [3, -1, 4, 1, -5, 9], step: 0.3, tolerance: 1e-6, maximumSteps: 60
    ) { place, gradient in
      let turned = reflected(place)
      gradient = reflected(zip(scales, turned).map { $0 * $1 })
      return zip(scales, turned).reduce(0) { $0 + 0.5 * $1.0 * $1.1 * $1.1 }
    }
    #expect(search.hasConverged)
    #expect(search.place.allSatisfy { abs($0) < 1e-6 })
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
