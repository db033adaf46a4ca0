import Foundation
import TestSupport
import Testing

/// A Mosquitto of a test's own, on a free port of this machine.
final class Broker {
  static let path = "/usr/sbin/mosquitto"
  /// Whether there is Mosquitto; scripts/bootstrap test installs it.
  static let isInstalled =
    [path, "/usr/bin/mosquitto_pub", "/usr/bin/mosquitto_passwd"].allSatisfy {
      FileManager.default.isExecutableFile(atPath: $0)
    }

  let port: Int
  let directory: TemporaryDirectory
  private let configuration: String
  private var process = Process()

  /// - Parameter settings: lines of mosquitto.conf that follow its `listener`.
  init(_ settings: String = "allow_anonymous true", in directory: TemporaryDirectory) throws {
    self.directory = directory
    port = try freePort()
    configuration = try directory.write(
      """
      user \(NSUserName())
      persistence_location \(directory.url.path)/
      log_dest file \(directory.path("log"))
      log_type all
      listener \(port) 127.0.0.1
      \(settings)

      """, to: "mosquitto.conf")
    try start()
  }

  deinit { kill() }

  /// Starts it, and waits until it takes connections.
  func start() throws {
    process = Process()
    process.executableURL = URL(filePath: Self.path)
    process.arguments = ["-c", configuration]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    try waitUntil("Mosquitto takes connections") { takesConnections(port: port) }
  }

  /// Ends it as a power cut would; a test's thread may block gentler signals, and the broker with
  /// it.
  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  var log: String { (try? String(contentsOfFile: directory.path("log"), encoding: .utf8)) ?? "" }

  /// How many times somebody subscribed to a topic since the start.
  func subscriptions(to topic: String) -> Int {
    log.split(separator: "\n").count { $0.hasSuffix(" 1 \(topic)") }
  }

  func url(_ topic: String, scheme: String = "mqtt", user: String = "") -> String {
    "\(scheme)://\(user.isEmpty ? "" : user + "@")127.0.0.1:\(port)/\(topic)"
  }

  /// Publishes one message a line, and returns when the broker has them.
  func publish(_ messages: [String], to topic: String, arguments: [String] = []) throws {
    let lines = messages.map { $0.replacing("\n", with: " ") }.joined(separator: "\n") + "\n"
    let result = try runProgram(
      "/usr/bin/mosquitto_pub",
      ["-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", topic, "-l"] + arguments,
      input: Data(lines.utf8))
    try #require(result.exitCode == 0, "\(result.error)")
  }
}

/// Waits for something that other programs bring about.
func waitUntil(_ what: String, _ condition: () -> Bool) throws {
  let deadline = ContinuousClock.now + .seconds(30)
  while !condition() {
    try #require(ContinuousClock.now < deadline, "\(what)")
    usleep(5000)
  }
}

/// A port of this machine that nobody listens on.
func freePort() throws -> Int {
  let (socket, port) = try listeningSocket()
  close(socket)
  return port
}

/// A socket that takes connections on a port of this machine, and the port.
func listeningSocket() throws -> (socket: Int32, port: Int) {
  let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  var address = loopback(port: 0)
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let result = withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      bind(socket, address, length) == 0 && listen(socket, 5) == 0
        && getsockname(socket, address, &length) == 0
    }
  }
  try #require(result)
  return (socket, Int(address.sin_port.byteSwapped))
}

private func takesConnections(port: Int) -> Bool {
  let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(socket) }
  var address = loopback(port: port)
  return withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
    }
  }
}

private func loopback(port: Int) -> sockaddr_in {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = UInt16(port).byteSwapped
  address.sin_addr.s_addr = UInt32(0x7F00_0001).byteSwapped
  return address
}
