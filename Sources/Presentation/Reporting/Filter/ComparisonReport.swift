import Evaluation
package import Support
package import TracePipelines

/// The table and the JSON document of a comparison of filters, best first.
package struct ComparisonReport {
  private let compared: ComparedFilters

  package init(_ compared: ComparedFilters) { self.compared = compared }

  private var ranked: [ComparedFilters.Scored] {
    compared.scores.sorted { a, b in
      (a.score.rootMeanSquare.isNaN ? .infinity : a.score.rootMeanSquare)
        < (b.score.rootMeanSquare.isNaN ? .infinity : b.score.rootMeanSquare)
    }
  }

  package var text: TextReport {
    var report = TextReport(
      "\(compared.sightings) sightings of \(compared.links) links, compared with "
        + "\(compared.truth.words); the first \(compared.settling) of each link are not scored\n")
    report.add(table: table)
    report.add(
      "coverage: truths within the 95 % interval, 95 is right; lag: delay of the filter\n"
        + "noise ÷: what the variance of noise about a constant level is divided by\n")
    return report
  }

  private var table: ReportTable {
    ReportTable(
      of: ranked,
      [
        .text("filter", least: 16) { .name($0.name) },
        .number("RMSE dB") { .number($0.score.rootMeanSquare) },
        .number("bias dB", rank: 3) { .number($0.score.bias) },
        .number("coverage %", rank: 2) { .number(100 * $0.score.coverage, 0) },
        .number("lag s", rank: 1) { .number($0.score.lag) },
        .number("noise ÷", rank: 4) { .number($0.score.noiseReduction, 1) },
        .number("samples", rank: 6) { .count($0.score.samples) },
        .text("", rank: 5, least: 21) { .text($0.isCausal ? "" : "needs later sightings") },
      ])
  }

  package var json: JSONValue {
    .object([
      "truth": .string(compared.truth.rawValue), "sightings": .integer(compared.sightings),
      "links": .integer(compared.links), "settling": .integer(compared.settling),
      "filters": .array(
        ranked.map { name, isCausal, score in
          .object([
            "filter": .string(name), "causal": .boolean(isCausal),
            "samples": .integer(score.samples), "rmse_db": .optional(score.rootMeanSquare),
            "bias_db": .optional(score.bias), "coverage95": .optional(score.coverage),
            "lag_s": .optional(score.lag), "noise_reduction": .optional(score.noiseReduction),
          ])
        }),
    ])
  }
}
