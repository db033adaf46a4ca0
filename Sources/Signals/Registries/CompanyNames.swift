package import Support

/// The names of companies by Bluetooth SIG identifier, from systemd's hardware database.
///
/// ```
/// bluetooth:v004C*
///  ID_VENDOR_FROM_DATABASE=Apple, Inc.
/// ```
///
/// Source: hwdb(7). Other lines, such as those of products, are ignored.
package struct CompanyNames: Equatable, Sendable {
  /// The paths at which systemd looks for the file, in its order; Debian's package `udev` has it.
  package static let paths = ["/etc", "/usr/lib", "/lib"].map {
    "\($0)/udev/hwdb.d/20-bluetooth-vendor-product.hwdb"
  }

  private var names: [UInt16: String] = [:]

  /// No names.
  package init() {}

  /// Reads the first existing file; without one there are no names.
  package init(installedAt paths: [String] = paths) {
    for path in paths {
      guard let database = try? CompanyNames(path: path) else { continue }
      self = database
      return
    }
  }

  /// - Throws: `RSSIError` for a file that cannot be read.
  package init(path: String) throws(RSSIError) {
    self.init(text: try contents(ofFile: path, atMost: 1 << 23))
  }

  /// - Parameter text: The content of a file; bytes that are not UTF-8 become U+FFFD.
  package init(text: [UInt8]) {
    var matches: [UInt16] = []
    var wasProperty = false
    for bytes in text.split(separator: UInt8(ascii: "\n")) {
      let line = String(decoding: bytes, as: UTF8.self)
      guard !line.hasPrefix("#") else { continue }
      guard !line.hasPrefix(" ") else {
        wasProperty = true
        let key = " ID_VENDOR_FROM_DATABASE="
        guard line.hasPrefix(key) else { continue }
        let name = CleanText(String(line.dropFirst(key.count))).text
        for company in matches where !name.isEmpty { names[company] = name }
        continue
      }
      // A record may start with several patterns.
      if wasProperty { matches.removeAll() }
      wasProperty = false
      if let company = Self.company(matchedBy: line) { matches.append(company) }
    }
  }

  /// Returns the company of a pattern for all its products, or `nil` for any other line.
  private static func company(matchedBy line: String) -> UInt16? {
    let prefix = "bluetooth:v"
    guard line.hasPrefix(prefix), line.hasSuffix("*") else { return nil }
    let digits = line.dropFirst(prefix.count).dropLast()
    guard digits.count == 4, digits.allSatisfy(\.isHexDigit) else { return nil }
    return UInt16(digits, radix: 16)
  }

  /// Returns the name of a company, or `nil` if it is unknown.
  package subscript(company: UInt16) -> String? { names[company] }

  package var count: Int { names.count }
}
