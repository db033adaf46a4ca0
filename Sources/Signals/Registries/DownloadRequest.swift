internal import CCurl
package import Support

/// A request for a file at a server.
package struct DownloadRequest: Sendable {
  package var address: WebAddress
  /// The identifier of the known version, which the server need not send again.
  package var etag: String?
  package var lastModified: String?
  /// The user's token, only for the server; never stored.
  package var token: String?
  /// The time limit of the request, in nanoseconds.
  package var timeout: Duration = .seconds(30)
  /// The largest size of the answer after decompression, in bytes.
  package var maximumBytes = RegistryLimits.bytes
  /// The media type that the answer should have.
  package var accepted = "application/json"
  /// The name and version of the program.
  package var agent = "rssi"

  package init(_ address: WebAddress) { self.address = address }

  /// - Throws: `RSSIError` if a token would be sent unencrypted.
  func headers() throws(RSSIError) -> [String] {
    if let token {
      guard address.isSecure || address.isLoopback else {
        throw RSSIError(
          .usage, "the token would be sent unencrypted to \(address.shown): use https"
        )
      }
      guard Self.isPlain(token) else {
        throw RSSIError(
          .usage, "the token contains invalid characters: check RSSI_REGISTRY_TOKEN")
      }
    }
    var lines = ["Accept: \(accepted)"]
    if let etag, Self.isPlain(etag) { lines.append("If-None-Match: \(etag)") }
    if let lastModified, Self.isPlain(lastModified) {
      lines.append("If-Modified-Since: \(lastModified)")
    }
    return lines
  }

  /// Returns a Boolean value that is true if a text can be in a header without adding another one.
  static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 4096 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}

/// The answer of a server.
public enum DownloadAnswer: Equatable, Sendable {
  /// The version in the request is still the latest.
  case unchanged
  /// The content, with the identifiers for the next request.
  case content([UInt8], etag: String?, lastModified: String?)
}

extension DownloadRequest {
  /// Sends the request, follows up to five redirects, and waits for the complete answer.
  ///
  /// - Throws: `unavailable` if no trusted server answered in time, `badInput` for an invalid
  ///   answer.
  package func send() throws(RSSIError) -> DownloadAnswer {
    let lines = try headers()
    guard Self.isStarted, let handle = curl_easy_init() else {
      throw RSSIError(
        .unavailable, "libcurl cannot be started: check its installation")
    }
    defer { curl_easy_cleanup(handle) }
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines { list = curl_slist_append(list, line) ?? list }
    defer { curl_slist_free_all(list) }
    let reception = ResponseBody(maximumBytes: maximumBytes)
    let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(ccurl_error_size()))
    words.initialize(repeating: 0, count: Int(ccurl_error_size()))
    defer { words.deallocate() }
    let context = Unmanaged.passUnretained(reception).toOpaque()
    var settings = [
      ccurl_set_url(handle, address.full), ccurl_set_agent(handle, agent),
      ccurl_set_headers(handle, list), ccurl_follow_redirects(handle, 5),
      // A request by https must not be redirected to http.
      ccurl_allow_schemes(handle, address.isSecure ? 1 : 0),
      ccurl_accept_encodings(handle), ccurl_leave_signals(handle),
      ccurl_set_timeout(handle, Int(clamping: max(1, timeout.nanoseconds / 1_000_000))),
      ccurl_set_error_text(handle, words),
      ccurl_on_body(
        handle,
        { bytes, size, count, context in
          guard let bytes, let context else { return 0 }
          let reception = Unmanaged<ResponseBody>.fromOpaque(context).takeUnretainedValue()
          let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
          return reception.take(body: piece) ? size * count : 0
        }, context),
      ccurl_on_header(
        handle,
        { bytes, size, count, context in
          guard let bytes, let context else { return 0 }
          let reception = Unmanaged<ResponseBody>.fromOpaque(context).takeUnretainedValue()
          reception.take(header: UnsafeRawBufferPointer(start: bytes, count: size * count))
          return size * count
        }, context),
    ]
    if let token { settings.append(ccurl_set_bearer(handle, token)) }
    if let problem = settings.first(where: { $0 != CURLE_OK }) {
      throw RSSIError(.unavailable, "libcurl refuses a setting (\(said(problem))): update it")
    }
    let result = withExtendedLifetime(reception) { curl_easy_perform(handle) }
    var status = 0
    _ = ccurl_get_status(handle, &status)
    guard result == CURLE_OK else {
      throw failure(result, String(cString: words), reception)
    }
    switch status {
    case 200:
      return .content(
        reception.body, etag: reception.headers["etag"],
        lastModified: reception.headers["last-modified"])
    case 304 where etag != nil || lastModified != nil: return .unchanged
    default:
      let advice = status == 401 || status == 403 ? ": give a token in RSSI_REGISTRY_TOKEN" : ""
      throw RSSIError(.badInput, "\(address.shown) answered with status \(status)\(advice)")
    }
  }

  private func failure(_ code: CURLcode, _ words: String, _ reception: ResponseBody) -> RSSIError {
    if reception.isTooLong {
      return RSSIError(
        .badInput,
        "the answer of \(address.shown) is longer than \(maximumBytes) bytes: raise the limit if "
          + "this is expected"
      )
    }
    let reason = CleanText(words.isEmpty ? said(code) : words).text
    switch code {
    case CURLE_PARTIAL_FILE:
      return RSSIError(
        .badInput, "the answer of \(address.shown) ended too early (\(reason)): try again")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_TOO_MANY_REDIRECTS, CURLE_URL_MALFORMAT:
      return RSSIError(
        .badInput, "the redirect of \(address.shown) is not allowed (\(reason)): check the address")
    case CURLE_BAD_CONTENT_ENCODING, CURLE_WEIRD_SERVER_REPLY, CURLE_WRITE_ERROR:
      return RSSIError(.badInput, "the answer of \(address.shown) cannot be read (\(reason))")
    default:
      return RSSIError(
        .unavailable,
        "no answer from \(address.shown) (\(reason)): check the network and the address")
    }
  }

  private func said(_ code: CURLcode) -> String { String(cString: curl_easy_strerror(code)) }

  /// A Boolean value that is true if the library is ready; it is initialised once.
  private static let isStarted = ccurl_start() == CURLE_OK
}

/// The received part of an answer.
///
/// A class, because the library passes a pointer to it to its callbacks.
final class ResponseBody {
  private(set) var body: [UInt8] = []
  private(set) var headers: [String: String] = [:]
  /// A Boolean value that is true if the answer exceeds the limit; the transfer then ends.
  private(set) var isTooLong = false
  private let maximumBytes: Int

  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  /// Adds a piece of the body; returns `false` to end the transfer.
  func take(body piece: UnsafeRawBufferPointer) -> Bool {
    guard piece.count <= maximumBytes - body.count else {
      isTooLong = true
      return false
    }
    body.append(contentsOf: piece)
    return true
  }

  /// Adds a line of the headers; those of a redirect are removed when the next answer starts.
  func take(header line: UnsafeRawBufferPointer) {
    let text = String(decoding: line, as: UTF8.self)
    if text.hasPrefix("HTTP/") {
      headers = [:]
      body = []
      return
    }
    guard let colon = text.firstIndex(of: ":") else { return }
    let name = text[..<colon].lowercased()
    let value = text[text.index(after: colon)...].split { $0.isWhitespace }.joined(separator: " ")
    if name == "etag" || name == "last-modified", DownloadRequest.isPlain(value) {
      headers[name] = value
    }
  }
}
