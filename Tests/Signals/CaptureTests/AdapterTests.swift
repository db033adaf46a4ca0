import Glibc
import Support
import Testing

@testable import Capture

struct AdapterTests {
  private let dongle = Adapter(index: 1, address: "00:1A:7D:DA:71:13", isUp: false)

  @Test func `is described as a list needs it`() {
    #expect(dongle.description == "hci1 00:1A:7D:DA:71:13 down")
    #expect(dongle.name == "hci1")
  }

  /// A dongle that is plugged in again may get another number.
  @Test func `is known again by its address`() {
    #expect(dongle.isSameRadio(as: Adapter(index: 3, address: "00:1A:7D:DA:71:13", isUp: true)))
    #expect(!dongle.isSameRadio(as: Adapter(index: 1, address: "00:1A:7D:DA:71:14", isUp: false)))
  }

  @Test func `is known again by its number where it has no address`() {
    let nameless = Adapter(index: 1, address: "00:00:00:00:00:00", isUp: false)
    #expect(nameless.isSameRadio(as: dongle))
    #expect(!nameless.isSameRadio(as: Adapter(index: 0, address: dongle.address, isUp: true)))
  }

  @Test func `addresses are written the usual way round`() {
    let bytes: [UInt8] = [0x13, 0x71, 0xDA, 0x7D, 0x1A, 0x00]
    let text = addressText(bytes.span)
    #expect(text == "00:1A:7D:DA:71:13")
  }
}

/// Errors of Bluetooth sockets; a guest shows when the kernel returns which.
struct SocketErrorTests {
  @Test(arguments: [
    (EPERM, RSSIError.Kind.permission, "sudo setcap cap_net_raw,cap_net_admin+ep /"),
    (EACCES, .permission, "sudo setcap"),
    (EAFNOSUPPORT, .unavailable, "modprobe bluetooth"),
    (ERFKILL, .unavailable, "rfkill unblock bluetooth"),
    (EBUSY, .unavailable, "systemctl stop bluetooth"),
    (EUSERS, .unavailable, "systemctl stop bluetooth"),
    (ENODEV, .unavailable, "plug it in"),
    (ETIMEDOUT, .unavailable, "timed out; see `dmesg"),
  ])
  func `has advice`(number: Int32, kind: RSSIError.Kind, advice: String) {
    let error = socketError(number, "hci0 cannot be opened")
    #expect(error.kind == kind)
    #expect(error.description.contains(advice))
    #expect(number == EAFNOSUPPORT || error.description.hasPrefix("hci0 "))
  }
}
