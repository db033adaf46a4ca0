import Evaluation
import Geometry

extension EvaluationDocument {
  /// The bias and the scatter of errors, the age of answers and their rate.
  var vectorTable: ReportTable {
    typealias Row = (place: Int, score: Score)
    let scores = leaderboard.scores
    let rows: [Row] = scores.enumerated().map { ($0.offset, $0.element) }
    func number(
      _ heading: String, _ help: String? = nil, _ value: @escaping (Score) -> Double?
    ) -> ReportTable.Column<Row> {
      .number(heading, help) { .number(value($0.score)) }
    }
    var columns: [ReportTable.Column<Row>] = [
      .text("algorithm") { .algorithm($0.score.name, $0.place) },
      number("bias x", "Mean of estimate minus truth") { $0.vector?.biasX },
      number("bias y") { $0.vector?.biasY },
      number(
        "scatter, long axis", "Standard deviation along the longer axis of the errors' covariance"
      ) { $0.vector?.ellipse?.semiMajor },
      number("short axis") { $0.vector?.ellipse?.semiMinor },
    ]
    if scores.contains(where: { $0.track != nil }) {
      columns += [
        number("along, mean", "Along the motion. Negative: answers lag") {
          $0.track?.alongMean
        },
        number("along, RMS") { $0.track?.alongRMS }, number("across, RMS") { $0.track?.acrossRMS },
      ]
    }
    if scores.contains(where: { $0.vertical != nil }) {
      columns += [
        number("height, bias") { $0.vertical?.bias },
        number("height, median") { $0.vertical?.size.median },
        number("height, p95") { $0.vertical?.size.p95 },
        number("in space, median") { $0.spherical?.median },
      ]
    }
    if scores.contains(where: { $0.zones != nil }) {
      columns += [
        .number("right zone") { .share($0.score.zones?.rate) },
        .text("95 % interval", "Of the share in the right zone, over \(units)") {
          .shares($0.score.zones?.interval.interval)
        },
      ]
    }
    columns += [
      number("age", "Median age of the newest sighting at the epoch") {
        $0.latency?.medianAge
      },
      number("answers/s") { $0.updateRate },
      number("lag-1 correlation", "Of the errors of successive epochs") { $0.dependence?.lagOne },
      number("effective sample size", "The number of independent answers with the same variance") {
        $0.dependence?.effectiveAnswers
      },
    ]
    return ReportTable("Bias and scatter in metres, age in seconds", of: rows, columns)
  }

  /// The figures under the names of ISO/IEC 18305 and of the EvAAL competitions, one row per
  /// algorithm.
  var standardTable: ReportTable {
    let standards = leaderboard.scores.map { ISO18305($0).figures }
    let evaal = leaderboard.scores.map { EvAAL($0) }
    var columns: [ReportTable.Column<Int>] = [
      .text("algorithm") { .algorithm(leaderboard.scores[$0].name, $0) }
    ]
    func add(_ name: String, _ ours: String, _ unit: String, _ values: [Double?]) {
      // A figure that applies to none is left out.
      guard values.contains(where: { $0 != nil }) else { return }
      let heading = [name, ours == name ? "" : "(\(ours))"].filter { !$0.isEmpty }
      columns.append(
        .number(heading.joined(separator: " ") + (unit.isEmpty ? "" : ", \(unit)")) {
          .number(values[$0], unit.isEmpty ? 4 : 3)
        })
    }
    for (index, figure) in (standards.first ?? []).enumerated() {
      add(figure.name, figure.ourName, figure.unit, standards.map { $0[index].value })
      let intervals = standards.map { $0[index].interval?.interval }
      guard intervals.contains(where: { $0 != nil }) else { continue }
      columns.append(
        .text("95 % interval", "Of the \(figure.name), over \(units)") { .interval(intervals[$0]) })
    }
    add("EvAAL third quartile", "p75", "m", evaal.map(\.thirdQuartile))
    add("EvAAL 2013 accuracy score", "from p75, 0 to 10", "", evaal.map(\.score2013))
    return ReportTable(
      "ISO/IEC 18305:2016, clause 8, and EvAAL; in brackets the name in other tables",
      of: leaderboard.scores.indices, columns)
  }
}
