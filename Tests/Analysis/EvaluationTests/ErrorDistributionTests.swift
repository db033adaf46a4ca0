import Foundation
import NumericalMethods
import TestSupport
import Testing

@testable import Evaluation

struct ErrorDistributionTests {
  @Test func `the curve counts refusals, and a single trace has no band`() throws {
    let score = Score(answers("a", [[1, 2, nil, 4]]), traces: questions([4]))
    let points = try #require(score.distribution).points
    #expect(points.last?.length == 4 && points.last?.share == 0.75)
    #expect(zip(points, points.dropFirst()).allSatisfy { $0.length < $1.length })
    #expect(points.allSatisfy { $0.interval.interval == nil })
    // One of four questions has an error of at most 1.9.
    #expect(points.last { $0.length < 2 }?.share == 0.25)
    #expect(Score(answers("a", [[nil]]), traces: questions([1])).distribution == nil)
  }

  @Test func `the band holds the distribution at a length in 95 % of evaluations`() throws {
    var generator = SeededGenerator(seed: 9)
    let bootstrap = TraceBootstrap(resamples: 200)
    let shares = [0.25, 0.5, 0.9]
    func trace() -> [Double] {
      let scale = exp(0.35 * generator.gaussian())
      return (0..<40).map { _ in scale * hypot(generator.gaussian(), generator.gaussian()) }
    }
    let truth = SortedSample((0..<3000).flatMap { _ in trace() })
    let lengths = try shares.map { try #require(truth.quantile($0)) }
    var held = shares.map { _ in 0 }
    for _ in 0..<300 {
      let errors = (0..<8).map { _ in trace() }
      let points = try #require(
        ErrorDistribution(errors, asked: errors.map(\.count), bootstrap: bootstrap)
      ).points
      for (index, length) in lengths.enumerated() {
        // The nearest point stands for the length: its share differs by at most a step.
        let point = try #require(
          points.min { abs($0.length - length) < abs($1.length - length) })
        let interval = try #require(point.interval.interval)
        if interval.lower - 0.013 <= shares[index], shares[index] <= interval.upper + 0.013 {
          held[index] += 1
        }
      }
    }
    // 95 % less three standard errors of 300 draws.
    #expect(held.allSatisfy { $0 >= 273 }, "\(held)")
  }
}
