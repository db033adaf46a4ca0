package import LivePipelines
import Sightings
package import Support

/// What a member reports when its session is over.
package struct SessionReport {
  private let result: SessionResult
  /// The report on the part that it recorded.
  private let recording: CaptureReport

  package init(_ result: SessionResult, recording: CaptureReport) {
    (self.result, self.recording) = (result, recording)
  }

  private var session: Announcement { result.beginning.announcement }

  package var json: JSONValue {
    let beginning = result.beginning
    return recording.json.adding([
      "session": .object([
        "lobby": result.lobby, "id": session.session.description, "member": result.member,
        "part": beginning.path, "start": Timestamp.iso8601(session.start),
        "began_time_s": Double(beginning.begun.time) / 1e9,
        "began_late_s": Double(beginning.lateness) / 1e9,
      ]),
      "merged": result.gathering.merged.map { MergeReport($0).json },
      "missing": result.gathering.missing.map { part -> JSONValue in
        ["member": part.member, "file": part.file, "reason": part.reason]
      },
    ])
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

/// What a merge of the parts of a session reports.
package struct MergeReport {
  private let result: SessionMergeResult

  package init(_ result: SessionMergeResult) { self.result = result }

  package var json: JSONValue {
    [
      "file": result.path, "sightings": result.sightings, "repeated": result.repeated,
      "copies": result.copies, "parts": result.parts.map(json),
    ]
  }

  private func json(_ part: SessionMergeResult.Part) -> JSONValue {
    [
      "member": part.member, "number": part.number, "file": part.file, "sightings": part.sightings,
      "offset_s": part.offset.map { Double($0) / 1e9 },
      "uncertainty_s": part.uncertainty.map { Double($0) / 1e9 },
    ]
  }

  package var text: String {
    var text =
      "\(result.path.printable): \(result.sightings) sightings of \(result.parts.count) parts"
    if result.repeated > 0 {
      text += "; \(result.repeated) that two parts of a member have are there once"
    }
    text += "\n"
    for part in result.parts {
      text +=
        "  \(part.member.printable)\(part.number > 1 ? " (\(part.number))" : ""): "
        + "\(part.sightings) from \(part.file.printable)"
      if let offset = part.offset, let uncertainty = part.uncertainty {
        text += ", clock \(decimal(Double(offset) / 1e6, 3)) ms off, within "
        text += "\(decimal(Double(uncertainty) / 1e6, 3)) ms"
      }
      text += "\n"
    }
    return text
  }
}

/// Which members are in a lobby, and the announced session.
package struct LobbyReport {
  private let view: RendezvousView

  package init(_ view: RendezvousView) { self.view = view }

  package var json: JSONValue {
    [
      "lobby": view.lobby, "session": view.announcement.map(json),
      "members": view.members.map(json),
    ]
  }

  private func json(_ announcement: Announcement) -> JSONValue {
    [
      "id": announcement.session.description, "start": Timestamp.iso8601(announcement.start),
      "end": announcement.end.map { Timestamp.iso8601($0) },
    ]
  }

  private func json(_ member: Member) -> JSONValue {
    [
      "name": member.name, "state": member.state.rawValue, "synchronised": member.isSynchronised,
      "session": member.session?.description,
      "parts": member.parts.map(\.file),
    ]
  }

  package var text: String {
    guard !view.members.isEmpty else { return "no member is in \(view.lobby)\n" }
    let width = view.members.map(\.name.printable.count).max() ?? 0
    var text = ""
    for member in view.members {
      let name = member.name.printable
      text += name + String(repeating: " ", count: width - name.count)
      text += "  \(member.state.rawValue)\n"
    }
    if let announcement = view.announcement {
      text += "session \(announcement.session), start \(Timestamp.iso8601(announcement.start))\n"
    }
    return text
  }
}
