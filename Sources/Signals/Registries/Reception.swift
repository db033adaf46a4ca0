/// What has come of an answer so far.
///
/// A class, for the library hands a pointer to it back to its callbacks.
final class Reception {
  private(set) var body: [UInt8] = []
  private(set) var headers: [String: String] = [:]
  /// Whether more came than was allowed; the transfer then ends.
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
