import Capture
import Glibc
import Recordings
import Sightings
import TraceStore

/// A member's own parts of a session, which it sends piece by piece.
struct PartStore {
  let parts: [Member.Part]
  private let paths: [String: String]

  /// Finds the parts and computes their digests.
  init(_ output: String, of member: Member, in session: Token) throws {
    let files = try PartFiles(output).parts(of: member.key, in: session).filter { !$0.isLive }
    let digests = try InputDigests(of: files.map(\.path)).wait()
    var paths: [String: String] = [:]
    parts = zip(files, digests).suffix(64).compactMap { file, digest in
      guard let id = Token(file.part.id) else { return nil }
      paths[file.part.id] = file.path
      let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
      return Member.Part(id: id, file: name, bytes: digest.bytes, sha256: digest.sha256)
    }
    self.paths = paths
  }

  /// Where the parts are.
  var files: [String] { parts.compactMap { paths[$0.id.description] } }

  /// Answers the requests among letters.
  func answer(_ letters: [BrokerChannel.Message], over mailbox: LobbyMailbox) {
    let topic = mailbox.topics.requests(to: mailbox.me.name)
    for letter in letters where letter.topic == topic {
      // Only what is known by its id is read: no path comes from outside.
      guard let request = PartTransfer.Request.read(letter.payload), let path = paths[request.part],
        let bytes = read(path, from: request.offset, count: request.count), !bytes.isEmpty
      else { continue }
      let piece = PartTransfer.Piece(part: request.part, offset: request.offset, bytes: bytes)
      mailbox.send(piece.payload, to: mailbox.topics.pieces(for: request.to))
    }
  }

  private func read(_ path: String, from offset: UInt64, count: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    let length = pread(descriptor, &bytes, count, Int(offset))
    return length < 0 ? nil : Array(bytes[..<length])
  }
}
