import Support

/// The format of a JSON document, by which a file is recognised before the rest is read.
struct DocumentHead: Decodable {
  /// The name of the format.
  var format: String
  /// The version of the format.
  var version: Int

  private enum CodingKeys: String, CodingKey {
    case format
    case version = "format_version"
  }
}

/// Returns the problem that a decoder found, and its place in the document.
func decodingProblem(_ error: any Error) -> String {
  guard let error = error as? DecodingError else { return text(of: error) }
  let context: DecodingError.Context? =
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context
    @unknown default: nil
    }
  let place = context?.codingPath.map(\.stringValue).joined(separator: "/") ?? ""
  return place.isEmpty
    ? context?.debugDescription ?? text(of: error) : "\(place): \(context?.debugDescription ?? "")"
}
