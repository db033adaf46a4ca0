import Testing

@testable import Support

@Suite struct HostAndPortTests {
  @Test(arguments: [
    ("127.0.0.1:9464", HostAndPort(host: "127.0.0.1", port: 9464)),
    ("localhost:0", HostAndPort(host: "localhost", port: 0)),
    ("[::1]:65535", HostAndPort(host: "::1", port: 65535)),
  ])
  func `reads and writes`(text: String, place: HostAndPort) {
    #expect(HostAndPort(text) == place)
    #expect(place.description == text)
  }

  @Test(arguments: [
    "", ":", "9464", "host", "host:", ":9464", "host:65536", "host:-1", "::1:9464", "[::1]",
    "[::1:9464", "[[a]]:1",
  ])
  func `refuses`(text: String) { #expect(HostAndPort(text) == nil) }
}
