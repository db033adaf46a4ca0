import LivePipelines
import Support

/// What became of everybody's parts when a session was over.
struct Gathering {
  /// Parts of a member of the session that are not in the merged trace.
  struct Missing {
    var member: String
    /// Nil where the member did not say what it recorded.
    var file: String?
    /// In words, after the member's name.
    var reason: String

    var text: String { "\(file.map { "\($0) of " } ?? "")\(member): it \(reason)" }

    var json: JSONValue {
      .object([
        "member": .string(member), "file": file.map(JSONValue.string) ?? .null,
        "reason": .string(reason),
      ])
    }

    /// All that a member has.
    static func all(of member: Member, _ reason: String) -> [Missing] {
      guard !member.parts.isEmpty else {
        return [Missing(member: member.name, file: nil, reason: reason)]
      }
      return member.parts.map { Missing(member: member.name, file: $0.file, reason: reason) }
    }
  }

  var merged: MergedSession.Summary?
  var missing: [Missing] = []
  /// Why not everything is in the merged trace that was asked for.
  var failure: (any Error)?
}
