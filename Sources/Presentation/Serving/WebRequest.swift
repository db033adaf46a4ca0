/// A request, within the limits of the server.
package struct WebRequest: Sendable {
  package var method: String
  /// The decoded path, such as `/api/v1/state`.
  package var path: String
  /// The decoded parameters after the question mark.
  package var query: [String: String] = [:]
  /// The headers by their names in lower case; repeated ones are joined by commas.
  package var headers: [String: String] = [:]
  package var body: [UInt8] = []
  /// The bytes of the client's address; the first 64 bits, a network, for IPv6.
  package var peer: [UInt8] = []

  package init(_ method: String, _ path: String) { (self.method, self.path) = (method, path) }
}

/// The answer of a server.
package struct WebAnswer: Sendable {
  package enum Content: Sendable {
    case text(String)
    case bytes([UInt8])
    case shared(SharedAnswers.Content)
    /// The events from now on, or those after the message of that number.
    case events(EventStream, after: UInt64?)
  }

  package var status = 200
  /// The type of its content, such as `text/html; charset=utf-8`.
  package var type: String
  package var headers: [String: String] = [:]
  package var content: Content

  package init(_ text: String, type: String, status: Int = 200) {
    (content, self.type, self.status) = (.text(text), type, status)
  }

  package init(bytes: [UInt8], type: String) { (content, self.type) = (.bytes(bytes), type) }

  package init(_ content: SharedAnswers.Content, type: String) {
    (self.content, self.type) = (.shared(content), type)
  }

  /// Creates an answer of server-sent events (HTML Living Standard, 9.2).
  ///
  /// - Parameter after: the number of the latest message that the client has; nil = none.
  package init(_ events: EventStream, after: UInt64?) {
    (content, type) = (.events(events, after: after), "text/event-stream")
    headers = ["Cache-Control": "no-store", "X-Accel-Buffering": "no"]
  }

  /// Returns a refusal, as a sentence.
  package static func refusal(_ status: Int, _ sentence: String) -> WebAnswer {
    WebAnswer(sentence + "\n", type: "text/plain; charset=utf-8", status: status)
  }

  /// Returns a refusal for a second, because of too many requests.
  static func later(_ status: Int, _ sentence: String) -> WebAnswer {
    var answer = refusal(status, sentence)
    answer.headers["Retry-After"] = "1"
    return answer
  }

  /// The refusal of a busy server.
  package static let busy = later(503, "the server is busy: try again in a second")

  /// The answer to an unknown path.
  package static let notFound = refusal(404, "not found")

  /// Returns the refusal of a method.
  package static func notAllowed(only methods: String) -> WebAnswer {
    var answer = refusal(405, "only \(methods)")
    answer.headers["Allow"] = methods
    return answer
  }
}
