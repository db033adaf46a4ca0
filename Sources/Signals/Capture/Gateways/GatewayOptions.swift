import Support

/// The options of a connection to a broker.
public struct GatewayOptions: Equatable, Sendable {
  /// The dialect of the messages; nil detects it in each message.
  package var dialect: Dialect?
  /// A file of the trusted certificates; nil trusts those of the system.
  public var caFile: String?
  /// The user, which overrides that of the URL.
  public var userName: String?
  /// A file whose first line is the password, readable only by its owner; nil reads it from the
  /// environment variable of the protocol, if that is set.
  public var passwordFile: String?
  /// The name of the broker's session, so that a capture that starts again receives what was
  /// published meanwhile with QoS 1; nil generates one for each capture.
  public var clientID: String?
  /// The time for which the broker keeps the session of a `clientID`, in seconds (MQTT 5); 3.1.1
  /// has no limit.
  public var sessionExpiry: UInt32 = 86_400

  /// Creates the default options.
  public init() {}
}

/// The identity of a capture at the broker; the password goes only to the connection.
struct BrokerCredentials {
  var userName: String?
  var password: String?

  /// - Throws: `RSSIError` if the password cannot be read or has no user.
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
