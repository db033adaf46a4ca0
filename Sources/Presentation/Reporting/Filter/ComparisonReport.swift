import Evaluation
package import Support
package import TracePipelines

/// The table and the JSON document of a comparison of filters, best first.
package struct ComparisonReport {
  private let comparison: FilterComparison

  package init(_ comparison: FilterComparison) { self.comparison = comparison }

  private var truth: ComparedTrace.Truth { comparison.trace.truth }
  private var links: Int { Set(comparison.trace.keys).count }
  private var sightings: Int { comparison.trace.table.count }
  private var settling: Int { comparison.settling }

  private var ranked: [(candidate: FilterCandidate, score: FilterScore)] {
    comparison.scores.sorted { a, b in
      (a.score.rootMeanSquare.isNaN ? .infinity : a.score.rootMeanSquare)
        < (b.score.rootMeanSquare.isNaN ? .infinity : b.score.rootMeanSquare)
    }
  }

  package var text: String {
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

  package var json: JSONValue {
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
