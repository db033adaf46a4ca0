import Foundation
import Testing

/// A connection to a port of this machine that sends what a test wants, also half of it.
public final class RawClient {
  private let socket: Int32

  public init(port: Int) throws {
    socket = try #require(connectedSocket(port: port), "nothing listens on port \(port)")
    // A deadline that only a failure reaches.
    var limit = timeval(tv_sec: Int(patience.components.seconds), tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Sends a text; false where the other side has closed.
  @discardableResult
  public func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return Foundation.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// Reads until the other side closes.
  public func readToEnd() -> String {
    var all: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(socket, &part, part.count, 0)
      guard count > 0 else { return String(decoding: all, as: UTF8.self) }
      all += part[..<count]
    }
  }

  /// Reads from now on, until the text is enough or the other side closes.
  public func read(_ isEnough: (String) -> Bool) -> String {
    var all: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    let deadline = ContinuousClock.now + patience
    while true {
      let text = String(decoding: all, as: UTF8.self)
      if isEnough(text) || ContinuousClock.now > deadline { return text }
      let count = recv(socket, &part, part.count, 0)
      guard count > 0 else { return text }
      all += part[..<count]
    }
  }

  /// A Boolean value that is true if the other side has closed; earlier output is discarded.
  public var isClosed: Bool {
    var part = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(socket, &part, part.count, Int32(MSG_DONTWAIT))
      if count == 0 { return true }
      if count < 0 { return errno != EAGAIN }
    }
  }

  deinit { close(socket) }
}

/// Returns the response of an HTTP server of this machine to one request.
public func httpResponse(
  _ target: String, port: Int, method: String = "GET", headers: String = "",
  host: String? = nil, body: String? = nil
) throws -> (status: Int, headers: String, body: String) {
  let client = try RawClient(port: port)
  let length = body.map { "Content-Length: \($0.utf8.count)\r\n" } ?? ""
  client.send(
    "\(method) \(target) HTTP/1.1\r\nHost: \(host ?? "localhost:\(port)")\r\n\(headers)\(length)\r\n\(body ?? "")"
  )
  let text = client.readToEnd()
  let end = try #require(text.firstRange(of: "\r\n\r\n"), "no response: \(text)")
  let status = try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
  return (status, String(text[..<end.lowerBound]), String(text[end.upperBound...]))
}
