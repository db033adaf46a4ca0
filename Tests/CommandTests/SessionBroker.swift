import Foundation
import TestSupport
import Testing

/// A Mosquitto of a test's own, on a free port of this machine.
final class SessionBroker {
  static let path = "/usr/sbin/mosquitto"
  static let isInstalled = [path, "/usr/bin/mosquitto_pub"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  let port: Int
  private let configuration: String
  private var process: RunningProgram

  init(in folder: TemporaryDirectory) throws {
    port = try freePort()
    configuration = try folder.write(
      "user \(NSUserName())\nlistener \(port) 127.0.0.1\nallow_anonymous true\n", to: "mosquitto.conf")
    process = try RunningProgram(Self.path, ["-c", configuration])
    try requireRunning()
  }

  private func requireRunning() throws {
    let isUp = process.waits { takesConnections(port) }
    try #require(isUp, "Mosquitto does not start: \(process.error)")
  }

  /// Ends it, as an administrator would where the test's thread lets that through.
  func stop() {
    process.send(SIGTERM)
    for _ in 0..<200 where process.isRunning { usleep(10_000) }
    process.send(SIGKILL)
    _ = process.wait()
  }

  /// Starts it again, on the same port and knowing nothing.
  func start() throws {
    process = try RunningProgram(Self.path, ["-c", configuration])
    try requireRunning()
  }

  /// Ends it as a power cut would: a test's thread may block gentler signals, and the broker with it.
  deinit { process.send(SIGKILL) }

  var options: [String] { ["--broker", "mqtt://127.0.0.1:\(port)"] }

  func publish(_ payload: String, to topic: String) throws {
    let result = try runProgram(
      "/usr/bin/mosquitto_pub",
      ["-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-r", "-t", topic, "-m", payload])
    try #require(result.exitCode == 0, "\(result.error)")
  }
}

private func loopback(_ port: Int) -> sockaddr_in {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = UInt16(port).byteSwapped
  address.sin_addr.s_addr = UInt32(0x7F00_0001).byteSwapped
  return address
}

private func takesConnections(_ port: Int) -> Bool {
  let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(socket) }
  var address = loopback(port)
  return withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
    }
  }
}

/// A port of this machine that nobody listens on.
private func freePort() throws -> Int {
  let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(socket) }
  var address = loopback(0)
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let result = withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      bind(socket, address, length) == 0 && getsockname(socket, address, &length) == 0
    }
  }
  try #require(result)
  return Int(address.sin_port.byteSwapped)
}
