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
      password = try secret(ofFile: path, called: "password")
    } else {
      password = environment[variable]
    }
    guard password == nil || userName != nil else {
      throw .usage("there is a password for the broker but no user: name one, as in USER@HOST")
    }
  }
}
