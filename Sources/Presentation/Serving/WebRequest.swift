/// A request as it came, within the bounds of the server.
package struct WebRequest: Sendable {
  package var method: String
  /// Decoded, such as `/api/v1/state`.
  package var path: String
  /// The parameters behind the question mark, decoded.
  package var query: [String: String] = [:]
  /// By their names in lower case; what came twice is joined by commas.
  package var headers: [String: String] = [:]
  package var body: [UInt8] = []
  /// The bytes of the client's address; the first 64 bits, a network, for IPv6.
  package var peer: [UInt8] = []

  package init(_ method: String, _ path: String) { (self.method, self.path) = (method, path) }
}

/// What a server answers.
package struct WebAnswer: Sendable {
  package enum Content: Sendable {
    case text(String)
    case bytes([UInt8])
    case shared(SharedAnswers.Content)
    /// What happens from now on, or from behind the message of that number on.
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

  /// What happens, as server-sent events (HTML Living Standard, 9.2).
  ///
  /// - Parameter after: the number of the last message that the client has; nil = none.
  package init(_ events: EventStream, after: UInt64?) {
    (content, type) = (.events(events, after: after), "text/event-stream")
    headers = ["Cache-Control": "no-store", "X-Accel-Buffering": "no"]
  }

  /// A refusal, as a sentence.
  package static func refusal(_ status: Int, _ sentence: String) -> WebAnswer {
    WebAnswer(sentence + "\n", type: "text/plain; charset=utf-8", status: status)
  }

  /// A refusal for a second: too much is asked for.
  static func later(_ status: Int, _ sentence: String) -> WebAnswer {
    var answer = refusal(status, sentence)
    answer.headers["Retry-After"] = "1"
    return answer
  }

  /// The server sends as much as it may already.
  package static let busy = later(503, "too much is asked for: try again in a second")

  /// Nothing is there.
  package static let notFound = refusal(404, "not found")

  /// Another method is allowed only.
  package static func notAllowed(only methods: String) -> WebAnswer {
    var answer = refusal(405, "only \(methods)")
    answer.headers["Allow"] = methods
    return answer
  }
}
