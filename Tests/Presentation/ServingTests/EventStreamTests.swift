import Foundation
import Support
import TestSupport
import Testing

@testable import Serving

@Suite("Events for clients of different pace") struct EventStreamTests {
  private final class TestServer {
    let events = EventStream(mostBytes: 1_000_000)
    let server: WebServer
    var port: Int { Int(server.place.port) }

    init(streams: Int = 4) throws {
      var limits = WebServer.Limits()
      (limits.connections, limits.streams, limits.body) = (64, streams, 100)
      let events = events
      server = try WebServer(HostAndPort(host: "127.0.0.1", port: 0), limits: limits) { _ in
        { request in
          switch request.path {
          case "/events":
            WebAnswer(events, after: request.query["after"].flatMap { UInt64($0) })
          default:
            WebAnswer(
              "\(request.method) \(request.query["q"] ?? "-") "
                + String(decoding: request.body, as: UTF8.self), type: "text/plain")
          }
        }
      }
    }

    func client(after: Int?) throws -> RawClient {
      let client = try RawClient(port: port)
      let query = after.map { "?after=\($0)" } ?? ""
      // Of HTTP 1.0 the answer is not in chunks.
      client.send("GET /events\(query) HTTP/1.0\r\nHost: a\r\n\r\n")
      return client
    }
  }

  /// The numbers and data of messages in what a client received.
  private func messages(in text: String) -> [String] {
    text.matches(of: /id: (\d+)\nevent: (\w+)\ndata: (.*)\n\n/).map { "\($0.1) \($0.2) \($0.3)" }
  }

  @Test
  func `a client gets what it asks for and what follows, in order, and nothing twice`() throws {
    let served = try TestServer()
    for number in 1...20 { served.events.send("a", "\(number)") }
    let client = try served.client(after: 15)
    let all = (16...1000).map { "\($0) a \($0)" }
    for number in 21...1000 { served.events.send("a", "\(number)") }
    let text = client.read { messages(in: $0).count >= all.count }
    #expect(messages(in: text) == all)
    #expect(text.contains("Content-Type: text/event-stream"))
  }

  @Test
  func `messages of any size and number arrive whole, however many clients there are`() throws {
    let served = try TestServer()
    let clients = try (0..<4).map { _ in try served.client(after: 0) }
    var generator = SystemRandomNumberGenerator()
    let data = (0..<60).map { _ in
      String(repeating: "ü", count: Int.random(in: 0...5000, using: &generator))
    }
    for text in data { served.events.send("x", text) }
    for client in clients {
      let text = client.read { messages(in: $0).count >= data.count }
      #expect(messages(in: text) == data.enumerated().map { "\($0.offset + 1) x \($0.element)" })
    }
  }

  @Test
  func `a client that missed messages, or comes from another run, has to begin again`() throws {
    let served = try TestServer()
    for _ in 0..<50 { served.events.send("a", String(repeating: "x", count: 100_000)) }
    for after in [0, 1, 5_000] {
      let text = try served.client(after: after).read {
        $0.contains("\n\n") && $0.contains("reset")
      }
      #expect(text.contains("event: reset\ndata: {}\n\n"))
    }
  }

  @Test func `a client that does not read is dropped, and delays no other`() throws {
    let served = try TestServer()
    let idle = try served.client(after: 0)
    let reader = try served.client(after: 0)
    let count = 400
    for number in 1...count {
      served.events.send("a", "\(number) " + String(repeating: "x", count: 50_000))
      // The reader keeps up; the ring has room for 20 of these.
      _ = reader.read { $0.hasSuffix("x\n\n") }
    }
    // The idle client finds what the kernel kept for it, and the end.
    #expect(messages(in: idle.readToEnd()).count < count)
  }

  @Test func `more clients than allowed are refused, and others take their places`() throws {
    let served = try TestServer(streams: 2)
    var clients = try (0..<2).map { _ in try served.client(after: 0) }
    for client in clients { _ = client.read { $0.contains("\n:\n\n") } }
    #expect(try httpResponse("/events", port: served.port).status == 503)
    clients.removeAll()
    // Whether a client is there shows when something is sent to it.
    let isFree = eventually {
      served.events.send("a", "1")
      return (try? served.client(after: nil).read { $0.contains("200 OK") || $0.contains("503") })?
        .contains("200 OK") == true
    }
    #expect(isFree)
  }

  @Test func `a request has its content, within the bound`() throws {
    let port = try TestServer()
    func post(_ body: String?, headers: String = "") throws -> (Int, String) {
      let answer = try httpResponse(
        "/?q=%C3%BC+1", port: port.port, method: "POST", headers: headers, body: body)
      return (answer.status, answer.body)
    }
    #expect(try post("abc") == (200, "POST ü 1 abc"))
    #expect(try post("") == (200, "POST ü 1 "))
    #expect(try post(String(repeating: "x", count: 100)).0 == 200)
    #expect(try post(String(repeating: "x", count: 101)).0 == 413)
    #expect(try post(nil).0 == 411)
  }

  @Test func `the server ends while clients follow`() throws {
    let served = try TestServer()
    let clients = try (0..<4).map { _ in try served.client(after: 0) }
    for client in clients { _ = client.read { $0.contains("\n:\n\n") } }
    served.server.stop()
    for client in clients { #expect(!client.readToEnd().contains("id:")) }
  }
}
