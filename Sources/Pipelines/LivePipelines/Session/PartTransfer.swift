import Capture
import Glibc
import Recordings
import Sightings
import Support
import TracePipelines
import TraceStore

/// The transfer of a part through a broker: in pieces that are requested one by one, so that a
/// member is sent no more than it takes, and lost pieces are requested again.
enum PartTransfer {
  /// Bytes of a piece.
  static let piece = 65_536
  /// Pieces that are requested at a time.
  static let window = 8

  /// A request for a piece.
  struct Request: Codable, Equatable {
    var part: String
    var offset: UInt64
    var count: Int
    /// The member that asks.
    var to: String

    /// Reads a request; nil for one of something that cannot exist.
    static func read(_ payload: [UInt8]) -> Request? {
      guard payload.count <= 1024,
        let request = try? Request(json: payload),
        Token(request.part) != nil, isSessionName(request.to), (1...piece).contains(request.count),
        request.offset < 1 << 62
      else { return nil }
      return request
    }
  }

  /// A piece of a part: its id in 32 digits, its offset in 8 bytes, most significant first, the
  /// bytes.
  struct Piece: Equatable {
    var part: String
    var offset: UInt64
    var bytes: [UInt8]

    init(part: String, offset: UInt64, bytes: [UInt8]) {
      (self.part, self.offset, self.bytes) = (part, offset, bytes)
    }

    init?(_ payload: [UInt8]) {
      guard (41...40 + PartTransfer.piece).contains(payload.count),
        let id = Token(String(decoding: payload[..<32], as: UTF8.self))
      else { return nil }
      part = id.description
      offset = payload[32..<40].reduce(0) { $0 << 8 | UInt64($1) }
      bytes = Array(payload[40...])
    }

    var payload: [UInt8] {
      Array(part.utf8) + (0..<8).map { UInt8(truncatingIfNeeded: offset >> (56 - 8 * $0)) } + bytes
    }
  }
}

/// A part of another member on its way here: a file that is removed with this object.
final class FetchedPart {
  let part: Member.Part
  private let file: AtomicFile
  private let descriptor: Int32
  /// Offsets that were requested and not received, and when.
  private var asked: [UInt64: Int64] = [:]
  private var next: UInt64 = 0
  private var received: UInt64 = 0

  /// Nanoseconds after which a piece is requested again.
  private static let patience: Int64 = 2_000_000_000

  /// - Parameter place: the merged trace, next to which it is kept.
  init(_ part: Member.Part, nextTo place: String) throws {
    self.part = part
    file = try AtomicFile(path: "\(place).\(part.id.description.prefix(16))")
    descriptor = open(file.temporaryPath, O_RDWR | O_CLOEXEC)
    // It is another member's, and only passes through.
    guard descriptor >= 0, fchmod(descriptor, 0o600) == 0 else {
      throw RSSIError.writeFailed(
        path: file.temporaryPath, reason: systemMessage(errno))
    }
  }

  deinit { close(descriptor) }

  var path: String { file.temporaryPath }
  var isComplete: Bool { received == part.bytes }

  /// Returns the requests to send now: as many pieces as may be on their way, and those that did
  /// not come.
  func requests(for name: String, at now: Int64) -> [PartTransfer.Request] {
    var offsets = asked.filter { now - $0.value > Self.patience }.map(\.key).sorted()
    while asked.count + offsets.count < PartTransfer.window, next < part.bytes {
      offsets.append(next)
      asked[next] = now
      next += UInt64(PartTransfer.piece)
    }
    for offset in offsets { asked[offset] = now }
    return offsets.map { offset in
      PartTransfer.Request(
        part: part.id.description, offset: offset, count: length(at: offset), to: name)
    }
  }

  /// Writes a piece; false for one that was not requested.
  func take(_ piece: PartTransfer.Piece) throws -> Bool {
    guard piece.part == part.id.description, asked[piece.offset] != nil,
      piece.bytes.count == length(at: piece.offset)
    else { return false }
    let count = pwrite(descriptor, piece.bytes, piece.bytes.count, Int(piece.offset))
    guard count == piece.bytes.count else {
      throw RSSIError.writeFailed(path: path, reason: systemMessage(errno))
    }
    asked[piece.offset] = nil
    received += UInt64(count)
    return true
  }

  /// Returns true if the file is what the member has.
  func isSound() throws -> Bool {
    try InputDigests(of: [path]).wait().first?.sha256 == part.sha256
  }

  private func length(at offset: UInt64) -> Int {
    Int(min(UInt64(PartTransfer.piece), part.bytes - offset))
  }
}

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

  /// The paths of the parts.
  var files: [String] { parts.compactMap { paths[$0.id.description] } }

  /// Answers the requests among letters.
  func answer(_ letters: [BrokerChannel.Message], over mailbox: RendezvousMailbox) {
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
