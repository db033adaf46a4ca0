internal import CNATS
import Foundation
import Testing

/// A NATS server of a test's own, with JetStream and a port for MQTT, on a port of this machine.
public final class NATSServer {
  private static let path = "/usr/sbin/nats-server"
  /// A Boolean value that is true if nats-server is installed; scripts/bootstrap test installs it.
  public static let isInstalled = FileManager.default.isExecutableFile(atPath: path)

  public let port: Int
  private let configuration: String
  private let user: (name: String, password: String)?
  private let authority: String?
  private var program: RunningProgram?

  /// - Parameters:
  ///   - settings: lines of its configuration.
  ///   - user: who may do what the test itself does, where `settings` have users.
  ///   - authority: of the server's certificate, where `settings` have TLS.
  public init(
    _ settings: String = "", user: (name: String, password: String)? = nil,
    authority: String? = nil, in directory: TemporaryDirectory
  ) throws {
    port = try reservedPort()
    (self.user, self.authority) = (user, authority)
    configuration = try directory.write(
      """
      server_name: test
      listen: 127.0.0.1:\(port)
      jetstream { store_dir: "\(directory.path("jetstream"))", max_file_store: 1G }
      \(settings)

      """, to: "nats.conf")
    try start()
  }

  /// Starts it, and waits until JetStream answers.
  public func start() throws {
    let program = try RunningProgram(Self.path, ["-c", configuration])
    self.program = program
    let isUp = program.waits { program.error.contains("Server is ready") }
    try #require(isUp, "nats-server does not start: \(program.error)")
  }

  /// Stops it, so that it takes nothing from its connections any more.
  public func pause() { program?.send(SIGSTOP) }

  /// Ends it as a power cut does.
  public func kill() { program?.end() }

  public func url(_ stream: String, scheme: String = "nats", user: String = "") -> String {
    "\(scheme)://\(user.isEmpty ? "" : user + "@")127.0.0.1:\(port)/\(stream)"
  }

  /// Creates a stream of the messages of some subjects.
  public func createStream(_ name: String, of subjects: String) throws {
    try withJetStream { context in
      try name.withCString { name in
        try subjects.withCString { subject in
          var subjects: [UnsafePointer<CChar>?] = [subject]
          try subjects.withUnsafeMutableBufferPointer { subjects in
            var settings = jsStreamConfig()
            jsStreamConfig_Init(&settings)
            settings.Name = name
            settings.Subjects = subjects.baseAddress
            settings.SubjectsLen = 1
            try check(js_AddStream(nil, context, &settings, nil, nil))
          }
        }
      }
    }
  }

  /// Returns the number of messages in a stream.
  public func messages(of stream: String) throws -> UInt64 {
    try withJetStream { context in
      var information: UnsafeMutablePointer<jsStreamInfo>?
      try check(js_GetStreamInfo(&information, context, stream, nil, nil))
      defer { jsStreamInfo_Destroy(information) }
      return information?.pointee.State.Msgs ?? 0
    }
  }

  public func deleteStream(_ name: String) throws {
    try withJetStream { try check(js_DeleteStream($0, name, nil, nil)) }
  }

  public func purge(_ name: String) throws {
    try withJetStream { try check(js_PurgeStream($0, name, nil, nil)) }
  }

  /// Publishes messages, and returns when the stream has them.
  public func publish(_ messages: [String], to subject: String) throws {
    try withJetStream { context in
      for message in messages {
        try check(
          js_Publish(nil, context, subject, message, Int32(message.utf8.count), nil, nil))
      }
    }
  }

  /// The number of the last message that a consumer acknowledged; nil where there is none.
  public func acknowledged(by consumer: String, of stream: String) throws -> UInt64? {
    try withJetStream { context in
      var information: UnsafeMutablePointer<jsConsumerInfo>?
      let status = js_GetConsumerInfo(&information, context, stream, consumer, nil, nil)
      guard status != NATS_NOT_FOUND else { return nil }
      try check(status)
      defer { jsConsumerInfo_Destroy(information) }
      return information?.pointee.AckFloor.Stream
    }
  }

  private func withJetStream<Result>(_ body: (OpaquePointer?) throws -> Result) throws -> Result {
    var options: OpaquePointer?
    try check(natsOptions_Create(&options))
    defer { natsOptions_Destroy(options) }
    natsOptions_SetURL(options, "nats://127.0.0.1:\(port)")
    if let user { natsOptions_SetUserInfo(options, user.name, user.password) }
    if let authority {
      natsOptions_SetSecure(options, true)
      natsOptions_SkipServerVerification(options, true)
      try check(natsOptions_LoadCATrustedCertificates(options, authority))
    }
    var connection: OpaquePointer?
    try check(natsConnection_Connect(&connection, options))
    defer { natsConnection_Destroy(connection) }
    var context: OpaquePointer?
    try check(natsConnection_JetStream(&context, connection, nil))
    defer { jsCtx_Destroy(context) }
    return try body(context)
  }

  private func check(_ status: natsStatus) throws {
    try #require(
      status == NATS_OK, "\(natsStatus_GetText(status).map { String(cString: $0) } ?? "")")
  }
}
