internal import CCurl
public import Support

/// The address of a file on the web: http or https.
public struct WebAddress: Equatable, Sendable {
  /// The complete URL, including a user and a password.
  let full: String
  /// The URL without a user, a password and a fragment, which may be printed and stored.
  public let shown: String
  let isSecure: Bool
  /// A Boolean value that is true if it is this machine, so that nothing can be intercepted.
  let isLoopback: Bool

  /// Creates an address from a URL.
  ///
  /// - Throws: `RSSIError` for an invalid URL, and for other schemes.
  public init(_ text: String) throws(RSSIError) {
    // libcurl parses it, so that the checked URL is the fetched one.
    guard let parts = curl_url() else {
      throw RSSIError(.unavailable, "no memory for an address")
    }
    defer { curl_url_cleanup(parts) }
    func part(_ which: CURLUPart) -> String? {
      var value: UnsafeMutablePointer<CChar>?
      guard curl_url_get(parts, which, &value, 0) == CURLUE_OK, let value else { return nil }
      defer { curl_free(value) }
      return String(cString: value)
    }
    guard text.utf8.count <= RegistryLimits.textBytes,
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      curl_url_set(parts, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK,
      let scheme = part(CURLUPART_SCHEME)
    else {
      throw RSSIError(
        .usage, "invalid address; expected http://HOST/PATH or https://HOST/PATH")
    }
    guard scheme == "http" || scheme == "https", let host = part(CURLUPART_HOST) else {
      throw RSSIError(
        .usage,
        "expected http or https, found \(quoted(scheme))"
      )
    }
    for which in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT] {
      _ = curl_url_set(parts, which, nil, 0)
    }
    full = text
    shown = part(CURLUPART_URL) ?? "\(scheme)://\(host)"
    isSecure = scheme == "https"
    isLoopback = ["localhost", "127.0.0.1", "[::1]"].contains(host)
  }
}
