package import Support

/// The address of a controller that speaks HCI over H4.
package enum H4Address: Equatable, Sendable {
  case tcp(host: String, port: UInt16)
  case unix(path: String)
  case serial(path: String, baud: Int)

  /// The speeds of serial lines that Linux supports, in bits per second.
  static let speeds = [
    9600, 19200, 38400, 57600, 115_200, 230_400, 460_800, 500_000, 576_000, 921_600, 1_000_000,
    1_152_000, 1_500_000, 2_000_000, 2_500_000, 3_000_000, 3_500_000, 4_000_000,
  ]

  /// Reads `tcp:HOST:PORT`, `tcp:[::1]:PORT`, `unix:PATH` or a device's path, followed by `:BAUD`
  /// unless it is 115200.
  ///
  /// - Throws: `.usage`.
  package init(_ text: String) throws(RSSIError) {
    if text.hasPrefix("tcp:") {
      self = try Self.tcp(text.dropFirst(4), in: text)
    } else if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      guard !path.isEmpty, path.utf8.count < 108 else {
        throw RSSIError(.usage, "expected a path of 1 to 107 bytes after unix:, found \"\(text)\"")
      }
      self = .unix(path: path)
    } else if text.hasPrefix("/") {
      self = try Self.serial(text)
    } else {
      throw RSSIError(
        .usage,
        "expected tcp:HOST:PORT, unix:PATH or /dev/ttyX[:BAUD], found \"\(text)\"")
    }
  }

  private static func tcp(_ rest: Substring, in text: String) throws(RSSIError) -> H4Address {
    let wrong = RSSIError(
      .usage,
      "expected tcp:HOST:PORT, such as tcp:192.0.2.7:9000 or tcp:[::1]:9000, found \"\(text)\"")
    guard let place = HostAndPort(rest), place.port > 0 else { throw wrong }
    return .tcp(host: place.host, port: place.port)
  }

  /// Reads a path, which may itself contain colons, such as those in /dev/serial/by-path.
  private static func serial(_ text: String) throws(RSSIError) -> H4Address {
    guard let colon = text.lastIndex(of: ":"), let number = Int(text[text.index(after: colon)...]),
      number >= 300
    else { return .serial(path: text, baud: 115_200) }
    guard speeds.contains(number) else {
      let known = speeds.map(String.init).joined(separator: ", ")
      throw RSSIError(
        .usage, "unsupported speed \(number) in \"\(text)\"; known are \(known)")
    }
    return .serial(path: String(text[..<colon]), baud: number)
  }
}

extension H4Address: CustomStringConvertible {
  /// The address as written, without a serial line's speed.
  package var description: String {
    switch self {
    case .tcp(let host, let port): "tcp:\(HostAndPort(host: host, port: port))"
    case .unix(let path): "unix:\(path)"
    case .serial(let path, _): path
    }
  }
}
