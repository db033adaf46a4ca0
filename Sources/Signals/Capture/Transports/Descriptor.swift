import Glibc
import Support

/// A file descriptor that is closed when nothing holds it any more.
final class Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { close(number) }
}

/// What the system states of an error number.
