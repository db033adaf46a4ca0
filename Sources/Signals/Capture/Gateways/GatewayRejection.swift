/// Why a message of a gateway, or a row of one, is not a sighting.
enum GatewayRejection: String, CaseIterable {
  /// The message is longer than any gateway writes.
  case messageTooLong = "message-too-long"
  /// The broker kept the message from earlier: it is not known when it was true.
  case retained
  case badJSON = "bad-json"
  /// No dialect knows the message.
  case unknownDialect = "unknown-dialect"
  /// The gateway shows of itself, or of a beacon what no radio heard.
  case noSighting = "no-sighting"
  /// The beacon was not heard any more.
  case gone
  /// The gateway states that it heard more than it could send.
  case lostByGateway = "lost-by-gateway"
  /// The gateway or the beacon is not a named.
  case missingName = "missing-name"
  case badName = "bad-name"
  case badAddress = "bad-address"
  case badRSSI = "bad-rssi"
  case badPayload = "bad-payload"
  /// A number of a report is missing or out of its range.
  case badField = "bad-field"
  /// The message is of a version of the dialect that is not known.
  case unknownVersion = "unknown-version"
  /// One message names more receivers than a fleet has.
  case tooManyReceivers = "too-many-receivers"
  /// More gateways than a trace has numbers for.
  case tooManyGateways = "too-many-gateways"

  /// Whether a report is refused; else it is the message, or a part of it other than a report.
  var isOfReport: Bool {
    switch self {
    case .missingName, .badName, .badAddress, .badRSSI, .badPayload, .badField, .tooManyGateways:
      true
    case .messageTooLong, .retained, .badJSON, .unknownDialect, .unknownVersion, .noSighting, .gone,
      .lostByGateway, .tooManyReceivers:
      false
    }
  }
}
