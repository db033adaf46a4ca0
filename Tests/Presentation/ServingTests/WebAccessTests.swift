import Support
import Testing

@testable import Serving

@Suite("Who may ask a server for what") struct WebAccessTests {
  private static let token = "0123456789abcdef"
  private let local = WebAccess(token: token, at: HostAndPort(host: "127.0.0.1", port: 8080))
  private let wide = WebAccess(token: token, at: HostAndPort(host: "0.0.0.0", port: 8080))
  private let proxied = WebAccess(
    token: token, at: HostAndPort(host: "127.0.0.1", port: 8080),
    publicURL: "https://rssi.example.org")

  private func status(
    _ access: WebAccess, _ method: String = "GET", isOpen: Bool = false, token: String? = nil,
    of headers: [String: String]
  ) -> Int {
    var request = WebRequest(method, "/api/v1/state")
    request.headers = headers
    request.headers["authorization"] = token
    return access.refusal(of: request, isOpen: isOpen, at: 0)?.status ?? 200
  }

  @Test(arguments: ["127.0.0.1:8080", "localhost:8080", "[::1]:8080", "192.168.1.7:8080"])
  func `answers under its address`(host: String) {
    #expect(status(local, of: ["host": host]) == 200)
  }

  /// A name that an attacker points at this machine (DNS rebinding), and other ports.
  @Test(arguments: [
    "evil.example:8080", "localhost", "localhost:81", "127.0.0.1.evil.example:8080", "", "a:8080:",
    "localhost:8080, evil.example", "rssi.example.org",
  ])
  func `refuses other names`(host: String) {
    #expect(status(local, of: ["host": host]) == 421)
    #expect(status(local, isOpen: true, of: ["host": host]) == 421)
  }

  @Test func `refuses without a name`() { #expect(status(local, of: [:]) == 421) }

  @Test(arguments: [
    ["origin": "http://evil.example"], ["origin": "null"], ["origin": "http://localhost:8081"],
    ["origin": "https://localhost:8080"], ["sec-fetch-site": "cross-site"],
    ["sec-fetch-site": "same-site"],
  ])
  func `refuses pages of others`(headers: [String: String]) {
    let named = headers.merging(["host": "localhost:8080"]) { first, _ in first }
    for method in ["GET", "POST"] {
      #expect(status(local, method, token: "Bearer \(Self.token)", of: named) == 403)
    }
  }

  @Test func `answers its own page`() {
    let headers = [
      "host": "localhost:8080", "origin": "http://localhost:8080", "sec-fetch-site": "same-origin",
    ]
    #expect(status(local, of: headers) == 200)
    #expect(status(local, "POST", token: "Bearer \(Self.token)", of: headers) == 200)
  }

  @Test(arguments: [
    nil, "", "Bearer", "Bearer ", "Bearer 0123456789abcde", "Bearer 0123456789abcdef0",
    "bearer 0123456789abcdef", "Basic 0123456789abcdef", "0123456789abcdef",
    "Bearer 0123456789abcdeg",
  ])
  func `every change needs the token`(token: String?) {
    #expect(status(local, "POST", token: token, of: ["host": "localhost:8080"]) == 401)
    // Beyond this machine reading needs it, too.
    #expect(status(wide, token: token, of: ["host": "192.168.1.7:8080"]) == 401)
    #expect(status(proxied, token: token, of: ["host": "rssi.example.org"]) == 401)
    // The page itself holds nothing.
    #expect(status(wide, isOpen: true, token: token, of: ["host": "192.168.1.7:8080"]) == 200)
  }

  @Test func `a proxy has its own name`() {
    let token = "Bearer \(Self.token)"
    let headers = ["host": "rssi.example.org", "origin": "https://rssi.example.org"]
    #expect(status(proxied, "POST", token: token, of: headers) == 200)
    #expect(status(proxied, "POST", token: token, of: ["host": "other.example.org"]) == 421)
    #expect(
      status(
        proxied, "POST", token: token,
        of: ["host": "rssi.example.org", "origin": "http://rssi.example.org"]) == 403)
  }

  @Test(arguments: [
    ("127.0.0.1", true), ("127.8.8.8", true), ("::1", true), ("localhost", true),
    ("0.0.0.0", false), ("192.168.1.1", false), ("127.evil.example", false), ("::", false),
  ])
  func `distinguishes this machine`(host: String, isIt: Bool) {
    #expect(WebAccess.isLoopback(host) == isIt)
  }

  @Test func `no caller takes the requests of another`() {
    let page = ["host": "localhost:8080", "sec-fetch-site": "same-origin"]
    func refuse(_ headers: [String: String], _ status: Int, peer: [UInt8] = [], _ count: Int = 1000)
    {
      var request = WebRequest("GET", "/api/v1/state")
      (request.headers, request.peer) = (headers, peer)
      for _ in 0..<count {
        #expect(local.refusal(of: request, isOpen: false, at: 0)?.status == status)
      }
    }
    // A page of another site, by all names and ways.
    refuse(page.merging(["origin": "http://evil.example"]) { $1 }, 403)
    refuse(page.merging(["sec-fetch-site": "cross-site"]) { $1 }, 403)
    refuse(["host": "evil.example:8080"], 421)
    for _ in 0..<400 {
      #expect(
        status(local, isOpen: true, of: ["host": "localhost:8080", "sec-fetch-site": "cross-site"])
          == 200)
    }
    #expect(
      status(local, isOpen: true, of: ["host": "localhost:8080", "sec-fetch-site": "cross-site"])
        == 429)
    // Another program of this machine.
    for _ in 0..<400 { #expect(status(local, of: ["host": "localhost:8080"]) == 200) }
    refuse(["host": "localhost:8080"], 429)
    // Those have all of theirs.
    for _ in 0..<400 {
      #expect(status(local, of: page) == 200)
      #expect(status(local, "POST", token: "Bearer \(Self.token)", of: page) == 200)
    }
    #expect(status(local, of: page) == 429)
    var request = WebRequest("GET", "/api/v1/state")
    (request.headers, request.peer) = (page, [192, 168, 1, 7])
    #expect(local.refusal(of: request, isOpen: false, at: 0) == nil)
  }

  @Test func `any number of addresses takes a fixed amount of memory, and the known ones go on`() {
    var request = WebRequest("GET", "/")
    request.headers = ["host": "localhost:8080"]
    func status(_ peer: Int) -> Int {
      request.peer = withUnsafeBytes(of: UInt32(peer)) { Array($0) }
      return local.refusal(of: request, isOpen: true, at: 0)?.status ?? 200
    }
    let first = (0..<1000).count { status($0) == 200 }
    #expect(first == 1000)
    // What is beyond shares the requests of one.
    #expect((1000..<10_000).count { status($0) == 200 } == 400)
    #expect(status(3) == 200)
  }

  @Test func `bounds the rate of requests`() {
    var request = WebRequest("GET", "/")
    request.headers = ["host": "localhost:8080"]
    func accepted(_ count: Int, at time: Int64) -> Int {
      (0..<count).filter { _ in local.refusal(of: request, isOpen: true, at: time) == nil }.count
    }
    #expect(accepted(1000, at: 0) == 400)
    #expect(accepted(1000, at: 500_000_000) == 200)
    #expect(local.refusal(of: request, isOpen: true, at: 500_000_000)?.status == 429)
    #expect(accepted(1000, at: 100_000_000_000) == 400)
  }
}
