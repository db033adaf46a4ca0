import Support
import TestSupport
import Testing

@testable import Capture

@Suite struct MQTTAddressTests {
  @Test(arguments: [
    ("mqtt://broker/ruuvi/#", "broker", 1883, "ruuvi/#", "mqtt://broker/ruuvi/#"),
    ("mqtts://broker/a", "broker", 8883, "a", "mqtts://broker/a"),
    ("mqtt://broker:8883/a", "broker", 8883, "a", "mqtt://broker:8883/a"),
    ("mqtt://[::1]:1884/a", "::1", 1884, "a", "mqtt://[::1]:1884/a"),
    ("mqtt://[::1]/a", "::1", 1883, "a", "mqtt://[::1]/a"),
    ("mqtt://broker//gw/+/status", "broker", 1883, "/gw/+/status", "mqtt://broker//gw/+/status"),
    ("mqtt://broker/$share/g/a/%23", "broker", 1883, "$share/g/a/#", "mqtt://broker/$share/g/a/#"),
    ("mqtt://b/a%20b?c=d", "b", 1883, "a b?c=d", "mqtt://b/a b?c=d"),
    ("mqtt://b/k%C3%BCche", "b", 1883, "küche", "mqtt://b/küche"),
  ])
  func `a URL names a broker and a topic`(
    _ url: String, _ host: String, _ port: Int32, _ topic: String, _ place: String
  ) throws {
    let address = try MQTTAddress(url: url)
    #expect(address.host == host)
    #expect(address.port == port)
    #expect(address.topic == topic)
    #expect(address.place == place)
    #expect(address.user == nil)
  }

  @Test func `the place omits the user`() throws {
    let address = try MQTTAddress(url: "mqtts://me%40home@broker:1/a")
    #expect(address.user == "me@home")
    #expect(address.place == "mqtts://broker:1/a")
  }

  @Test(arguments: [
    "http://broker/a", "mqtt:broker/a", "mqtt://broker", "mqtt://broker/", "mqtt:///a",
    "mqtt://broker:0/a", "mqtt://broker:65536/a", "mqtt://broker:x/a", "mqtt://broker:/a",
    "mqtt://[::1/a", "mqtt://[::1]x/a", "mqtt://@broker/a", "mqtt://%zz@broker/a",
    "mqtt://broker/a%2", "mqtt://broker/%FF", "mqtt://broker/%00", "mqtt://broker/a/#/b",
    "mqtt://broker/a+", "mqtt://broker/a#",
  ])
  func `anything else is a mistake`(_ url: String) throws {
    let error = #expect(throws: RSSIError.self) { try MQTTAddress(url: url) }
    #expect(error?.kind == .usage)
  }

  @Test func `a password in the URL is refused and not repeated`() {
    let error = #expect(throws: RSSIError.self) {
      try MQTTSource(url: "mqtt://me:s3cret@broker/a", environment: [:])
    }
    #expect(error?.kind == .usage)
    #expect(error?.description.contains("s3cret") == false)
  }

  @Test func `a password needs a user, and a file needs a line`() throws {
    let directory = try TemporaryDirectory()
    var options = GatewayOptions()
    for (url, path) in [
      ("mqtt://broker/a", try directory.write("s3cret", to: "password", permissions: 0o600)),
      ("mqtt://me@broker/a", try directory.write("\n", to: "empty", permissions: 0o600)),
      (
        "mqtt://me@broker/a",
        try directory.write(String(repeating: "x", count: 5000), to: "long", permissions: 0o600)
      ),
      ("mqtt://me@broker/a", directory.path("none")),
    ] {
      options.passwordFile = path
      let error = #expect(throws: RSSIError.self) {
        try MQTTSource(url: url, options: options, environment: [:])
      }
      #expect(error?.kind == .usage)
      #expect(error?.description.contains("s3cret") == false)
    }
  }

  @Test(arguments: [0o644, 0o640, 0o604, 0o620])
  func `a password that others may read is refused`(_ permissions: Int) throws {
    let directory = try TemporaryDirectory()
    var options = GatewayOptions()
    options.passwordFile = try directory.write(
      "s3cret", to: "password", permissions: permissions)
    let error = #expect(throws: RSSIError.self) {
      try MQTTSource(url: "mqtt://me@broker/a", options: options, environment: [:])
    }
    #expect(error?.kind == .permission)
    #expect(error?.description.contains("chmod 600") == true)
  }
}
