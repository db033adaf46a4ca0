import Glibc
package import Support

/// A file descriptor that is closed with its last reference.
final class Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { close(number) }
}

/// Reading and writing without blocking.
extension Descriptor {
  /// Waits until it is readable or writable, for at most a number of milliseconds.
  func wait(for events: Int32, within milliseconds: Int32) -> Bool {
    var request = pollfd(fd: number, events: Int16(events), revents: 0)
    return poll(&request, 1, milliseconds) > 0
  }

  /// Reads into a buffer.
  ///
  /// - Returns: the number of bytes, 0 at the end; nil on failure, with `errno` set.
  func read(into buffer: inout [UInt8]) -> Int? {
    let count = buffer.withUnsafeMutableBytes { Glibc.read(number, $0.baseAddress, $0.count) }
    return count < 0 ? nil : count
  }

  /// Writes all bytes, waiting at most a number of milliseconds for room.
  ///
  /// - Returns: whether all of them were written.
  func write(_ bytes: [UInt8], within milliseconds: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        // No SIGPIPE for a socket; a device raises none.
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

/// Returns the error of a Bluetooth socket, with its remedy.
///
/// - Parameters:
///   - number: the system's error number.
///   - subject: the operation that failed, such as `hci0 cannot be brought up`.
func socketError(_ number: Int32, _ subject: String) -> RSSIError {
  switch number {
  case EPERM, EACCES: permissionError(subject)
  case EAFNOSUPPORT, EPROTONOSUPPORT, ESOCKTNOSUPPORT:
    RSSIError(
      .unavailable,
      "no Bluetooth: the kernel has none, or this container has a network of its own",
      advice: "run `modprobe bluetooth`; in a container, use the host network; or use h4:…, "
        + "mqtt:… or replay:…")
  case ERFKILL:
    RSSIError(
      .unavailable, "it is switched off by rfkill", in: subject,
      advice: "run `rfkill unblock bluetooth`")
  case EBUSY, EUSERS:
    RSSIError(
      .unavailable, "another program uses it", in: subject,
      advice: "end that program or stop bluetoothd (`systemctl stop bluetooth`)")
  case ENODEV, EPIPE:
    RSSIError(.unavailable, "it is gone", in: subject, advice: "plug it in again")
  default:
    RSSIError(
      .unavailable, systemMessage(number), in: subject,
      advice: "see `dmesg | grep -i bluetooth`")
  }
}

/// Returns the error for missing privileges, with a command that contains this program's path.
package func permissionError(_ subject: String) -> RSSIError {
  RSSIError(
    .permission, "not permitted", in: subject,
    advice: "run `sudo setcap cap_net_raw,cap_net_admin+ep \(programPath)` once, or use the "
      + "systemd unit in docs/capture-linux.md")
}
