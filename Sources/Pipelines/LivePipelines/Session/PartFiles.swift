import Glibc
import Sightings
import Support
import TraceStore

/// The files of a member's parts: `part.h5`, `part-2.h5` and so on; none is overwritten.
struct PartFiles {
  /// The path of the next part.
  let next: String
  /// The existing parts, oldest first, with their descriptions.
  private let earlier: [Earlier]

  private struct Earlier {
    var path: String
    var mark: SessionMark
    var part: SessionPart
  }

  /// The maximum number of names that are tried.
  private static let most = 1000

  /// - Parameter output: the name of the first part.
  init(_ output: String) throws {
    var found: [Earlier] = []
    var number = 1
    while access(Self.path(output, number), F_OK) == 0 {
      let path = Self.path(output, number)
      // Other files of that name are left alone, and not read.
      if let reader = try? TraceReader(path: path), let mark = reader.session, !mark.isMerged,
        let part = reader.catalogue.parts.first
      {
        found.append(Earlier(path: path, mark: mark, part: part))
      }
      number += 1
      guard number <= Self.most else {
        throw RSSIError(
          .inputOutput,
          "\(output) and \(Self.most - 1) files next to it exist already: write into another folder"
        )
      }
    }
    next = Self.path(output, number)
    earlier = found
  }

  /// Returns the key of a member's last recording in a lobby; nil if there is none.
  func key(of member: String, in lobby: String) -> Token? {
    earlier.last { $0.mark.lobby == lobby && $0.part.member == member }
      .flatMap { Token($0.part.key) }
  }

  /// Returns the paths of the member's parts of a session, oldest first.
  func parts(of key: Token, in session: Token) -> [String] {
    earlier.filter { $0.mark.id == session.description && $0.part.key == key.description }
      .map(\.path)
  }

  private static func path(_ output: String, _ number: Int) -> String {
    guard number > 1 else { return output }
    let name = output.lastIndex(of: "/").map { output.index(after: $0) } ?? output.startIndex
    guard let dot = output[name...].lastIndex(of: "."), dot != name else {
      return "\(output)-\(number)"
    }
    return "\(output[..<dot])-\(number)\(output[dot...])"
  }
}
