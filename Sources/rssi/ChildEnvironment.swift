import Capture
import Foundation

/// The environment variables that hold secrets.
enum Secret {
  static let registryToken = "RSSI_REGISTRY_TOKEN"
  static let all = [MQTTOptions.passwordVariable, registryToken]
}

/// The environment of the programs that are started: this program's own without its secrets.
func childEnvironment() -> [String: String] {
  ProcessInfo.processInfo.environment.filter { !Secret.all.contains($0.key) }
}
