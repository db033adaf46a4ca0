import Foundation
import Support
import Synchronization
import TestSupport
import Testing

@testable import Serving

/// A server of one page on a free port of this machine, which ends with this value.
private final class TestServer {
  let server: WebServer
  let port: Int

  init(_ page: @escaping @Sendable () -> WebAnswer = { WebAnswer("page\n", type: "text/x") }) throws
  {
    server = try WebServer(HostAndPort(host: "127.0.0.1", port: 0), pages: ["/page": page])
    port = try #require(URL(string: server.url)?.port)
  }

  func response(
    _ target: String = "/page", method: String = "GET"
  ) throws -> (status: Int, headers: String, body: String) {
    try withExtendedLifetime(self) { try httpResponse(target, port: port, method: method) }
  }
}

@Suite("A web server answers within bounds")
struct WebServerTests {
  @Test func `serves a page that is made when asked for`() throws {
    let asked = Atomic(0)
    let served = try TestServer {
      WebAnswer("page \(asked.add(1, ordering: .relaxed).newValue)\n", type: "text/x")
    }
    for number in 1...3 {
      let (status, headers, body) = try served.response("/page?a=b")
      #expect(status == 200 && body == "page \(number)\n")
      #expect(headers.contains("Content-Type: text/x"))
    }
  }

  @Test func `answers HEAD without the content`() throws {
    let (status, headers, body) = try TestServer().response(method: "HEAD")
    #expect(status == 200 && body.isEmpty)
    #expect(headers.contains("Content-Length: 5"))
  }

  @Test(arguments: [
    ("GET", "/", 404), ("GET", "/page/", 404), ("GET", "/../page", 404), ("POST", "/page", 405),
    ("DELETE", "/page", 405), ("POST", "/", 404), ("OPTIONS", "*", 404),
  ])
  func `refuses what is not a page`(method: String, path: String, status: Int) throws {
    let response = try TestServer().response(path, method: method)
    #expect(response.status == status)
    #expect(response.headers.contains("Allow: GET, HEAD") == (status == 405))
  }

  @Test(arguments: [
    "\r\n\r\n\r\n", "GET\r\n\r\n", String(repeating: "x", count: 100_000),
    "GET /" + String(repeating: "y", count: 100_000) + " HTTP/1.1\r\n\r\n",
    "GET /page HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "z", count: 100_000) + "\r\n\r\n",
    "GET /page HTTP/1.1\r\nHost: a\r\n" + String(repeating: "A: b\r\n", count: 100_000) + "\r\n",
    "POST /page HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
    "POST /page HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
    "\u{0}\u{1}\u{2}", "GET /page HTTP/9.9\r\n\r\n", "GET /%00%ff%zz HTTP/1.1\r\nHost: a\r\n\r\n",
  ])
  func `outlives a bad request`(text: String) throws {
    let served = try TestServer()
    let client = try RawClient(port: served.port)
    client.send(text)
    #expect(!client.readToEnd().contains(" 200 "))
    #expect(try served.response().status == 200)
  }

  @Test func `breaks off a client that is slow`() throws {
    let served = try TestServer()
    let client = try RawClient(port: served.port)
    client.send("GET /page HTTP/1.1\r\nHost: a\r\n")
    // Each byte is within the time for the next; the request as a whole is not.
    let isBrokenOff = eventually {
      client.send("X")
      usleep(100_000)
      return client.isClosed
    }
    #expect(isBrokenOff)
    #expect(try served.response().status == 200)
  }

  @Test func `answers again after more clients than it has places`() throws {
    let served = try TestServer()
    var clients = try (0..<150).map { _ in try RawClient(port: served.port) }
    for client in clients { client.send("GET /page") }
    // The first that came lose their places, and the later ones get them.
    #expect(eventually { clients.allSatisfy(\.isClosed) })
    clients.removeAll()
    #expect(try served.response().status == 200)
  }

  @Test func `reports an address in use`() throws {
    let (socket, used) = try listeningSocket()
    defer { close(socket) }
    let error = #expect(throws: RSSIError.self) {
      try WebServer(HostAndPort(host: "127.0.0.1", port: UInt16(used)), pages: [:])
    }
    #expect(error?.kind == .unavailable && error?.subject == "127.0.0.1:\(used)")
  }

  @Test(arguments: ["192.0.2.1", "no-such-host.invalid"])
  func `refuses an address of another machine`(host: String) {
    let error = #expect(throws: RSSIError.self) {
      try WebServer(HostAndPort(host: host, port: 0), pages: [:])
    }
    #expect(error?.kind == .unavailable)
  }

  @Test func `ends with its connections`() throws {
    let served = try TestServer()
    let client = try RawClient(port: served.port)
    client.send("GET /page HTTP/1.1\r\n")
    served.server.stop()
    #expect(client.readToEnd().isEmpty)
    served.server.stop()
  }
}
