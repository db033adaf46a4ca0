import Evaluation
import Positioning

extension EvaluationDocument {
  /// How often members had no part in a combination, by reason; nil where all had.
  var leftOutTable: ReportTable? {
    var rows: [[ReportTable.Cell]] = []
    for one in ranked {
      var counts: [String: [String: Int]] = [:]
      for case .located(let estimate) in one.answers.outcomes.joined() {
        for (member, omission) in estimate.leftOut {
          counts[member, default: [:]]["\(omission)", default: 0] += 1
        }
      }
      for (member, reasons) in counts.sorted(by: { $0.key < $1.key }) {
        for (reason, count) in reasons.sorted(by: { $0.key < $1.key }) {
          rows.append([
            .algorithm(one.name, one.place), .name(member), .text(reason), .count(count),
          ])
        }
      }
    }
    guard !rows.isEmpty else { return nil }
    return ReportTable(
      caption: "Answers of combinations in which a member had no part",
      columns: [
        ReportTable.textColumn("combination"), ReportTable.textColumn("member"),
        ReportTable.textColumn("reason"), ReportTable.column("answers"),
      ], rows: rows)
  }
}
