/// Where a registry came from, so that the next fetch need only ask whether it changed.
package struct RegistrySource: Equatable, Sendable {
  /// Without a user and a password.
  package var url: String
  /// What the server calls this state of the list.
  package var etag: String?
  /// As the server writes it.
  package var lastModified: String?
  /// When it came, ISO 8601.
  package var fetched: String
  /// Of the bytes that came, in hexadecimal.
  package var sha256: String

  package init(url: String, fetched: String, sha256: String) {
    self.url = url
    self.fetched = fetched
    self.sha256 = sha256
  }
}
