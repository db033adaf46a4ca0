package import LivePipelines
import Sightings
package import Support

/// The report of a member when its session is over.
package final class SessionReport {
  private let result: SessionResult
  /// The report on the part that it recorded.
  private let recording: CaptureReport

  package init(_ result: SessionResult, recording: CaptureReport) {
    (self.result, self.recording) = (result, recording)
  }

  package var json: JSONValue {
    let beginning = result.beginning
    return recording.json.adding([
      "session": .object([
        "lobby": result.lobby, "id": beginning.session.description, "member": result.member,
        "part": beginning.path, "start": Timestamp.iso8601(beginning.start),
        "began_time_s": Double(beginning.begun.time) / 1e9,
        "began_late_s": Double(beginning.lateness) / 1e9,
      ])
    ])
  }

  package var text: TextReport {
    let beginning = result.beginning
    var text = "session       \(beginning.session) in \(result.lobby), as \(result.member)\n"
    text += "started       \(Timestamp.iso8601(beginning.start)), this member "
    text += "\(decimal(Double(beginning.lateness) / 1e6, 1)) ms later\n"
    text += "to merge      copy the parts into one folder, and run:\n"
    text += "              \(mergeCommand)\n"
    var report = recording.text
    report.add(text)
    return report
  }

  /// The command that merges the parts that are known.
  private var mergeCommand: String {
    let own = result.beginning.path.split(separator: "/").last.map(String.init) ?? ""
    let parts = Set(result.otherParts + [own]).sorted().map { name in
      (name.hasPrefix("-") ? "./" + name : name).shellWord
    }
    return "rssi session merge \(parts.joined(separator: " ").printable) -o \(result.lobby).h5"
  }
}

/// The report of a merge of the parts of a session.
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
      text += "; \(result.repeated) duplicates between parts of a member removed"
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

/// The report of the members of a lobby, and of the announced session.
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
      "id": announcement.session.description, "leader": announcement.leader,
      "start": announcement.start.map { Timestamp.iso8601($0) },
      "end": announcement.end.map { Timestamp.iso8601($0) },
    ]
  }

  private func json(_ member: Member) -> JSONValue {
    [
      "name": member.name, "state": member.state.rawValue,
      "synchronised": member.session != nil, "session": member.session?.description,
      "parts": member.parts,
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
      let start = announcement.start.map { "start \(Timestamp.iso8601($0))" } ?? "not started"
      text += "session \(announcement.session), led by \(announcement.leader), \(start)\n"
    }
    return text
  }
}
