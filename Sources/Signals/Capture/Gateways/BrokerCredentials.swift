import Glibc
import Support

/// Who a capture is to the broker; the password never leaves this and the connection.
struct BrokerCredentials {
  var userName: String?
  var password: String?

  /// - Throws: `RSSIError` where the password cannot be read or has no user.
  init(
    user: String?, variable: String, options: GatewayOptions, environment: [String: String]
  ) throws(RSSIError) {
    userName = options.userName ?? user
    if let path = options.passwordFile {
      password = try Self.firstLine(of: path)
    } else {
      password = environment[variable]
    }
    guard password == nil || userName != nil else {
      throw .usage("there is a password for the broker but no user: name one, as in USER@HOST")
    }
  }

  /// The longest password file, in bytes.
  private static let limit = 4096

  private static func firstLine(of path: String) throws(RSSIError) -> String {
    let descriptor = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw RSSIError(
        errno == ENOENT || errno == ENOTDIR ? .usage : .permission,
        "cannot read the password file \(path): \(systemMessage(errno))")
    }
    defer { close(descriptor) }
    guard isPrivate(descriptor) else {
      throw RSSIError(
        .permission,
        "other users may read the password file \(path): make it private with chmod 600 \(path)")
    }
    var bytes: [UInt8] = []
    while bytes.count < limit {
      var block = [UInt8](repeating: 0, count: limit - bytes.count)
      let count = read(descriptor, &block, block.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw RSSIError(
          .permission,
          "cannot read the password file \(path): \(systemMessage(errno))")
      }
      if count == 0 { break }
      bytes += block[..<count]
    }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    guard !line.isEmpty, line.count < limit, let text = String(validating: line, as: UTF8.self),
      !text.contains("\0")
    else {
      throw .usage("the first line of the password file \(path) is not a password")
    }
    return text
  }
}
