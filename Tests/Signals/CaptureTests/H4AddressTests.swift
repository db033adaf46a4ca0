import Support
import Testing

@testable import Capture

@Suite struct H4AddressTests {
  @Test(arguments: [
    ("tcp:192.0.2.7:9000", H4Address.tcp(host: "192.0.2.7", port: 9000)),
    ("tcp:gateway.example:1", .tcp(host: "gateway.example", port: 1)),
    ("tcp:[::1]:65535", .tcp(host: "::1", port: 65535)),
    ("unix:/run/hci", .unix(path: "/run/hci")),
    ("/dev/ttyACM0", .serial(path: "/dev/ttyACM0", baud: 115_200)),
    ("/dev/ttyUSB1:1000000", .serial(path: "/dev/ttyUSB1", baud: 1_000_000)),
    (
      "/dev/serial/by-path/pci-0000:00:14.0-usb-0:1:1",
      .serial(
        path: "/dev/serial/by-path/pci-0000:00:14.0-usb-0:1:1", baud: 115_200)
    ),
    (
      "/dev/serial/by-path/pci-0000:00:14.0-usb-0:2:9600",
      .serial(
        path: "/dev/serial/by-path/pci-0000:00:14.0-usb-0:2", baud: 9600)
    ),
  ])
  func `reads`(text: String, address: H4Address) throws {
    #expect(try H4Address(text) == address)
  }

  @Test(arguments: ["tcp:[::1]:9", "tcp:a:9", "unix:/x", "/dev/ttyACM0"])
  func `is written as it was read`(text: String) throws {
    #expect(try H4Address(text).description == text)
  }

  @Test(arguments: [
    "", "tcp:", "tcp:host", "tcp:host:", "tcp:host:0", "tcp:host:65536", "tcp::1", "tcp:::1:9",
    "tcp:[[a]]:9", "tcp:[a:9", "tcp:a]:9",
    "unix:", "unix:/" + String(repeating: "x", count: 107), "ttyACM0", "udp:h:1",
    "/dev/ttyACM0:12345",
  ])
  func `refuses`(text: String) {
    let error = #expect(throws: RSSIError.self) { try H4Address(text) }
    #expect(error?.kind == .usage)
  }
}
