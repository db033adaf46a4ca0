internal import CGlibc
internal import CMicroHTTPD
import Glibc
package import Support
import Synchronization

/// Serves answers over HTTP from a separate thread, within limits: neither slow nor hostile clients
/// take more than a fixed amount of memory, open files and time.
///
/// Each connection carries one request.
package final class WebServer: Sendable {
  /// A function that answers a request; the server's thread calls it.
  package typealias Answer = @Sendable (WebRequest) -> WebAnswer

  /// The limits of a server.
  package struct Limits: Sendable {
    /// The number of simultaneous connections, including event streams.
    package var connections = 64
    package var streams = 0
    /// The size of a request's content, in bytes.
    package var body = 0

    package init() {}
  }

  /// The address, with the port that the system chose for port 0.
  package let place: HostAndPort
  private let serving: Serving

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - place: the address; port 0 is any free one.
  ///   - answer: returns the function that answers requests, for the final address.
  /// - Throws: `RSSIError` for an address that cannot be listened on.
  package init(
    _ place: HostAndPort, limits: Limits = Limits(), answer: (HostAndPort) -> Answer
  ) throws(RSSIError) {
    let socket = try ListeningSocket(place, backlog: Serving.backlog)
    self.place = socket.place
    serving = try Serving(socket, limits, answer(socket.place))
    let serving = serving
    try detachThread { serving.run() }
  }

  /// Begins to serve pages in answer to GET and HEAD of their paths.
  ///
  /// - Parameters:
  ///   - names: further names of the server besides its addresses and `localhost`, in lower case.
  ///   - pages: the pages by path, such as `/metrics`.
  package convenience init(
    _ place: HostAndPort, names: Set<String> = [], pages: [String: @Sendable () -> WebAnswer]
  ) throws(RSSIError) {
    try self.init(place) { place in
      { request in
        guard let host = request.headers["host"],
          WebAccess.isOwnName(host, port: place.port, names: names)
        else { return .foreignName }
        guard let page = pages[request.path] else { return .notFound }
        guard ["GET", "HEAD"].contains(request.method) else {
          return .notAllowed(only: "GET, HEAD")
        }
        return page()
      }
    }
  }

  /// The address as a URL, such as `http://127.0.0.1:9464`.
  package var url: String { "http://\(place)" }

  /// Ends the server, and every connection.
  package func stop() { serving.stop() }

  deinit { stop() }
}

/// The thread of a server.
private final class Serving: @unchecked Sendable {
  /// The number of connections that wait for the thread: one without a place tries again after a
  /// second.
  static let backlog: Int32 = 512
  /// The memory of a connection, in bytes.
  private static let connectionBytes = 16_384
  /// The bytes of an answer that the library has at a time.
  private static let blockBytes = 16_384
  /// The time between two checks of slow connections, and of the end, in milliseconds.
  private static let look: Int32 = 100
  /// The time between two signs of life of an event stream, in nanoseconds.
  private static let beat: Int64 = 10_000_000_000

  private let answer: WebServer.Answer
  private let limits: WebServer.Limits
  private let isStopAsked = Atomic(false)
  private let ended = Condition()
  /// A Boolean value that is true after the end; guarded by `ended`.
  private var hasEnded = false
  /// A descriptor that is readable when an event stream has news.
  private let news: Int32
  // Only the thread uses the following.
  private var daemon: OpaquePointer?
  private var connections: OpenConnections
  private var readers: [ObjectIdentifier: EventReader] = [:]
  /// The event streams that wake this thread.
  private var streams: [ObjectIdentifier: EventStream] = [:]
  private var nextBeat: Int64 = 0

  init(
    _ socket: borrowing ListeningSocket, _ limits: WebServer.Limits,
    _ answer: @escaping WebServer.Answer
  ) throws(RSSIError) {
    (self.limits, self.answer) = (limits, answer)
    connections = OpenConnections(atMost: limits.connections)
    news = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    daemon = cmicrohttpd_start(
      socket.number, UInt32(limits.connections), Self.connectionBytes,
      { context, connection, path, method, _, data, count, request in
        Unmanaged<Serving>.fromOpaque(context!).takeUnretainedValue()
          .take(
            connection!, String(cString: path!), String(cString: method!), data, count!, request!)
      },
      { _, _, request, _ in
        if let known = request?.pointee { Unmanaged<Upload>.fromOpaque(known).release() }
        request?.pointee = nil
      },
      { context, connection, _, code in
        Unmanaged<Serving>.fromOpaque(context!).takeUnretainedValue()
          .notice(connection!, hasStarted: cmicrohttpd_has_started(code) != 0)
      }, Unmanaged.passUnretained(self).toOpaque())
    // The library has the socket from here on, and closes it.
    guard daemon != nil, news >= 0 else {
      throw RSSIError(
        .unavailable, "the server does not start", in: "\(socket.place)",
        advice: "close other programs' files")
    }
  }

