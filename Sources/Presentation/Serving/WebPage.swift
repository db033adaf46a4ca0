/// What a server answers with under one path.
package struct WebPage: Sendable {
  /// The type of its content, such as `text/html; charset=utf-8`.
  package var type: String
  package var content: String

  package init(_ content: String, type: String) { (self.content, self.type) = (content, type) }
}
