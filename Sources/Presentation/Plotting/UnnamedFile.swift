import Glibc
import Support

/// A file without a name, in the system's temporary folder, that is gone when nothing holds it.
final class UnnamedFile {
  private let stream: UnsafeMutablePointer<FILE>
  var descriptor: Int32 { fileno(stream) }

  init() throws(RSSIError) {
    guard let stream = tmpfile() else {
      throw RSSIError(
        .inputOutput,
        "cannot make a temporary file (\(systemMessage(errno))); free some space in /tmp")
    }
    self.stream = stream
    _ = fcntl(fileno(stream), F_SETFD, FD_CLOEXEC)
  }

  /// Makes bytes what a reader finds from the beginning on.
  func write(_ bytes: [UInt8]) throws(RSSIError) {
    try writeAll(bytes, to: descriptor, path: "what to draw")
    lseek(descriptor, 0, SEEK_SET)
  }

  /// All its bytes.
  func bytes() throws(RSSIError) -> [UInt8] {
    let length = lseek(descriptor, 0, SEEK_END)
    guard length > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: length)
    var filled = 0
    while filled < length {
      let count = bytes[filled...].withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress, $0.count, filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw RSSIError(
          .failed, "cannot read the picture (\(systemMessage(errno))); run again")
      }
      filled += count
    }
    return bytes
  }

  deinit { fclose(stream) }
}
