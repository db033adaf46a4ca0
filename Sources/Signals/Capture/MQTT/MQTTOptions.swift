import Support

/// How to talk to a broker.
public struct MQTTOptions: Equatable, Sendable {
  /// What the messages are in; nil tells by each message.
  public var dialect: Dialect?
  /// A file of the certificates to trust; nil trusts those of the system.
  public var caFile: String?
  /// Overrides the user of the URL.
  public var userName: String?
  /// A file whose first line is the password, and which only its owner may read; nil takes it from
  /// `passwordVariable`, if that is set.
  public var passwordFile: String?
  /// The environment variable that holds the password.
  public static let passwordVariable = SecretVariable.brokerPassword
  /// A name that the broker keeps a session under, so that a capture that starts again gets what
  /// was published meanwhile with QoS 1; nil makes one up for each capture.
  public var clientID: String?
  /// Seconds for which the broker keeps the session of a `clientID` (MQTT 5); 3.1.1 has no limit.
  public var sessionExpiry: UInt32 = 86_400

  public init() {}
}
