import Evaluation

extension EvaluationDocument {
  /// The figures under the names of ISO/IEC 18305 and of the EvAAL competitions, a column an
  /// algorithm.
  var standardTable: ReportTable {
    let standards = leaderboard.scores.map { ISO18305($0).figures }
    let evaal = leaderboard.scores.map { EvAAL($0) }
    var table = ReportTable(
      caption: "ISO/IEC 18305:2016, clause 8, and EvAAL",
      columns: [
        ReportTable.textColumn("figure"), ReportTable.textColumn("here"),
        ReportTable.textColumn("unit"),
      ] + leaderboard.scores.map { ReportTable.column($0.name) },
      isSortable: false)
    func add(_ name: String, _ ours: String, _ unit: String, _ values: [Double?]) {
      // A figure that applies to none is no line.
      guard values.contains(where: { $0 != nil }) else { return }
      table.rows.append(
        [.text(name), .text(ours), .text(unit.isEmpty ? "–" : unit)]
          + values.map { .number($0, unit.isEmpty ? 4 : 3) })
    }
    for (index, figure) in (standards.first ?? []).enumerated() {
      add(figure.name, figure.ourName, figure.unit, standards.map { $0[index].value })
    }
    add("EvAAL third quartile", "p75", "m", evaal.map(\.thirdQuartile))
    add("EvAAL 2013 accuracy score", "from p75, 0 to 10", "", evaal.map(\.score2013))
    return table
  }
}
