package import Evaluation
package import Support

/// The report on a planned campaign: the number of traces, with the power and the errors of
/// simulated campaigns.
package struct CampaignPlanReport {
  private let rows: [CampaignRequest.Row]
  private let power: Double

  package init(_ rows: [CampaignRequest.Row], power: Double) {
    (self.rows, self.power) = (rows, power)
  }

  package var json: JSONValue {
    [
      "power": power, "most_traces": CampaignPlan.most,
      "plans": rows.map { row -> JSONValue in
        [
          "algorithms": row.algorithms, "pilot_traces": row.pilotTraces, "goal": goal(row.goal),
          "formula_traces": row.plan.formula, "traces": row.plan.traces,
          "cautious_traces": row.cautious, "simulated_power": row.plan.power,
          "simulated_error": row.plan.size,
        ]
      },
    ]
  }

  private func goal(_ goal: CampaignGoal) -> JSONValue {
    switch goal {
    case .difference(let size, let deviation, let comparisons):
      [
        "kind": "difference", "of_m": size, "sd_m": deviation, "comparisons": comparisons,
      ]
    case .width(let size, let error, let spread):
      ["kind": "width", "of_m": size, "error_m": error, "spread": spread]
    }
  }

  package var text: TextReport {
    var report = TextReport()
    report.add(heading: "traces for \(heading), power \(percent(power))")
    report.add(
      table: ReportTable(
        of: rows,
        [
          .text("assumptions", least: 16) { .text(Self.assumptions($0)) },
          .number("formula") { .text($0.plan.formula.map(String.init) ?? Self.tooMany) },
          .number("traces") { .text($0.plan.traces.map(String.init) ?? Self.tooMany) },
          .number("cautious") { row in
            .text(
              row.pilotTraces == nil ? "–" : row.cautious.map(String.init) ?? Self.tooMany)
          },
          .number("simulated power") { .share($0.plan.power) },
          .number(isWidth ? "missed" : "false positives") { .share($0.plan.size) },
        ]))
    report.add("\n" + explanation)
    return report
  }

  private static let tooMany = "> \(CampaignPlan.most)"

  private var isWidth: Bool { if case .width = rows.first?.goal { true } else { false } }

  private var heading: String {
    switch rows.first?.goal {
    case .difference(let size, _, let comparisons):
      "a significant difference of \(plain(size)) m"
        + (comparisons > 1 ? " among \(comparisons) comparisons" : "")
    case .width(let size, _, _): "a 95 % interval of \(plain(size)) m"
    case nil: "nothing"
    }
  }

  private static func assumptions(_ row: CampaignRequest.Row) -> String {
    let names = row.algorithms.joined(separator: " – ")
    let values =
      switch row.goal {
      case .difference(_, let deviation, _): "sd \(decimal(deviation, 2)) m"
      case .width(_, let error, let spread):
        "error \(decimal(error, 2)) m, spread \(decimal(spread, 2))"
      }
    return (names.isEmpty ? "" : names + ": ") + values
      + (row.pilotTraces.map { " (\(counted($0, "trace")))" } ?? "")
  }

  private var explanation: String {
    (rows.contains { $0.pilotTraces != nil }
      ? "cautious: for the upper end of the one-sided 80 % interval of the pilot's variation\n"
      : "")
      + (isWidth
        ? "missed: simulated intervals without the true error\n"
        : "false positives: simulated significant differences of equal algorithms\n")
  }
}
