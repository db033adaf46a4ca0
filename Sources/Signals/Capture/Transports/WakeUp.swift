internal import CBlueZ
import Glibc
import Support

/// Something that one thread waits for with `poll` and another lets happen (an eventfd).
struct WakeUp: Sendable {
  private let descriptor: Descriptor

  init() throws(RSSIError) {
    let number = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    guard number >= 0 else {
      throw RSSIError(
        .unavailable, "no event descriptor: \(systemMessage(errno)); close other programs' files")
    }
    descriptor = Descriptor(number)
  }

  var number: Int32 { descriptor.number }

  func signal() { _ = eventfd_write(number, 1) }

  func clear() {
    var count: eventfd_t = 0
    _ = eventfd_read(number, &count)
  }
}
