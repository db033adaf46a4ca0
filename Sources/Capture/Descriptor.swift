import Glibc

/// A file descriptor that is closed when nothing holds it any more.
final class Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { close(number) }
}

/// What the system says of an error number.
func systemMessage(_ number: Int32) -> String { String(cString: strerror(number)) }

/// The time of day, nanoseconds since the Unix epoch.
func hostTime() -> Int64 {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
}
