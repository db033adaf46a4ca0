internal import CCurl
package import Support

/// A request for a registry at a server.
package struct RegistryRequest: Sendable {
  package var address: RegistryAddress
  /// The state that is known: the server need not send it again.
  package var etag: String?
  package var lastModified: String?
  /// The identity of the user, for the server alone; never kept.
  package var token: String?
  /// Nanoseconds for the whole of it.
  package var timeout: Duration = .seconds(30)
  /// The most bytes of the answer, after it was unpacked.
  package var maximumBytes = RegistryLimits.bytes
  /// Name and version of the program.
  package var agent = "rssi"

  package init(_ address: RegistryAddress) { self.address = address }

  /// - Throws: where a token would go over the network for anyone to read.
  func headers() throws(RSSIError) -> [String] {
    if let token {
      guard address.isSecure || address.isLoopback else {
        throw RSSIError(
          .usage, "the token would go to \(address.shown) for anybody on the way to read: use https"
        )
      }
      guard Self.isPlain(token) else {
        throw RSSIError(
          .usage, "the token has characters that no token has: check RSSI_REGISTRY_TOKEN")
      }
    }
    var lines = ["Accept: application/json"]
    if let etag, Self.isPlain(etag) { lines.append("If-None-Match: \(etag)") }
    if let lastModified, Self.isPlain(lastModified) {
      lines.append("If-Modified-Since: \(lastModified)")
    }
    return lines
  }

  /// Returns true if a text can stand in a header without becoming another one.
  static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 4096 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}

/// The answer of a server.
public enum RegistryAnswer: Equatable, Sendable {
  /// The state that was named in the request is still the last one.
  case unchanged
  /// A new list, with the state that the next request names.
  case list([UInt8], etag: String?, lastModified: String?)
}

extension RegistryRequest {
  /// Asks the server, follows up to five redirects, and waits for the whole answer.
  ///
  /// - Throws: `unavailable` where no one who can be trusted answered in time, `badInput` for an
  ///   answer of which nothing can be made.
  package func send() throws(RSSIError) -> RegistryAnswer {
    let lines = try headers()
    guard Self.isStarted, let handle = curl_easy_init() else {
      throw RSSIError(
        .unavailable, "libcurl cannot be started: check that it is installed whole")
    }
    defer { curl_easy_cleanup(handle) }
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines { list = curl_slist_append(list, line) ?? list }
    defer { curl_slist_free_all(list) }
    let reception = Reception(maximumBytes: maximumBytes)
    let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(ccurl_error_size()))
    words.initialize(repeating: 0, count: Int(ccurl_error_size()))
    defer { words.deallocate() }
    let context = Unmanaged.passUnretained(reception).toOpaque()
    var settings = [
      ccurl_set_url(handle, address.full), ccurl_set_agent(handle, agent),
      ccurl_set_headers(handle, list), ccurl_follow_redirects(handle, 5),
      // What was asked for in secret is not fetched in the open.
      ccurl_allow_schemes(handle, address.isSecure ? "https" : "http,https"),
      ccurl_accept_encodings(handle), ccurl_leave_signals(handle),
      ccurl_set_timeout(handle, Int(clamping: max(1, timeout.nanoseconds / 1_000_000))),
      ccurl_set_error_text(handle, words),
      ccurl_on_body(
        handle,
        { bytes, size, count, context in
          guard let bytes, let context else { return 0 }
          let reception = Unmanaged<Reception>.fromOpaque(context).takeUnretainedValue()
          let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
          return reception.take(body: piece) ? size * count : 0
        }, context),
      ccurl_on_header(
        handle,
        { bytes, size, count, context in
          guard let bytes, let context else { return 0 }
          let reception = Unmanaged<Reception>.fromOpaque(context).takeUnretainedValue()
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
      return .list(
        reception.body, etag: reception.headers["etag"],
        lastModified: reception.headers["last-modified"])
    case 304 where etag != nil || lastModified != nil: return .unchanged
    default:
      let advice = status == 401 || status == 403 ? ": give a token in RSSI_REGISTRY_TOKEN" : ""
      throw RSSIError(.badInput, "\(address.shown) answered with status \(status)\(advice)")
    }
  }

  private func failure(_ code: CURLcode, _ words: String, _ reception: Reception) -> RSSIError {
    if reception.isTooLong {
      return RSSIError(
        .badInput,
        "the answer of \(address.shown) is longer than \(maximumBytes) bytes: raise the limit if "
          + "it is right"
      )
    }
    let reason = CleanText(words.isEmpty ? said(code) : words).text
    switch code {
    case CURLE_PARTIAL_FILE:
      return RSSIError(
        .badInput, "the answer of \(address.shown) ended too early (\(reason)): try again")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_TOO_MANY_REDIRECTS, CURLE_URL_MALFORMAT:
      return RSSIError(
        .badInput, "\(address.shown) leads elsewhere than it may (\(reason)): check the address")
    case CURLE_BAD_CONTENT_ENCODING, CURLE_WEIRD_SERVER_REPLY, CURLE_WRITE_ERROR:
      return RSSIError(.badInput, "the answer of \(address.shown) cannot be read (\(reason))")
    default:
      return RSSIError(
        .unavailable,
        "nothing came of \(address.shown) (\(reason)): check the network and the address")
    }
  }

  private func said(_ code: CURLcode) -> String { String(cString: curl_easy_strerror(code)) }

  /// A Boolean value that is true if the library is ready; it is made so once.
  private static let isStarted = ccurl_start() == CURLE_OK
}

/// The part of an answer that has come so far.
///
/// A class, for the library hands a pointer to it back to its callbacks.
final class Reception {
  private(set) var body: [UInt8] = []
  private(set) var headers: [String: String] = [:]
  /// A Boolean value that is true if more came than was allowed; the transfer then ends.
  private(set) var isTooLong = false
  private let maximumBytes: Int

  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  /// Takes a piece of the body; false ends the transfer.
  func take(body piece: UnsafeRawBufferPointer) -> Bool {
    guard piece.count <= maximumBytes - body.count else {
      isTooLong = true
      return false
    }
    body.append(contentsOf: piece)
    return true
  }

  /// Takes a line of the headers; those of a redirect go when the next answer begins.
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
    if name == "etag" || name == "last-modified", RegistryRequest.isPlain(value) {
      headers[name] = value
    }
  }
}
