import Evaluation

extension EvaluationDocument {
  /// The figures under the names of ISO/IEC 18305 and of the EvAAL competitions, a line an algorithm.
  var standardTable: ReportTable {
    let standards = leaderboard.scores.map { ISO18305($0).figures }
    let evaal = leaderboard.scores.map { EvAAL($0) }
    var table = ReportTable(
      caption:
        "ISO/IEC 18305:2016, clause 8, and EvAAL; in brackets the name of the figure elsewhere here",
      columns: [ReportTable.textColumn("algorithm")])
    table.rows = ranked.map { [.algorithm($0.name, $0.place)] }
    func add(_ name: String, _ ours: String, _ unit: String, _ values: [Double?]) {
      // A figure that applies to none is left out.
      guard values.contains(where: { $0 != nil }) else { return }
      let heading = [name, ours == name ? "" : "(\(ours))"].filter { !$0.isEmpty }
      table.columns.append(
        ReportTable.column(heading.joined(separator: " ") + (unit.isEmpty ? "" : ", \(unit)")))
      for (row, value) in values.enumerated() {
        table.rows[row].append(.number(value, unit.isEmpty ? 4 : 3))
      }
    }
    for (index, figure) in (standards.first ?? []).enumerated() {
      add(figure.name, figure.ourName, figure.unit, standards.map { $0[index].value })
    }
    add("EvAAL third quartile", "p75", "m", evaal.map(\.thirdQuartile))
    add("EvAAL 2013 accuracy score", "from p75, 0 to 10", "", evaal.map(\.score2013))
    return table
  }
}