  deinit { if news >= 0 { close(news) } }

  func run() {
    var events = [
      pollfd(fd: cmicrohttpd_events(daemon), events: Int16(POLLIN), revents: 0),
      pollfd(fd: news, events: Int16(POLLIN), revents: 0),
    ]
    while !isStopAsked.load(ordering: .acquiring) {
      poll(&events, 2, patience)
      let now = SystemClock.monotonic
      wakeReaders(hasNews: events[1].revents != 0, at: now)
      MHD_run(daemon)
      connections.breakOff(at: now)
    }
    for stream in streams.values { stream.onNews(of: ObjectIdentifier(self), nil) }
    // A daemon cannot end while connections are suspended.
    for reader in readers.values where reader.isSuspended { resume(reader) }
    MHD_stop_daemon(daemon)
    ended.withLock {
      hasEnded = true
      ended.broadcast()
    }
  }

  /// The time until the library has work, such as for a connection that goes on, in milliseconds.
  private var patience: Int32 {
    var left: UInt64 = 0
    guard MHD_get_timeout(daemon, &left) == .YES else { return Self.look }
    return Int32(min(left, UInt64(Self.look)))
  }

  func stop() {
    isStopAsked.store(true, ordering: .releasing)
    ended.withLock { while !hasEnded { ended.wait() } }
  }

  private func notice(_ connection: OpaquePointer, hasStarted: Bool) {
    if hasStarted {
      connections.began(connection, at: SystemClock.monotonic)
    } else {
      connections.ended(connection)
    }
  }

  // MARK: Requests

  /// The content of a request so far.
  private final class Upload {
    var request: WebRequest
    init(_ request: WebRequest) { self.request = request }
  }

