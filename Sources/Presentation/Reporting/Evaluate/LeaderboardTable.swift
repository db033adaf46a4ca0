import Evaluation
import NumericalMethods
import Support

extension EvaluationDocument {
  /// The algorithms, best first, with the intervals of the ranking figure.
  var leaderboardTable: ReportTable {
    let figure = leaderboard.figure
    let axis = WhiskerAxis(
      leaderboard.scores.compactMap { score in
        score.statistics.errors.map {
          (figure.of($0), score.intervals.of(figure).interval)
        }
      })
    typealias Row = (place: Int, score: Score)
    let rows: [Row] = leaderboard.scores.enumerated().map { ($0.offset, $0.element) }
    return ReportTable(
      "Horizontal error in metres over \(grouped(questionCount)) epochs, by \(figure.rawValue)",
      of: rows,
      [
        .text("algorithm", onTerminal: "error in m", least: 16) { place, score in
          .algorithm(
            score.name, place, remark: standing(of: score),
            onTerminal: score.name + (score.isCausal ? "" : " (hindsight)"))
        }
      ]
        + errorColumns(
          figure, axis, place: \.place, errors: \.score.statistics.errors,
          intervals: \.score.intervals)
        + [
          .number("answered", "Share of epochs with a position", rank: 1) {
            .share($0.score.statistics.availability)
          }
        ] + floorColumns)
  }

  /// The shares of epochs on the right floor; none outside of a building.
  private var floorColumns: [ReportTable.Column<(place: Int, score: Score)>] {
    guard leaderboard.scores.contains(where: { $0.floors != nil }) else { return [] }
    return [
      .number("right floor", "Share of epochs with a position on the right floor", rank: 1) {
        .share($0.score.floors?.all.rate)
      },
      .number("penalised", "Third quartile of the error with 15 m per wrong floor", rank: 2) {
        .number($0.score.floors?.all.penalised?.p75, 2)
      },
    ]
  }

  /// The errors at the epochs that all algorithms answered; nil for too few.
  var matchedTable: ReportTable? {
    guard let matched = leaderboard.matched else { return nil }
    let places = places
    let figure = leaderboard.figure
    let axis = WhiskerAxis(
      matched.rows.map { (figure.of($0.errors), $0.intervals.of(figure).interval) })
    typealias Row = (place: Int, name: String, errors: ErrorSummary?, intervals: ErrorIntervals)
    let rows: [Row] = matched.rows.map { (places[$0.name] ?? 0, $0.name, $0.errors, $0.intervals) }
    return ReportTable(
      """
      Horizontal error in metres at the \(grouped(matched.epochs)) epochs that all of these \
      answered, in \(settings.resampled.counted(matched.traces))
      """,
      of: rows,
      [.text("algorithm", least: 16) { .algorithm($0.name, $0.place) }]
        + errorColumns(
          figure, axis, place: \.place, errors: \.errors, intervals: \.intervals,
          isMatched: true))
  }

  /// The ranking figure with its picture and its interval, and the other figures.
  private func errorColumns<Row>(
    _ figure: ErrorFigure, _ axis: WhiskerAxis, place: @escaping (Row) -> Int,
    errors: @escaping (Row) -> ErrorSummary?, intervals: @escaping (Row) -> ErrorIntervals,
    isMatched: Bool = false
  ) -> [ReportTable.Column<Row>] {
    let name = figure.rawValue
    func number(_ heading: String, rank: Int?, _ value: @escaping (ErrorSummary) -> Double)
      -> ReportTable.Column<Row>
    {
      .number(heading, rank: rank) { .number(errors($0).map(value)) }
    }
    let others = [
      number("median", rank: 2) { $0.median }, number("p67", rank: nil) { $0.p67 },
      number("p75", rank: 2) { $0.p75 }, number("p90", rank: 6) { $0.p90 },
      number("p95", rank: 3) { $0.p95 }, number("max", rank: 7) { $0.max },
    ].filter { $0.heading.text != name && !(isMatched && $0.heading.text == "p67") }
    return [
      .text(
        "0 to \(axis.label) m",
        isMatched ? nil : "\(name) error with its 95 % interval over \(units)",
        rank: nil
      ) { row in
        let value = errors(row).map(figure.of)
        return .picture(
          axis.whisker(value, intervals(row).of(figure).interval, place: place(row)),
          order: value ?? .infinity)
      },
      number(name, rank: 0, figure.of),
      .text("95 % interval", isMatched ? nil : "Of the \(name), over \(units)", rank: 1) {
        .interval(intervals($0).of(figure).interval)
      },
      number("mean", rank: 5) { $0.mean }, number("RMS", rank: 4) { $0.rms },
    ] + others
  }

  /// The algorithms that are not in the matched table, and why.
  var matchedRemark: Sentence? {
    guard let matched = leaderboard.matched else {
      return "No two algorithms answered the same epoch."
    }
    guard !matched.leftOut.isEmpty else { return nil }
    return
      """
      Left out, because too few common epochs would remain: \(names: matched.leftOut).
      """
  }
}
