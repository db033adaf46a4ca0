internal import CMosquitto
internal import Glibc
import Support

/// A failure to connect to a broker, with its remedy.
struct LinkFailure {
  var kind: RSSIError.Kind
  /// The failure and its remedy, without a full stop.
  var text: String
  /// A Boolean value that is true if the broker does not support MQTT 5.
  var isOldBroker = false

  var error: RSSIError { RSSIError(kind, text) }

  private init(_ kind: RSSIError.Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  static func noAnswer(_ address: MQTTAddress) -> LinkFailure {
    LinkFailure(
      .unavailable,
      "the MQTT broker \(address.broker) does not answer: check its name and port, and whether a "
        + "firewall lets this machine reach it")
  }

  /// Describes a failed connection.
  init(connecting client: MQTTClient, _ outcome: MQTTClient.Outcome, _ address: MQTTAddress) {
    switch outcome.code {
    case cmosquitto_lookup_failed():
      self.init(
        .unavailable, "the host \(address.host) cannot be found: check the broker's name in the URL"
      )
    case cmosquitto_system_error() where outcome.systemError == ECONNREFUSED:
      self.init(
        .unavailable,
        "no MQTT broker answers at \(address.broker): start it, or check the name and the port")
    case cmosquitto_system_error():
      self.init(
        .unavailable,
        "cannot reach the MQTT broker \(address.broker): "
          + systemMessage(outcome.systemError))
    case cmosquitto_tls_failed(): self.init(untrusted: client, address)
    default:
      self.init(
        .unavailable,
        "cannot connect to the MQTT broker \(address.broker): "
          + String(cString: mosquitto_strerror(outcome.code)))
    }
  }

  /// Describes a refused connection, by a code of MQTT 3.1.1 (1 to 5) or 5 (128 and more).
  init(refusal code: Int32, _ client: MQTTClient, _ address: MQTTAddress) {
    let words = Self.words(code)
    switch code {
    case Int32(CONNACK_REFUSED_PROTOCOL_VERSION.rawValue),
      Int32(MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION.rawValue):
      self.init(.unavailable, "\(address.broker) supports neither MQTT 5 nor 3.1.1 (\(words))")
      isOldBroker = true
    case Int32(CONNACK_REFUSED_BAD_USERNAME_PASSWORD.rawValue),
      Int32(CONNACK_REFUSED_NOT_AUTHORIZED.rawValue),
      Int32(MQTT_RC_BAD_USERNAME_OR_PASSWORD.rawValue), Int32(MQTT_RC_NOT_AUTHORIZED.rawValue),
      Int32(MQTT_RC_BANNED.rawValue), Int32(MQTT_RC_BAD_AUTHENTICATION_METHOD.rawValue):
      self.init(
        .permission,
        "the MQTT broker \(address.broker) refuses this user (\(words)): check the user in "
          + "the URL, and the password in the password file or in RSSI_MQTT_PASSWORD")
    case Int32(CONNACK_REFUSED_IDENTIFIER_REJECTED.rawValue),
      Int32(MQTT_RC_CLIENTID_NOT_VALID.rawValue):
      self.init(.usage, "the MQTT broker \(address.broker) refuses the client id: use another")
    default:
      self.init(
        .unavailable, "the MQTT broker \(address.broker) refuses the connection: \(words)")
    }
  }

  /// Describes a refused subscription.
  init(subscription code: Int32, _ client: MQTTClient, _ address: MQTTAddress) {
    let words = client.speaksMQTT5 ? Self.words(code) : "refused"
    let isDenied =
      code == Int32(MQTT_RC_UNSPECIFIED.rawValue) || code == Int32(MQTT_RC_NOT_AUTHORIZED.rawValue)
    self.init(
      isDenied ? .permission : .unavailable,
      "the MQTT broker \(address.broker) refuses the topic \(address.topic) (\(words)): "
        + (isDenied ? "allow this user to read it" : "subscribe to another topic"))
  }

  /// Describes a connection that ended.
  init(closed client: MQTTClient, code: Int32, _ address: MQTTAddress) {
    if let reason = client.replies.disconnection, reason >= 128 {
      self.init(
        .unavailable,
        "the MQTT broker \(address.broker) ended the connection: \(Self.words(reason))")
    } else if code == cmosquitto_tls_failed() {
      self.init(untrusted: client, address)
    } else if client.replies.connection == nil {
      self.init(
        .unavailable,
        "\(address.broker) closed the connection without an MQTT packet: check the port, and "
          + (address.isEncrypted
            ? "whether it supports TLS (mqtt:// is without)"
            : "whether it requires TLS (mqtts://)"))
    } else if code == cmosquitto_keep_alive_exceeded() {
      self.init(.unavailable, "the MQTT broker \(address.broker) no longer answers")
    } else {
      self.init(.unavailable, "the MQTT broker \(address.broker) closed the connection")
    }
  }

  private init(untrusted client: MQTTClient, _ address: MQTTAddress) {
    let detail = client.complaint.isEmpty ? "" : " (\(client.complaint))"
    self.init(
      .unavailable,
      "the TLS certificate of \(address.broker) is not trusted\(detail): check the name, and give "
        + "the certificate of its authority")
  }

  private static func words(_ code: Int32) -> String {
    let text = code < 128 ? mosquitto_connack_string(code) : mosquitto_reason_string(code)
    return text.map { String(cString: $0) } ?? "code \(code)"
  }
}
