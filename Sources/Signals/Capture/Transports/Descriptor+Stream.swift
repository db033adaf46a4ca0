import Glibc

/// Reading and writing without blocking.
extension Descriptor {
  /// Waits until it can be read or written, for so many milliseconds at most.
  func wait(for events: Int32, within milliseconds: Int32) -> Bool {
    var request = pollfd(fd: number, events: Int16(events), revents: 0)
    return poll(&request, 1, milliseconds) > 0
  }

  /// Reads into a buffer.
  ///
  /// - Returns: how many bytes, 0 at the end; nil where it failed, as `errno` states.
  func read(into buffer: inout [UInt8]) -> Int? {
    let count = buffer.withUnsafeMutableBytes { Glibc.read(number, $0.baseAddress, $0.count) }
    return count < 0 ? nil : count
  }

  /// Writes all bytes, waiting for so many milliseconds at most while there is no room.
  ///
  /// - Returns: whether all of them were taken.
  func write(_ bytes: [UInt8], within milliseconds: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        // No SIGPIPE where it is a socket; else it is a device, which raises none.
        let sent = Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        return sent < 0 && errno == ENOTSOCK
          ? Glibc.write(number, $0.baseAddress, $0.count) : sent
      }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        guard wait(for: POLLOUT, within: milliseconds) else { return false }
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}
