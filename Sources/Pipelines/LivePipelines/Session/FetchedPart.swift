import Glibc
import Recordings
import Support
import TraceStore

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

  /// What to request now: as many pieces as may be on their way, and those that did not come.
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

  /// Whether the file is what the member has.
  func isSound() throws -> Bool {
    try InputDigests(of: [path]).wait().first?.sha256 == part.sha256
  }

  private func length(at offset: UInt64) -> Int {
    Int(min(UInt64(PartTransfer.piece), part.bytes - offset))
  }
}
