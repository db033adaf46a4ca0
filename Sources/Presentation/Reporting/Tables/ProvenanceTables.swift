import Evaluation
import Support

extension EvaluationDocument {
  /// The constants; nil where none were stated.
  var calibrationTable: ReportTable? {
    guard !calibration.isEmpty else { return nil }
    let hasFolds = calibration.contains { $0.leftOut != nil }
    var table = ReportTable(
      caption: "Path-loss constants of the links",
      columns: [ReportTable.textColumn("group")]
        + (hasFolds
          ? [
            ReportTable.textColumn("without trace", "The trace that these constants were scored on")
          ] : [])
        + [
          ReportTable.column("RSSI at 1 m, dBm"), ReportTable.column("exponent"),
          ReportTable.column("σ, dB"), ReportTable.column("levels"),
        ])
    table.rows = calibration.map { group in
      [.name(group.group)] + (hasFolds ? [group.leftOut.map { .name($0) } ?? .text("–")] : [])
        + [
          .number(group.measuredPower), .number(group.exponent, 3), .number(group.sigma),
          group.samples.map { .count($0) } ?? .number(nil),
        ]
    }
    return table
  }

  /// How the questions were asked.
  var settingsTable: ReportTable {
    var rows = [
      ("epoch", settings.epoch), ("window", settings.window ?? "as long as the epoch"),
      ("truth", "at the window's \(settings.truthAt)"), ("levels", settings.levels),
      ("dimensions", settings.dimensions), ("height of targets", shown(height: settings.height)),
      (units, grouped(traces.count)),
      ("questions", grouped(questionCount)),
    ]
    if let left = settings.crossValidation {
      rows.append(("cross-validation", "leave out \(left)"))
    }
    if settings.clockOffset != "0s" {
      rows.append(("clock offset of the truth", settings.clockOffset))
    }
    rows += settings.others.map { ($0.name, $0.value) }
    return ReportTable(
      caption: "Settings",
      columns: [ReportTable.textColumn("setting"), ReportTable.textColumn("value")],
      rows: rows.map { [.name($0.0), .name($0.1)] }, isSortable: false)
  }

  private func shown(height: String?) -> String {
    switch height {
    case nil: "estimated"
    case "anchors": "the median of the anchors"
    case "truth": "that of the truth"
    case .some(let metres): "\(metres) m"
    }
  }

  /// The files that were read.
  var inputTable: ReportTable {
    ReportTable(
      caption: "Files read",
      columns: [
        ReportTable.textColumn("file"), ReportTable.column("bytes"),
        ReportTable.textColumn("SHA-256"),
      ],
      rows: provenance.inputs.map {
        [.name($0.name), .count(Int(clamping: $0.bytes)), .text($0.sha256)]
      },
      isSortable: false)
  }
}
