/// A host and a port of it: `HOST:PORT`, or `[::1]:PORT` for an address of IPv6.
package struct HostAndPort: Equatable, Sendable, CustomStringConvertible {
  package var host: String
  package var port: UInt16

  package init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

  /// Nil for a text that does not name both.
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
