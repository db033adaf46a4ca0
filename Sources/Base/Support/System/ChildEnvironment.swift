/// The environment variables that hold secrets.
package enum SecretVariable {
  /// The password for the MQTT broker.
  package static let brokerPassword = "RSSI_MQTT_PASSWORD"
  /// The password for the NATS server.
  package static let natsPassword = "RSSI_NATS_PASSWORD"
  /// The token for a registry of beacons.
  package static let registryToken = "RSSI_REGISTRY_TOKEN"

  static let all = [brokerPassword, natsPassword, registryToken]
}

/// The environment of programs that this one starts: its own without the secrets.
package func childEnvironment() -> [String: String] {
  processEnvironment().filter { !SecretVariable.all.contains($0.key) }
}
