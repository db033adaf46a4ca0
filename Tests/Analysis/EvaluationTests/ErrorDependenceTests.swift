import Geometry
import Positioning
import TestSupport
import Testing

@testable import Evaluation

struct ErrorDependenceTests {
  private func dependence(
    _ errors: [[Double?]], recordings: [Int?]? = nil
  ) -> ErrorDependence? {
    let traces = errors.enumerated().map { trace, errors in
      EvaluatedTrace(
        name: "\(trace)",
        questions: errors.indices.map {
          Question(
            instant: Int64($0), asked: 0, truth: Point(x: 0, y: 0),
            recording: recordings?[trace])
        })
    }
    let outcomes = errors.map { $0.map { $0.map { located($0, 0) } ?? .refused(.tooFewAnchors) } }
    return ErrorDependence(AlgorithmAnswers(name: "a", outcomes: outcomes), traces: traces)
  }

  @Test func `is the correlation of an autoregression, and its effective number`() throws {
    var generator = SeededGenerator(seed: 3)
    let errors = (0..<10).map { _ -> [Double?] in
      var state = generator.gaussian()
      return (0..<1000).map { _ in
        state = 0.6 * state + 0.8 * generator.gaussian()
        return 10 + state
      }
    }
    let found = try #require(dependence(errors))
    #expect(found.pairs == 9990)
    // Four standard errors of √((1 − ρ²) / n).
    #expect(isClose(found.lagOne, 0.6, absolute: 0.032))
    #expect(isClose(found.effectiveAnswers, 2500, relative: 0.12))
  }

  @Test func `pairs only successive answers of one recording`() throws {
    let errors: [Double?] = [1, 5, 1, 5, 1, 5, nil, 1, 5, 1, 5, 1, 5]
    let found = try #require(dependence([errors]))
    #expect(found.pairs == 10 && found.lagOne == -1)
    #expect(found.effectiveAnswers == 12)
    #expect(dependence([Array(errors.prefix(6)), Array(errors.suffix(5))]) == nil)
    #expect(dependence([Array(repeating: 2, count: 20)]) == nil)
  }
}
