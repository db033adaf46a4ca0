import Glibc
import Recordings

/// An open file to write to, whose errors say so.
final class WholeFile {
  private var descriptor: Int32
  private let path: String

  init(_ path: String) throws {
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    self.path = path
    guard descriptor >= 0 else {
      throw RecordingError.writeFailed(path: path, reason: String(cString: strerror(errno)))
    }
  }

  func write(_ bytes: [UInt8]) throws { try writeAll(bytes, to: descriptor, path: path) }

  /// Closes the file; some disks say only now that they are full.
  func close() throws {
    let result = Glibc.close(descriptor)
    descriptor = -1
    guard result == 0 else {
      throw RecordingError.writeFailed(path: path, reason: String(cString: strerror(errno)))
    }
  }

  deinit { if descriptor >= 0 { _ = Glibc.close(descriptor) } }
}
