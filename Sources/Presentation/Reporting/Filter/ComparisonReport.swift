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
    report.add(table: columns)
    report.add(
      "coverage: truths within the 95 % interval, 95 is right; lag: delay of the filter\n"
        + "noise ÷: what the variance of noise about a constant level is divided by\n")
    return report
  }

  private var columns: [FittedTable.Column] {
    func numbers(_ value: (FilterScore) -> Double, _ places: Int) -> [String] {
      ranked.map { decimal(value($0.score), places) }
    }
    return [
      .init(heading: "filter", cells: ranked.map(\.name), least: 16),
      .init(heading: "RMSE dB", cells: numbers(\.rootMeanSquare, 2)),
      .init(heading: "bias dB", cells: numbers(\.bias, 2), rank: 3),
      .init(heading: "coverage %", cells: numbers({ 100 * $0.coverage }, 0), rank: 2),
      .init(heading: "lag s", cells: numbers(\.lag, 2), rank: 1),
      .init(heading: "noise ÷", cells: numbers(\.noiseReduction, 1), rank: 4),
      .init(heading: "samples", cells: ranked.map { String($0.score.samples) }, rank: 6),
      .init(
        heading: "", cells: ranked.map { $0.isCausal ? "" : "needs later sightings" },
        least: 21, rank: 5),
    ]
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
