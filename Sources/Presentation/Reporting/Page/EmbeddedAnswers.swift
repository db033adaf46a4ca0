import Evaluation
import Geometry
import Positioning
import RealModule
import Support

/// The questions and answers that the floor plan shows, as compact JSON: lengths in whole
/// centimetres, times in milliseconds, answers relative to the truth.
///
/// If there are too many for a page that opens quickly, every n-th question of each trace is kept,
/// and the worst ones, with a remark on the page. All figures are from all questions.
struct EmbeddedAnswers {
  /// The maximum number of answers of all algorithms together, about 20 bytes each.
  static let mostAnswers = 600_000

  let document: EvaluationDocument
  let errors: [AnswerErrors]
  /// The number of questions per shown question.
  let stride: Int

  init(_ document: EvaluationDocument, _ errors: [AnswerErrors], mostAnswers: Int) {
    self.document = document
    self.errors = errors
    let answers = document.questionCount * max(errors.count, 1)
    stride = max(1, (answers + mostAnswers - 1) / mostAnswers)
  }

  var json: JSONWriter {
    var json = JSONWriter(escapes: .script)
    json.object { json in
      json.key("algorithms")
      json.array { json in
        for error in errors {
          json.object { json in
            json.member("name", error.one.name)
            json.member("asked", error.asked)
            let steps = error.steps(atMost: 400)
            json.member("errors", steps.map { PlanNumber.whole($0.error * 1000) })
            json.member("ranks", steps.map(\.rank))
          }
        }
      }
      // What the plan shows at first: the verdict's algorithm, beside the plain one.
      func place(_ name: String?) -> Int? { errors.firstIndex { $0.one.name == name } }
      let best = place(document.leaderboard.verdict.best.first) ?? 0
      let plain = place(document.strongestBaseline?.baseline)
      json.member("best", best)
      json.member("plain", plain.flatMap { $0 == best ? nil : $0 } ?? -1)
      json.member("unit", document.settings.resampled.name)
      json.member("refusals", Refusal.allCases.map(\.description))
      json.member("reasons", Uncertainty.Reason.allCases.map(\.description))
      json.key("traces")
      json.array { json in
        for index in document.traces.indices { append(trace: index, to: &json) }
      }
    }
    return json
  }

  private var hasFloors: Bool { document.site.storeys.count > 1 }

  private func shown(inTrace index: Int) -> [Int] {
    let count = document.traces[index].questions.count
    guard stride > 1 else { return Array(0..<count) }
    var shown = Set(Swift.stride(from: 0, to: count, by: stride))
    for error in errors {
      for place in error.worst where place.trace == index { shown.insert(place.question) }
    }
    return shown.sorted()
  }

  private func append(trace index: Int, to json: inout JSONWriter) {
    let trace = document.traces[index]
    let numbers = shown(inTrace: index)
    let questions = numbers.map { trace.questions[$0] }
    let truths = questions.map {
      (x: PlanNumber.centimetres($0.truth.x), y: PlanNumber.centimetres($0.truth.y))
    }
    let start = trace.questions.first?.asked ?? 0
    json.object { json in
      json.member("name", trace.name)
      json.member("count", trace.questions.count)
      if stride > 1 { json.member("numbers", numbers) }
      json.member("t", questions.map { PlanNumber.whole(Double($0.asked &- start) / 1e6) })
      json.member("x", Self.differences(truths.map(\.x)))
      json.member("y", Self.differences(truths.map(\.y)))
      if hasFloors { json.member("f", questions.map { $0.truthFloor ?? 0 }) }
      json.member("heard", questions.map(\.anchors))
      json.member(
        "bound",
        questions.map { question in
          question.bound.map { PlanNumber.centimetres(($0.xx + $0.yy).squareRoot()) } ?? -1
        })
      json.key("answers")
      json.array { json in
        for error in errors {
          append(
            numbers.map { error.one.answers.outcomes[index][$0] }, truths: truths,
            floors: hasFloors ? questions.map { $0.truthFloor ?? 0 } : [], to: &json)
        }
      }
    }
  }

  /// Writes answers. A refusal has null for x and the number of its reason for y; an answer without
  /// an ellipse has -1 minus the number of the reason for a.
  private func append(
    _ outcomes: [Outcome], truths: [(x: Int, y: Int)], floors: [Int], to json: inout JSONWriter
  ) {
    let estimates = outcomes.map(\.estimate)
    json.object { json in
      json.key("x")
      json.array { json in
        for (estimate, truth) in zip(estimates, truths) {
          if let estimate {
            json.integer(PlanNumber.centimetres(estimate.position.x) - truth.x)
          } else {
            json.null()
          }
        }
      }
      json.member(
        "y",
        zip(outcomes, truths).map { outcome, truth in
          switch outcome {
          case .located(let estimate): PlanNumber.centimetres(estimate.position.y) - truth.y
          case .refused(let refusal): Refusal.allCases.firstIndex(of: refusal) ?? 0
          }
        })
      // An answer without a floor is shown on that of the truth.
      if hasFloors { json.member("f", zip(estimates, floors).map { $0?.floor ?? $1 }) }
      let ellipses = estimates.map {
        $0.map { PlanNumber.ellipse($0.uncertainty) } ?? (major: -1, minor: 0, degrees: 0)
      }
      json.member("a", ellipses.map(\.major))
      json.member("b", ellipses.map(\.minor))
      json.member("g", ellipses.map(\.degrees))
    }
  }

  private static func differences(_ values: [Int]) -> [Int] {
    values.enumerated().map { index, value in index == 0 ? value : value - values[index - 1] }
  }
}
