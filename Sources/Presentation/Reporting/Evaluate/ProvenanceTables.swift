import Evaluation
import Support

extension EvaluationDocument {
  /// The constants; nil without a calibration.
  var calibrationTable: ReportTable? {
    guard !calibration.isEmpty else { return nil }
    var columns: [ReportTable.Column<ReportedCalibration>] = [.text("group") { .name($0.group) }]
    if calibration.contains(where: { $0.leftOut != nil }) {
      columns.append(
        .text("without trace", "The trace that these constants were scored on") {
          $0.leftOut.map { .name($0) } ?? .text("–")
        })
    }
    columns += [
      .number("RSSI at 1 m, dBm") { .number($0.measuredPower) },
      .number("exponent") { .number($0.exponent, 3) }, .number("σ, dB") { .number($0.sigma) },
      .number("levels") { .count($0.samples) },
    ]
    return ReportTable("Path-loss constants of the links", of: calibration, columns)
  }

  /// The settings of the evaluation.
  var settingsTable: ReportTable {
    var rows = [
      ("epoch", settings.epoch), ("window", settings.window ?? "as long as the epoch"),
      ("truth", "at the window's \(settings.truthAt)"), ("levels", settings.levels),
      ("dimensions", settings.dimensions), ("height of targets", shown(height: settings.height)),
      (units, grouped(traces.count)),
      ("epochs", grouped(questionCount)),
    ]
    if let left = settings.crossValidation {
      rows.append(("cross-validation", "leave out \(left)"))
    }
    if settings.clockOffset != "0s" {
      rows.append(("clock offset of the truth", settings.clockOffset))
    }
    if let margin = settings.margin { rows.append(("margin of equivalence", "\(plain(margin)) m")) }
    rows += settings.others.map { ($0.name, $0.value) }
    return ReportTable(
      "Settings", of: rows, isSortable: false,
      [.text("setting") { .name($0.0) }, .text("value") { .name($0.1) }])
  }

  private func shown(height: String?) -> String {
    switch height {
    case nil: "estimated"
    case "anchors": "the median of the survey or, without one, of the anchors"
    case "truth": "that of the truth"
    case .some(let metres): "\(metres) m"
    }
  }

  /// The files that were read.
  var inputTable: ReportTable {
    ReportTable(
      "Files read", of: provenance.inputs, isSortable: false,
      [
        .text("file") { .name($0.name) }, .number("bytes") { .count(Int(clamping: $0.bytes)) },
        .text("SHA-256") { .text($0.sha256) },
      ])
  }
}