  /// Takes the beginning of a request, each part of its content, and its end.
  private func take(
    _ connection: OpaquePointer, _ path: String, _ method: String, _ data: UnsafePointer<CChar>?,
    _ count: UnsafeMutablePointer<Int>, _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> MHD_Result {
    if let known = state.pointee {
      let upload = Unmanaged<Upload>.fromOpaque(known).takeUnretainedValue()
      guard count.pointee > 0, let data else { return send(answer(upload.request), to: connection) }
      let part = UnsafeRawBufferPointer(start: data, count: count.pointee)
      guard upload.request.body.count + part.count <= limits.body else { return .NO }
      upload.request.body += part
      count.pointee = 0
      return .YES
    }
    var request = WebRequest(method, path)
    request.peer = [UInt8](unsafeUninitializedCapacity: 8) { bytes, count in
      count = cmicrohttpd_peer(connection, bytes.baseAddress)
    }
    request.query = values(of: connection, .GET_ARGUMENT_KIND)
    for (name, value) in values(of: connection, .HEADER_KIND) {
      request.headers[name.lowercased()] = value
    }
    // The content comes later, and is not requested if it would be refused.
    guard method == "POST", limits.body > 0 else { return send(answer(request), to: connection) }
    guard let length = request.headers["content-length"].flatMap({ Int($0) }) else {
      return send(.refusal(411, "the length of the content is missing"), to: connection)
    }
    guard length <= limits.body else {
      return send(.refusal(413, "at most \(limits.body) bytes"), to: connection)
    }
    state.pointee = Unmanaged.passRetained(Upload(request)).toOpaque()
    return .YES
  }

  private func values(of connection: OpaquePointer, _ kind: MHD_ValueKind) -> [String: String] {
    final class Found { var values: [String: String] = [:] }
    let found = Found()
    _ = MHD_get_connection_values(
      connection, kind,
      { context, _, name, value in
        let found = Unmanaged<Found>.fromOpaque(context!).takeUnretainedValue()
        let (name, value) = (String(cString: name!), value.map { String(cString: $0) } ?? "")
        found.values[name] = found.values[name].map { "\($0), \(value)" } ?? value
        return .YES
      }, Unmanaged.passUnretained(found).toOpaque())
    return found.values
  }

  // MARK: Answers

  private func send(_ answer: WebAnswer, to connection: OpaquePointer) -> MHD_Result {
    let response: OpaquePointer?
    switch answer.content {
    case .text(let text): response = sending(Array(text.utf8), to: connection)
    case .bytes(let bytes): response = sending(bytes, to: connection)
    case .shared(let content):
      response = sending(content.bytes, sharedAs: content, to: connection)
    case .events(let stream, let after):
      guard readers.count < limits.streams else {
        return send(.later(503, "too many clients follow the events"), to: connection)
      }
      response = follow(stream, after: after, by: connection)
    }
    guard let response else { return .NO }
    defer { MHD_destroy_response(response) }
    MHD_add_response_header(response, "Content-Type", answer.type)
    // A client has to ask for a place for each request.
    MHD_add_response_header(response, "Connection", "close")
    for (name, value) in answer.headers { MHD_add_response_header(response, name, value) }
    return MHD_queue_response(connection, UInt32(answer.status), response)
  }

  /// The content and the server of a response of known size.
  private final class Sending {
    let bytes: [UInt8]
    /// The content, kept until everything is sent.
    private let content: SharedAnswers.Content?
    let connection: OpaquePointer
    unowned let serving: Serving

    init(
      _ bytes: [UInt8], _ content: SharedAnswers.Content?, _ connection: OpaquePointer,
      _ serving: Serving
    ) {
      (self.bytes, self.content) = (bytes, content)
      (self.connection, self.serving) = (connection, serving)
    }
  }

  private func sending(
    _ bytes: [UInt8], sharedAs content: SharedAnswers.Content? = nil,
    to connection: OpaquePointer
  ) -> OpaquePointer? {
    connections.answers(connection, isStream: false, at: SystemClock.monotonic)
    return MHD_create_response_from_callback(
      UInt64(bytes.count), min(max(bytes.count, 1), Self.blockBytes),
      { context, place, buffer, count in
        let sending = Unmanaged<Sending>.fromOpaque(context!).takeUnretainedValue()
        let part = sending.bytes[Int(place)...].prefix(count)
        UnsafeMutableRawBufferPointer(start: buffer, count: count).copyBytes(from: part)
        sending.serving.connections.gave(part.count, to: sending.connection)
        return part.count
      }, Unmanaged.passRetained(Sending(bytes, content, connection, self)).toOpaque(),
      { context in Unmanaged<Sending>.fromOpaque(context!).release() })
  }

  // MARK: Event streams

  /// The reader and the server of a response of events.
  private final class Following {
    let reader: EventReader
    unowned let serving: Serving
    init(_ reader: EventReader, _ serving: Serving) {
      (self.reader, self.serving) = (reader, serving)
    }
  }

  private func follow(
    _ stream: EventStream, after: UInt64?, by connection: OpaquePointer
  ) -> OpaquePointer? {
    let reader = EventReader(stream, after: after, connection: connection)
    readers[ObjectIdentifier(reader)] = reader
    if streams.updateValue(stream, forKey: ObjectIdentifier(stream)) == nil {
      let news = news
      stream.onNews(of: ObjectIdentifier(self)) { eventfd_write(news, 1) }
    }
    connections.answers(connection, isStream: true, at: SystemClock.monotonic)
    return MHD_create_response_from_callback(
      cmicrohttpd_unknown_size, 32_768,
      { context, _, buffer, count in
        let following = Unmanaged<Following>.fromOpaque(context!).takeUnretainedValue()
        return following.serving.read(
          following.reader, into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
      }, Unmanaged.passRetained(Following(reader, self)).toOpaque(),
      { context in
        let following = Unmanaged<Following>.fromOpaque(context!).takeRetainedValue()
        following.serving.readers[ObjectIdentifier(following.reader)] = nil
      })
  }

  private func read(_ reader: EventReader, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let count = try? reader.read(into: buffer) else { return cmicrohttpd_end_with_error }
    connections.gave(count, to: reader.connection)
    if count == 0, !isStopAsked.load(ordering: .acquiring) {
      // The library would ask again at once.
      reader.isSuspended = true
      MHD_suspend_connection(reader.connection)
    }
    return count
  }

  private func wakeReaders(hasNews: Bool, at now: Int64) {
    if hasNews {
      var count: eventfd_t = 0
      eventfd_read(news, &count)
    }
    let isBeat = now >= nextBeat
    if isBeat { nextBeat = now + Self.beat }
    guard hasNews || isBeat else { return }
    for reader in readers.values where reader.isSuspended {
      if isBeat { reader.beat() }
      resume(reader)
    }
  }

  private func resume(_ reader: EventReader) {
    reader.isSuspended = false
    MHD_resume_connection(reader.connection)
  }
}
