import Foundation
import Testing

/// A Mosquitto of a test's own, on a port of this machine.
public final class Broker {
  private static let path = "/usr/sbin/mosquitto"
  /// A Boolean value that is true if Mosquitto is installed; scripts/bootstrap test installs it.
  public static let isInstalled =
    [path, "/usr/bin/mosquitto_pub", "/usr/bin/mosquitto_passwd"].allSatisfy {
      FileManager.default.isExecutableFile(atPath: $0)
    }

  public let port: Int
  private let directory: TemporaryDirectory
  private let configuration: String
  private var program: RunningProgram?

  /// - Parameter settings: lines of mosquitto.conf that follow its `listener`.
  public init(_ settings: String = "allow_anonymous true", in directory: TemporaryDirectory) throws
  {
    self.directory = directory
    port = try reservedPort()
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

  /// Starts it, and waits until it takes connections.
  public func start() throws {
    let program = try RunningProgram(Self.path, ["-c", configuration])
    self.program = program
    let isUp = program.waits { takesConnections(port: port) }
    try #require(isUp, "Mosquitto does not start: \(program.error)")
  }

  /// Ends it as an administrator does: it closes its connections.
  public func stop() {
    program?.send(SIGTERM)
    _ = program?.wait()
  }

  /// Ends it as a power cut does.
  public func kill() { program?.end() }

  private var log: String {
    (try? String(contentsOfFile: directory.path("log"), encoding: .utf8)) ?? ""
  }

  /// Returns the number of subscriptions to a topic since the start.
  public func subscriptions(to topic: String) -> Int {
    log.split(separator: "\n").count { $0.hasSuffix(" 1 \(topic)") }
  }

  /// Its URL without a topic.
  public var address: String { "mqtt://127.0.0.1:\(port)" }

  public func url(_ topic: String, scheme: String = "mqtt", user: String = "") -> String {
    "\(scheme)://\(user.isEmpty ? "" : user + "@")127.0.0.1:\(port)/\(topic)"
  }

  /// Publishes one message per line, and returns when the broker has them.
  public func publish(_ messages: [String], to topic: String, arguments: [String] = []) throws {
    let lines = messages.map { $0.replacing("\n", with: " ") }.joined(separator: "\n") + "\n"
    let result = try runProgram(
      "/usr/bin/mosquitto_pub",
      ["-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", topic, "-l"] + arguments,
      input: Data(lines.utf8))
    try #require(result.exitCode == 0, "\(result.error)")
  }

  /// Returns the retained messages of the broker, topic by topic.
  public func retained() throws -> [String: String] {
    let result = try runProgram(
      "/usr/bin/mosquitto_sub",
      ["-h", "127.0.0.1", "-p", "\(port)", "-v", "-t", "#", "--retained-only", "-W", "1"])
    return Dictionary(
      result.output.split(separator: "\n").compactMap { line in
        let parts = line.split(separator: " ", maxSplits: 1)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
      }, uniquingKeysWith: { $1 })
  }
}
