/// What became of the parts of all members when a session was over.
package struct Gathering {
  /// A part of a member of the session that is not in the merged trace.
  package struct Missing: Equatable, Sendable {
    package var member: String
    /// Nil where the member did not report what it recorded.
    package var file: String?
    /// A clause whose subject is the member.
    package var reason: String

    package var text: String { "\(file.map { "\($0) of " } ?? "")\(member): it \(reason)" }

    /// All parts of a member.
    static func all(of member: Member, _ reason: String) -> [Missing] {
      guard !member.parts.isEmpty else {
        return [Missing(member: member.name, file: nil, reason: reason)]
      }
      return member.parts.map { Missing(member: member.name, file: $0.file, reason: reason) }
    }
  }

  package var merged: MergeResult?
  package var missing: [Missing] = []
  /// Why the merged trace lacks parts that were requested.
  package var failure: (any Error)?
}
