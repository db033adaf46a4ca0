import Evaluation
import Reporting
import Support

/// The table and the JSON document of a comparison of filters, best first.
struct ComparisonReport {
  let scores: [(candidate: FilterCandidate, score: FilterScore)]
  let truth: ComparedTrace.Truth
  let links: Int
  let sightings: Int
  let settling: Int

  private var ranked: [(candidate: FilterCandidate, score: FilterScore)] {
    scores.sorted { a, b in
      (a.score.rootMeanSquare.isNaN ? .infinity : a.score.rootMeanSquare)
        < (b.score.rootMeanSquare.isNaN ? .infinity : b.score.rootMeanSquare)
    }
  }

  var text: String {
    let against =
      switch truth {
      case .levels: "the true levels in the trace"
      case .dwells: "the mean level of each stay"
      case .heldBack: "one sighting in ten, held back (its noise is in the errors)"
      }
    var rows = [["filter", "RMSE dB", "bias dB", "in 95 %", "lag s", "noise ÷", "samples", ""]]
    for (candidate, score) in ranked {
      rows.append([
        candidate.name, decimal(score.rootMeanSquare, 2), decimal(score.bias, 2),
        score.coverage.isNaN ? "–" : decimal(100 * score.coverage, 0) + " %",
        decimal(score.lag, 2), decimal(score.noiseReduction, 1), String(score.samples),
        candidate.isCausal ? "" : "needs later sightings",
      ])
    }
    return
      "\(sightings) sightings of \(links) links, compared with \(against); the first \(settling) "
      + "of each link are not scored\n"
      + aligned(rows)
  }

  var json: JSONValue {
    .object([
      "truth": .string(truth.rawValue), "sightings": .integer(sightings), "links": .integer(links),
      "settling": .integer(settling),
      "filters": .array(
        ranked.map { candidate, score in
          .object([
            "filter": .string(candidate.name), "causal": .boolean(candidate.isCausal),
            "samples": .integer(score.samples), "rmse_db": .optional(score.rootMeanSquare),
            "bias_db": .optional(score.bias), "coverage95": .optional(score.coverage),
            "lag_s": .optional(score.lag), "noise_reduction": .optional(score.noiseReduction),
          ])
        }),
    ])
  }
}
