import Evaluation
import Rooms
package import Support
package import TracePipelines

/// The report of training rooms.
package struct RoomTrainReport {
  private let result: RoomTrainResult
  private let path: String

  /// - Parameter path: The file of the rooms.
  package init(_ result: RoomTrainResult, at path: String) {
    (self.result, self.path) = (result, path)
  }

  package var json: JSONValue {
    let model = result.file.model
    return [
      "file": path, "anchors": model.anchors, "located": result.file.located,
      "correlation_time_s": model.correlationTime,
      "rooms": model.rooms.map { room -> JSONValue in
        ["name": room.name, "trained_s": room.trained, "dwell_s": room.dwell]
      },
      "held_out_unit": result.file.heldOut?.unit, "held_out": result.score?.json,
      "notes": result.notes,
    ]
  }

  package var text: TextReport {
    let model = result.file.model
    let rooms = model.rooms.filter {
      $0.trained > 0 || result.score == nil && $0.name != RoomModel.outside
    }
    var report = TextReport(
      "\(path.printable): \(counted(rooms.count, "room")) among "
        + "\(counted(model.anchors.count, "anchor")), for moving \(result.file.located)\n")
    report.add(
      table: ReportTable(
        "Training", of: model.rooms,
        [
          .text("room") { .name($0.name) },
          .number("trained", unit: "s") { .number($0.trained, 0) },
          .number("mean stay", unit: "s") { .number($0.dwell, 0) },
        ]))
    if let score = result.score, let heldOut = result.file.heldOut {
      report.add("held out, one \(heldOut.unit) at a time:\n")
      report.add(score.text)
    }
    return report
  }
}

/// The report of scoring trained rooms beside simpler methods.
package struct RoomEvaluationReport {
  private let result: RoomEvaluationResult

  package init(_ result: RoomEvaluationResult) { self.result = result }

  package var json: JSONValue {
    [
      "recordings": result.recordings,
      "methods": result.scores.map { one -> JSONValue in
        ["name": one.name, "score": one.score.json]
      },
      "notes": result.notes,
    ]
  }

  package var text: TextReport {
    var report = TextReport(
      "\(counted(result.recordings.count, "recording")), "
        + "\(decimal(result.scores.first?.score.hours, 2)) h\n")
    report.add(table: Self.comparison(result.scores))
    if let first = result.scores.first { report.add(first.score.details) }
    return report
  }

  static func comparison(_ scores: [(name: String, score: RoomScore)]) -> ReportTable {
    ReportTable(
      "Rooms; 95 % intervals over recordings", of: scores,
      [
        .text("method") { .name($0.name) },
        .number("right", "Share of time at which the announced room is right") {
          .share($0.score.right.value)
        },
        .text("95 %") { .shares($0.score.right.interval.interval) },
        .number("false changes", "Changes to a wrong room and back", unit: "1/h") {
          .number($0.score.falseChanges.value, 1)
        },
        .number("detected", "Stays whose room was announced before they ended") {
          .share(Double($0.score.stays.detected) / Double(max(1, $0.score.stays.all)))
        },
        .number("delay", "Median time from the beginning of a stay", unit: "s") {
          .number($0.score.delays.quantile(0.5), 1)
        },
        .number("p90", "90th percentile of the delay", unit: "s") {
          .number($0.score.delays.quantile(0.9), 1)
        },
        .number("Brier", "Mean Brier score of the probabilities, 0 to 2") {
          .number($0.score.brier?.value, 3)
        },
      ])
  }
}

extension RoomScore {
  /// The figures, the confusion matrix and the calibration.
  var text: TextReport {
    var report = TextReport()
    report.add(table: RoomEvaluationReport.comparison([("rooms", self)]))
    report.add(details)
    return report
  }

  /// The confusion matrix and the calibration of the probabilities.
  var details: TextReport {
    var report = TextReport("time per announced room, by true room:\n")
    report.add(table: confusionTable)
    if !claims.isEmpty {
      report.add("probabilities of rooms, with simultaneous intervals:\n")
      report.add(table: claimTable)
    }
    return report
  }

  /// The numbers of the rooms in which time was spent.
  var visited: [Int] { rooms.indices.filter { confusion[$0].contains { $0 > 0 } } }

  var confusionTable: ReportTable {
    let columns = rooms + ["none"]
    return ReportTable(
      "True room in the row, announced room in the column; share of time",
      of: visited, isSortable: false,
      [.text("room") { .name(rooms[$0]) }]
        + columns.indices.map { column in
          .number(columns[column]) { row in
            .share(confusion[row][column] / confusion[row].reduce(0, +))
          }
        })
  }

  var claimTable: ReportTable {
    ReportTable(
      "Probabilities of rooms; 95 % intervals are simultaneous", of: claims, isSortable: false,
      [
        .number("claimed") { .share($0.claimed) },
        .number("true") { .share($0.share.value) },
        .text("95 %") { .shares($0.share.interval.interval) },
        .number("claims") { .count($0.count) },
      ])
  }

  var json: JSONValue {
    [
      "rooms": rooms, "epochs": epochs, "hours": hours, "right": right.json,
      "right_of_epochs": rightEpochs, "false_changes_per_hour": falseChanges.json,
      "stays": stays.all, "detected": stays.detected,
      "delay_s": [
        "median": delays.quantile(0.5), "p90": delays.quantile(0.9),
      ],
      "confusion_s": confusion,
      "brier": brier?.json ?? .null, "log_score": logScore,
      "claims": claims.map { claim -> JSONValue in
        [
          "at_least": claim.least, "count": claim.count, "claimed": claim.claimed,
          "true": claim.share.json,
        ]
      },
    ]
  }
}

extension RoomScore.Figure {
  fileprivate var json: JSONValue { ["value": value, "ci95": interval] }
}
