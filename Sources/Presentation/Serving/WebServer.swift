internal import CMicroHTTPD
import Glibc
package import Support
import Synchronization

/// Serves pages over HTTP from a thread of its own, within bounds: neither slow nor hostile clients
/// take more than a fixed amount of memory, of open files and of time.
///
/// A connection is one request. Only GET and HEAD of the pages' paths are answered with them.
package final class WebServer: Sendable {
  /// A function that makes a page when it is asked for; the server's thread calls it.
  package typealias MakePage = @Sendable () -> WebPage

  /// Where it listens, such as `http://127.0.0.1:9464`.
  package let url: String
  private let serving: Serving

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - place: port 0 is any free one.
  ///   - pages: by path, such as `/metrics`.
  /// - Throws: `RSSIError` for an address that cannot be listened on.
  package init(_ place: HostAndPort, pages: [String: MakePage]) throws(RSSIError) {
    let socket = try ListeningSocket(place, backlog: Serving.backlog)
    url = "http://\(socket.place)"
    serving = try Serving(socket, pages)
    let serving = serving
    detachThread { serving.run() }
  }

  /// Ends the server, and every connection.
  package func stop() { serving.stop() }

  deinit { stop() }
}

/// The thread of a server.
private final class Serving: @unchecked Sendable {
  static let backlog: Int32 = 64
  /// Connections at a time, and bytes of memory for each.
  private static let mostConnections = 64
  private static let connectionBytes = 16_384
  /// Seconds in which a connection has to send or take something.
  private static let idleSeconds: UInt32 = 5
  /// Milliseconds between two looks at connections that take too long, and at the end.
  private static let look: Int32 = 100

  private let pages: [String: WebServer.MakePage]
  private let isStopAsked = Atomic(false)
  private let ended = Condition()
  /// Guarded by `ended`.
  private var hasEnded = false
  // Only the thread uses what follows.
  private var daemon: OpaquePointer?
  private var connections = OpenConnections(atMost: mostConnections)

  init(_ socket: borrowing ListeningSocket, _ pages: [String: WebServer.MakePage])
    throws(RSSIError)
  {
    self.pages = pages
    daemon = cmicrohttpd_start(
      socket.number, UInt32(Self.mostConnections), Self.connectionBytes, Self.idleSeconds,
      { context, connection, path, method, _, _, _, _ in
        Unmanaged<Serving>.fromOpaque(context!).takeUnretainedValue()
          .answer(connection!, String(cString: path!), String(cString: method!))
      },
      { context, connection, _, code in
        Unmanaged<Serving>.fromOpaque(context!).takeUnretainedValue()
          .notice(connection!, hasStarted: cmicrohttpd_has_started(code) != 0)
      }, Unmanaged.passUnretained(self).toOpaque())
    // The library has the socket from here on, and closes it.
    guard daemon != nil else {
      throw RSSIError(
        .unavailable, "the server does not start", in: "\(socket.place)",
        advice: "close other programs' files")
    }
  }

  func run() {
    // Signals are for the thread of the stage, whose waiting they interrupt.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, nil)
    var events = pollfd(fd: cmicrohttpd_events(daemon), events: Int16(POLLIN), revents: 0)
    while !isStopAsked.load(ordering: .acquiring) {
      poll(&events, 1, Self.look)
      MHD_run(daemon)
      connections.breakOff(at: SystemClock.monotonic)
    }
    MHD_stop_daemon(daemon)
    ended.withLock {
      hasEnded = true
      ended.broadcast()
    }
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

  private func answer(
    _ connection: OpaquePointer, _ path: String, _ method: String
  ) -> MHD_Result {
    guard let page = pages[path] else {
      return send(WebPage("not found\n", type: "text/plain"), MHD_HTTP_NOT_FOUND, to: connection)
    }
    guard method == "GET" || method == "HEAD" else {
      let words = WebPage("only GET and HEAD\n", type: "text/plain")
      return send(
        words, MHD_HTTP_METHOD_NOT_ALLOWED, ["Allow": "GET, HEAD"], to: connection)
    }
    return send(page(), MHD_HTTP_OK, to: connection)
  }

  private func send(
    _ page: WebPage, _ status: Int32, _ headers: [String: String] = [:],
    to connection: OpaquePointer
  ) -> MHD_Result {
    var content = Array(page.content.utf8)
    guard
      let response = MHD_create_response_from_buffer(
        content.count, &content, .RESPMEM_MUST_COPY)
    else { return .NO }
    defer { MHD_destroy_response(response) }
    MHD_add_response_header(response, "Content-Type", page.type)
    // A client has to ask for a place for each request.
    MHD_add_response_header(response, "Connection", "close")
    for (name, value) in headers { MHD_add_response_header(response, name, value) }
    return MHD_queue_response(connection, UInt32(status), response)
  }
}
