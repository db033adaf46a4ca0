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
    [
      "truth": compared.truth.rawValue, "sightings": compared.sightings,
      "links": compared.links, "settling": compared.settling,
      "filters": ranked.map { name, isCausal, score -> JSONValue in
        [
          "filter": name, "causal": isCausal,
          "samples": score.samples, "rmse_db": score.rootMeanSquare,
          "bias_db": score.bias, "coverage95": score.coverage,
          "lag_s": score.lag, "noise_reduction": score.noiseReduction,
        ]
      },
    ]
  }
}
