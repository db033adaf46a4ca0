package import Evaluation
import NumericalMethods
import Positioning
import Proximity
import Sightings
package import Support
package import TraceStore

/// The evaluation of one set of distances as a page, JSON and CSV.
package struct DistanceReport {
  private let evaluation: DistanceEvaluation
  private let title: String
  private let command: String
  private let version: String
  private var board: Leaderboard { evaluation.leaderboard }

  package init(
    _ evaluation: DistanceEvaluation, title: String, by tool: ToolIdentity, command: String
  ) {
    (self.evaluation, self.title) = (evaluation, title)
    (version, self.command) = (tool.version, command)
  }

  private var table: ReportTable {
    let best = board.verdict.best
    func number(_ heading: String, _ value: @escaping (ErrorSummary) -> Double)
      -> ReportTable.Column<Score>
    {
      .number(heading) { .number($0.statistics.errors.map(value)) }
    }
    func figures(_ score: Score) -> DistanceFigures? { evaluation.figures[score.name] }
    return ReportTable(
      "Error of the distance in metres over \(grouped(board.scores.first?.statistics.asked ?? 0)) windows",
      of: board.scores,
      [
        .text("algorithm") { .name($0.name) },
        .number("median") { score in
          var cell = ReportTable.Cell.number(score.statistics.errors?.median)
          cell.standing =
            best.first == score.name ? .best : best.contains(score.name) ? .tied : .behind
          return cell
        },
        .text("95 % interval", "Of the median, over the units that are left out") {
          .interval($0.intervals.median.interval)
        },
        number("mean") { $0.mean }, number("RMS") { $0.rms }, number("p75") { $0.p75 },
        number("p95") { $0.p95 },
        .number("factor", "Median of the larger of estimate / truth and truth / estimate") {
          .number(figures($0)?.factor)
        },
        .number("in 95 %", "Share of 95 % intervals that contain the true distance") {
          .share(figures($0)?.coverage?.share)
        },
        .text("interval of the share", "Over the units that are left out") {
          .shares(figures($0)?.coverage?.interval.interval)
        },
        .number("answered", "Share of windows with a distance") {
          .share($0.statistics.availability)
        },
      ])
  }

  private var verdict: Sentence {
    let verdict = board.verdict
    guard let winner = verdict.winner else {
      return
        "No winner: \(verdict.reason?.description(of: .places).replacing("place", with: "unit") ?? "")."
    }
    return "\(name: winner) is significantly better than every other algorithm."
  }

  package var page: String {
    var data = JSONWriter(escapes: .script)
    data.object { _ in }
    return ReportPage(
      version: version, kicker: "Distances", title: title,
      summary: "<p class=\"verdict\">\(verdict.html)</p>\n",
      sections: [
        PageSection(
          name: "leaderboard", heading: "Leaderboard", short: "Leaderboard",
          introduction:
            "Each window is answered with what other places, or other series, teach. Bold: the smallest median. Tinted: no significant difference from it. Units: \(evaluation.units.count).",
          content: table.html),
        .provenance(command),
      ], data: data, script: []
    ).text
  }

  package var json: JSONValue {
    [
      "windows": board.scores.first?.statistics.asked, "units": evaluation.units.count,
      "best": board.verdict.best.json,
      "algorithms": board.scores.map { score -> JSONValue in
        let (errors, figures) = (score.statistics.errors, evaluation.figures[score.name])
        return [
          "name": score.name, "answered": score.statistics.answered,
          "availability": score.statistics.availability,
          "error_m": [
            "mean": errors?.mean, "rms": errors?.rms, "median": errors?.median,
            "p75": errors?.p75, "p95": errors?.p95,
          ],
          "ci95": score.intervals, "median_factor": figures?.factor,
          "intervals": figures?.intervals, "in_95_interval": figures?.coverage?.share,
          "in_95_interval_ci95": figures?.coverage?.interval,
        ]
      },
    ]
  }

  private typealias Row = (
    unit: String, question: DistanceQuestion, name: String,
    outcome: Result<DistanceEstimate, Refusal>
  )

  private static let columns: CSVColumns<Row> = [
    "unit": { CSV.text($0.unit) }, "series": { CSV.text($0.question.series) },
    "start_s": { Timestamp.decimalSeconds($0.question.span.lowerBound) },
    "end_s": { Timestamp.decimalSeconds($0.question.span.upperBound) },
    "packets": { String($0.question.packets) },
    "rssi_dbm": { CSV.number($0.question.level, 3) },
    "truth_m": { CSV.number($0.question.truth, 4) }, "algorithm": { CSV.text($0.name) },
    "distance_m": { CSV.number($0.outcome.estimate?.distance, 4) },
    "lower_m": { CSV.number($0.outcome.estimate?.interval?.lower, 4) },
    "upper_m": { CSV.number($0.outcome.estimate?.interval?.upper, 4) },
    "refusal": { row in
      if case .failure(let refusal) = row.outcome { refusal.description } else { "" }
    },
  ]

  /// Every answer: one line per window and algorithm.
  package var csv: String {
    var text = Self.columns.names + "\n"
    for (place, unit) in evaluation.units.enumerated() {
      for (number, question) in unit.questions.enumerated() {
        for answers in evaluation.answers {
          text +=
            Self.columns.fields(
              (unit.name, question, answers.name, answers.outcomes[place][number])) + "\n"
        }
      }
    }
    return text
  }
}

extension Result<DistanceEstimate, Refusal> {
  fileprivate var estimate: DistanceEstimate? { try? get() }
}
