/// Where a registry came from, so that the next fetch need only ask whether it changed.
public struct RegistrySource: Equatable, Sendable {
  /// Without a user and a password.
  public var url: String
  /// What the server calls this state of the list.
  public var etag: String?
  /// As the server writes it.
  public var lastModified: String?
  /// When it came, ISO 8601.
  public var fetched: String
  /// Of the bytes that came, in hexadecimal.
  public var sha256: String

  public init(url: String, fetched: String, sha256: String) {
    self.url = url
    self.fetched = fetched
    self.sha256 = sha256
  }
}
