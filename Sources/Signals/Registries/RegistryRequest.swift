import Support

/// What to ask a server for.
package struct RegistryRequest: Sendable {
  package var address: RegistryAddress
  /// The state that is known: the server need not send it again.
  package var etag: String?
  package var lastModified: String?
  /// Who asks, to the server alone; never kept.
  package var token: String?
  /// Nanoseconds for the whole of it.
  package var timeout: Int64 = 30_000_000_000
  /// Of the answer, after it was unpacked.
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

  /// Whether a text can stand in a header without becoming another one.
  static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 4096 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}

/// What a server answered.
package enum RegistryAnswer: Equatable, Sendable {
  /// The state that was named in the request is still the last one.
  case unchanged
  case list([UInt8], etag: String?, lastModified: String?)
}
