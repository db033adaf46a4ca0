package import LivePipelines
import Sightings
package import Support

/// What a member reports when its session is over.
package struct SessionReport {
  private let result: SessionResult
  /// The report on the part that it recorded.
  private let recording: RecordReport

  package init(_ result: SessionResult, recording: RecordReport) {
    (self.result, self.recording) = (result, recording)
  }

  private var session: Announcement { result.beginning.announcement }

  package var json: JSONValue {
    guard case .object(var members) = recording.json else { return .null }
    let beginning = result.beginning
    members["session"] = .object([
      "lobby": .string(result.lobby), "id": .string(session.session.description),
      "member": .string(result.member), "part": .string(beginning.path),
      "start": .string(Timestamp.iso8601(session.start)),
      "began_time_s": .number(Double(beginning.begun.time) / 1e9),
      "began_late_s": .number(Double(beginning.lateness) / 1e9),
    ])
    members["merged"] = result.gathering.merged.map { MergeReport($0).json } ?? .null
    members["missing"] = .array(
      result.gathering.missing.map { part in
        .object([
          "member": .string(part.member), "file": part.file.map(JSONValue.string) ?? .null,
          "reason": .string(part.reason),
        ])
      })
    return .object(members)
  }

  package var text: TextReport {
    var text = "session       \(session.session) in \(result.lobby), as \(result.member)\n"
    text += "started       \(Timestamp.iso8601(session.start)), this member "
    text += "\(decimal(Double(result.beginning.lateness) / 1e6, 1)) ms later\n"
    text += result.gathering.merged.map { MergeReport($0).text } ?? ""
    for part in result.gathering.missing { text += "missing       \(part.text)\n" }
    var report = recording.text
    report.add(text)
    return report
  }
}
