internal import CNATS
import Support

/// A connection to a NATS server, which its library restores after each loss.
final class NATSConnection {
  /// The server's name in messages.
  let broker: String
  /// The connection and its JetStream context.
  let handle: OpaquePointer
  let jetStream: OpaquePointer

  /// The time within which the server has to answer, in milliseconds.
  static let patience: Int64 = 5_000

  /// Connects to the server of a URL.
  ///
  /// - Throws: `RSSIError` if the connection fails.
  static func open(
    _ url: BrokerURL, options: GatewayOptions, credentials: BrokerCredentials
  ) throws(RSSIError) -> NATSConnection {
    if let connection = try NATSConnection(url, options: options, credentials: credentials) {
      return connection
    }
    throw missing(url.broker(.nats))
  }

  static func missing(_ broker: String) -> RSSIError {
    RSSIError(
      .unavailable,
      "no NATS server answers at \(broker): start it, or check the name and the port")
  }

  /// Connects to the server of a URL; nil if no server answers.
  ///
  /// - Parameter reconnects: whether the library restores a lost connection, and then sends what
  ///   was published meanwhile.
  /// - Throws: `RSSIError` if the server refuses the connection.
  init?(
    _ url: BrokerURL, options: GatewayOptions, credentials: BrokerCredentials,
    reconnects: Bool = true
  ) throws(RSSIError) {
    broker = url.broker(.nats)
    var settings: OpaquePointer?
    guard natsOptions_Create(&settings) == NATS_OK, let settings else {
      throw RSSIError(.unavailable, "the NATS library cannot be initialised: is the memory full?")
    }
    defer { natsOptions_Destroy(settings) }
    natsOptions_SetURL(settings, "nats://" + broker)
    natsOptions_SetName(settings, "rssi")
    natsOptions_SetTimeout(settings, Self.patience)
    natsOptions_SetAllowReconnect(settings, reconnects)
    natsOptions_SetMaxReconnect(settings, -1)
    natsOptions_SetReconnectWait(settings, 250)
    // Half a minute without an answer counts as a lost connection.
    natsOptions_SetPingInterval(settings, 10_000)
    natsOptions_SetMaxPingsOut(settings, 2)
    if let user = credentials.userName {
      natsOptions_SetUserInfo(settings, user, credentials.password ?? "")
    }
    if url.isEncrypted {
      natsOptions_SetSecure(settings, true)
      natsOptions_SetExpectedHostname(settings, url.host)
      if let caFile = options.caFile {
        guard natsOptions_LoadCATrustedCertificates(settings, caFile) == NATS_OK else {
          throw .usage("\(caFile) is not a readable file of certificates")
        }
      }
    }
    // The default writes to standard error.
    natsOptions_SetErrorHandler(settings, { _, _, _, _ in }, nil)

    var connection: OpaquePointer?
    let status = natsConnection_Connect(&connection, settings)
    guard status == NATS_OK, let connection else {
      if [NATS_NO_SERVER, NATS_TIMEOUT, NATS_IO_ERROR].contains(status) { return nil }
      throw Self.failure(of: status, broker)
    }
    var context: OpaquePointer?
    var jetStreamOptions = jsOptions()
    jsOptions_Init(&jetStreamOptions)
    jetStreamOptions.Wait = Self.patience
    guard natsConnection_JetStream(&context, connection, &jetStreamOptions) == NATS_OK, let context
    else {
      natsConnection_Destroy(connection)
      throw RSSIError(.unavailable, "the NATS library cannot use JetStream: is the memory full?")
    }
    (handle, jetStream) = (connection, context)
  }

  deinit {
    jsCtx_Destroy(jetStream)
    natsConnection_FlushTimeout(handle, 1_000)
    natsConnection_Close(handle)
    natsConnection_Destroy(handle)
  }

  var isConnected: Bool { natsConnection_Status(handle) == NATS_CONN_STATUS_CONNECTED }

  /// A Boolean value that is true if the library gave up, for example because the server refused
  /// the user after a lost connection.
  var isClosed: Bool { natsConnection_IsClosed(handle) }

  /// The last error message of the server, such as that of a missing permission; empty if there is
  /// none.
  var complaint: String {
    var text: UnsafePointer<CChar>?
    _ = natsConnection_GetLastError(handle, &text)
    return text.map { String(cString: $0) } ?? ""
  }

  /// Returns the error of a JetStream operation.
  ///
  /// - Parameter what: the operation that failed, such as "read the stream SITE".
  func failure(_ what: String, _ status: natsStatus) -> RSSIError {
    let complaint = complaint
    if complaint.lowercased().contains("permissions violation") || status == NATS_NOT_PERMITTED {
      return RSSIError(
        .permission,
        "the NATS server \(broker) does not let this user \(what) (\(complaint)): "
          + "docs/fleet.md lists the permissions")
    }
    if status == NATS_NO_RESPONDERS {
      return RSSIError(
        .unavailable,
        "the NATS server \(broker) has no JetStream: enable it (jetstream in its "
          + "configuration, or nats-server -js)")
    }
    return RSSIError(
      .unavailable, "cannot \(what) on \(broker): \(Self.words(status))")
  }

  private static func failure(of status: natsStatus, _ broker: String) -> RSSIError {
    switch status {
    case NATS_CONNECTION_AUTH_FAILED, NATS_NOT_PERMITTED:
      return RSSIError(
        .permission,
        "the NATS server \(broker) refuses this user: check the user in the URL, and the "
          + "password in the password file or in \(SecretVariable.natsPassword)")
    case NATS_SECURE_CONNECTION_REQUIRED:
      return RSSIError(
        .unavailable, "the NATS server \(broker) requires TLS: write nats+tls:// in the URL")
    case NATS_SECURE_CONNECTION_WANTED:
      return RSSIError(
        .unavailable, "the NATS server \(broker) does not support TLS: write nats:// in the URL")
    case NATS_SSL_ERROR:
      return RSSIError(
        .unavailable,
        "the TLS certificate of \(broker) is not trusted (\(words(status))): check the name, and "
          + "give the certificate of its authority")
    default:
      return RSSIError(
        .unavailable, "cannot connect to the NATS server \(broker): \(words(status))")
    }
  }

  /// Returns the library's message about the last failure in this thread.
  static func words(_ status: natsStatus) -> String {
    var last = NATS_OK
    if let text = nats_GetLastError(&last), last == status {
      let words = String(cString: text)
      if !words.isEmpty { return words }
    }
    return natsStatus_GetText(status).map { String(cString: $0) } ?? "status \(status.rawValue)"
  }
}
