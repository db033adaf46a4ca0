package import Support

/// What kind of file a picture is.
package enum PictureFormat: String, CaseIterable, Sendable {
  case svg, png, pdf

  /// The format that the extension of a file's name states, in whatever case.
  ///
  /// - Throws: a `RSSIError` of kind `usage` where it states none of them.
  package init(path: String) throws(RSSIError) {
    let name = path.split(separator: "/").last ?? ""
    let ending = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last
    guard let ending, let format = Self(rawValue: ending.lowercased()) else {
      throw RSSIError(
        .usage, "cannot draw \(path): its name must end in .svg, .png or .pdf")
    }
    self = format
  }
}
