import Evaluation
import Foundation
import Geometry
import Positioning
import Testing

@testable import Reporting

/// Pictures of the evaluation page against figures that are worked out another way.
@Suite("Pictures of the evaluation page")
struct PagePictureTests {
  private let document = Sample(walks: 4, questionsEach: 60).document

  @Test func `claims are kept as often as a count of squared scores shows`() throws {
    let html = try #require(ReliabilityChart(document)).html.text
    for one in document.ranked {
      var scores: [Double] = []
      for (trace, outcomes) in zip(document.traces, one.answers.outcomes) {
        for (question, outcome) in zip(trace.questions, outcomes) {
          guard case .located(let estimate) = outcome,
            case .covariance(let c) = estimate.uncertainty
          else { continue }
          let (x, y) = (
            estimate.position.x - question.truth.x, estimate.position.y - question.truth.y
          )
          scores.append(
            (c.yy * x * x - 2 * c.xy * x * y + c.xx * y * y) / (c.xx * c.yy - c.xy * c.xy))
        }
      }
      let curve = html.firstMatch(
        of: try Regex(
          "class=\"curve c\(one.place)\"[^>]*d=\"M([^\"]*)\"", as: (Substring, Substring).self))
      guard !scores.isEmpty else {
        #expect(curve == nil)
        continue
      }
      let points = try #require(curve).1.split(separator: "L")
      #expect(points.count == 41)
      for (index, claim) in [(10, 0.25), (20, 0.5), (38, 0.95)] {
        let held = Double(scores.count { $0 <= -2 * log(1 - claim) }) / Double(scores.count)
        let numbers = points[index].split(separator: " ").compactMap { Double($0) }
        #expect(abs(numbers[0] - (58 + 400 * claim)) < 0.1)
        #expect(abs(numbers[1] - (414 - 400 * held)) < 0.1)
      }
    }
  }

  @Test func `boxes have the medians of the traces' scores`() throws {
    let html = try #require(TraceBoxes(document)).html.text
    let found = html.matches(of: #/<title>([^:<]*): median ([0-9.]+) m/#).map {
      "\($0.1) \($0.2)"
    }
    let expected = document.leaderboard.scores[0].traces.map { trace in
      "\(trace.name) \(String(format: "%.2f", trace.statistics.errors?.median ?? .nan))"
    }
    #expect(found == expected)
  }

  @Test func `one trace has no boxes, and no answer no picture`() {
    #expect(TraceBoxes(Sample(walks: 1, questionsEach: 20).document) == nil)
    #expect(ErrorMap(Sample(walks: 1, questionsEach: 1).document) == nil)
  }

  @Test func `a map of errors has the medians of the answers of each cell`() throws {
    let map = try #require(ErrorMap(document))
    let grid = map.grid
    let one = document.ranked[0]
    let layer = try #require(map.layers.first { $0.name.hasSuffix(one.name) })
    for row in 0..<grid.rows {
      for column in 0..<grid.columns {
        var errors: [Double] = []
        for (trace, outcomes) in zip(document.traces, one.answers.outcomes) {
          for (question, outcome) in zip(trace.questions, outcomes) {
            guard case .located(let estimate) = outcome else { continue }
            let (x, y) = (question.truth.x - grid.origin.x, question.truth.y - grid.origin.y)
            if Int(x / grid.cell) == column, Int(y / grid.cell) == row {
              errors.append(
                hypot(
                  estimate.position.x - question.truth.x, estimate.position.y - question.truth.y))
            }
          }
        }
        let value = layer.values[row * grid.columns + column]
        guard errors.count >= 3 else {
          #expect(value.isNaN)
          continue
        }
        errors.sort()
        let middle = errors.count / 2
        let median =
          errors.count % 2 == 1 ? errors[middle] : (errors[middle - 1] + errors[middle]) / 2
        #expect(abs(value - median) < 1e-9)
      }
    }
  }
}
