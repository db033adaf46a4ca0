internal import Support

/// The parts of a broker's URL, `SCHEME://[USER@]HOST[:PORT]/PATH`, with percent-encoding in the
/// user and in the path.
struct BrokerURL: Equatable {
  /// The form of a protocol's URLs.
  struct Form {
    /// The schemes without TLS and with TLS.
    var schemes: (plain: String, encrypted: String)
    var ports: (plain: Int32, encrypted: Int32)
    /// The name of such a broker in messages, and an example URL.
    var kind: String
    var example: String
    /// The environment variable of the password.
    var passwordVariable: String
  }

  var isEncrypted: Bool
  var user: String?
  var host: String
  var port: Int32
  /// The part after the first slash.
  var path: String

  /// The broker's name in messages: without the user, and without the default port.
  func broker(_ form: Form) -> String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (isEncrypted ? form.ports.encrypted : form.ports.plain)
      ? name : "\(name):\(port)"
  }

  /// The URL without the user, as written to files and messages.
  func place(_ form: Form) -> String {
    "\(isEncrypted ? form.schemes.encrypted : form.schemes.plain)://\(broker(form))/\(path)"
  }

  /// - Throws: `RSSIError` of kind `usage`.
  init(_ url: String, _ form: Form) throws(RSSIError) {
    let rest: Substring
    if url.hasPrefix(form.schemes.plain + "://") {
      isEncrypted = false
      rest = url.dropFirst(form.schemes.plain.count + 3)
    } else if url.hasPrefix(form.schemes.encrypted + "://") {
      isEncrypted = true
      rest = url.dropFirst(form.schemes.encrypted.count + 3)
    } else {
      throw .usage(
        "the URL of \(form.kind) begins with \(form.schemes.plain):// or "
          + "\(form.schemes.encrypted)://")
    }
    let authority = rest.prefix { $0 != "/" }
    var hostAndPort = authority
    if let at = authority.lastIndex(of: "@") {
      let user = authority[..<at]
      // The message omits the text: it may hold the password, and messages go to the screen and to
      // logs.
      guard !user.contains(":") else {
        throw .usage(
          "a password in the URL is visible to every user of the machine: put it into a file or "
            + "into \(form.passwordVariable)")
      }
      guard let decoded = Self.decoded(user), !decoded.isEmpty else {
        throw .usage("the user name in the URL is not percent-encoded UTF-8")
      }
      self.user = decoded
      hostAndPort = authority[authority.index(after: at)...]
    }
    (host, port) = try Self.split(
      hostAndPort, standard: isEncrypted ? form.ports.encrypted : form.ports.plain, form)
    guard let path = Self.decoded(rest.dropFirst(authority.count + 1)) else {
      throw .usage(
        "the part after the host in the URL is not percent-encoded UTF-8: "
          + "write a percent sign as %25"
      )
    }
    self.path = path
  }

  private static func split(
    _ text: Substring, standard: Int32, _ form: Form
  ) throws(RSSIError) -> (host: String, port: Int32) {
    var host = text
    var port = text.suffix(0)
    if text.first == "[", let end = text.firstIndex(of: "]") {
      host = text[text.index(after: text.startIndex)..<end]
      port = text[text.index(after: end)...]
    } else if let colon = text.firstIndex(of: ":") {
      host = text[..<colon]
      port = text[colon...]
    }
    guard !host.isEmpty, !host.contains("\0") else {
      throw .usage("the URL has no broker: write for example \(form.example)")
    }
    guard !port.isEmpty else { return (String(host), standard) }
    guard port.first == ":", let number = Int32(port.dropFirst()), (1...65_535).contains(number)
    else { throw .usage("the port of the broker must be a number from 1 to 65535") }
    return (String(host), number)
  }

  /// Returns a text with every `%XX` replaced by its byte; nil if the result is not UTF-8.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, bytes.append(hexadecimal: rest.prefix(2)) else { return nil }
      rest.removeFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension RSSIError {
  static func usage(_ description: String) -> RSSIError { RSSIError(.usage, description) }
}

extension BrokerURL.Form {
  static let nats = BrokerURL.Form(
    schemes: ("nats", "nats+tls"), ports: (4222, 4222), kind: "a NATS server",
    example: "nats://localhost/SITE", passwordVariable: SecretVariable.natsPassword)
}
