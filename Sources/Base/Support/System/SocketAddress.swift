import Glibc

/// The address of a socket to connect or listen to, in the system's form.
package struct SocketAddress: Sendable {
  package let family: Int32
  private let bytes: [UInt8]

  /// Returns all addresses of a host.
  ///
  /// - Throws: `.unavailable` if there is no such host.
  package static func all(of place: HostAndPort) throws(RSSIError) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(place.host, String(place.port), &hints, &list)
    defer { if let list { freeaddrinfo(list) } }
    guard status == 0 else {
      throw RSSIError(
        .unavailable,
        "the host '\(place.host)' cannot be found (\(String(cString: gai_strerror(status)))); "
          + "check its name")
    }
    var found: [SocketAddress] = []
    var next = list
    while let entry = next?.pointee {
      let bytes = UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen))
      found.append(SocketAddress(family: entry.ai_family, bytes: Array(bytes)))
      next = entry.ai_next
    }
    return found
  }

  /// - Parameter path: The path, at most 107 bytes.
  package static func unix(_ path: String) -> SocketAddress {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    return SocketAddress(family: AF_UNIX, bytes: withUnsafeBytes(of: address) { Array($0) })
  }

  /// Starts to connect a socket.
  ///
  /// - Returns: 0 or the error number, EINPROGRESS while it is in progress.
  package func connect(_ socket: Int32) -> Int32 { pass(to: Glibc.connect, socket) }

  /// Binds a socket that is to listen to this address.
  ///
  /// - Returns: 0 or the error number.
  package func bind(_ socket: Int32) -> Int32 { pass(to: Glibc.bind, socket) }

  private func pass(
    to call: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ socket: Int32
  ) -> Int32 {
    let result = bytes.withUnsafeBytes { raw in
      raw.withMemoryRebound(to: sockaddr.self) {
        call(socket, $0.baseAddress, socklen_t(raw.count))
      }
    }
    return result == 0 ? 0 : errno
  }
}

/// A host with a port: `HOST:PORT`, or `[::1]:PORT` for an IPv6 address.
package struct HostAndPort: Equatable, Sendable, CustomStringConvertible {
  package var host: String
  package var port: UInt16

  package init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

  /// Returns `nil` for a text that does not name both.
  package init?(_ text: some StringProtocol) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...])
    else { return nil }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
    } else if host.contains(":") {
      return nil
    }
    guard !host.isEmpty, !host.contains("["), !host.contains("]") else { return nil }
    self.init(host: host, port: port)
  }

  package var description: String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
