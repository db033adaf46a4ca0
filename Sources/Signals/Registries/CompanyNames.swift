package import Support

/// Names of companies by their Bluetooth SIG identifier, as systemd's hardware database has them.
///
/// ```
/// bluetooth:v004C*
///  ID_VENDOR_FROM_DATABASE=Apple, Inc.
/// ```
///
/// Source: hwdb(7). Other lines, such as those of products, are passed over.
package struct CompanyNames: Equatable, Sendable {
  /// The places at which systemd looks for the file, in its order; Debian's package `udev` has it.
  package static let paths = ["/etc", "/usr/lib", "/lib"].map {
    "\($0)/udev/hwdb.d/20-bluetooth-vendor-product.hwdb"
  }

  private var names: [UInt16: String] = [:]

  /// No names.
  package init() {}

  /// Reads the first file that there is; no names where there is none.
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

  /// - Parameter text: of a file; bytes that are not UTF-8 become U+FFFD.
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
      // A record may begin with several patterns.
      if wasProperty { matches.removeAll() }
      wasProperty = false
      if let company = Self.company(matchedBy: line) { matches.append(company) }
    }
  }

  /// The company of a pattern for all its products; nil for any other line.
  private static func company(matchedBy line: String) -> UInt16? {
    let prefix = "bluetooth:v"
    guard line.hasPrefix(prefix), line.hasSuffix("*") else { return nil }
    let digits = line.dropFirst(prefix.count).dropLast()
    guard digits.count == 4, digits.allSatisfy(\.isHexDigit) else { return nil }
    return UInt16(digits, radix: 16)
  }

  /// The name of a company; nil where it is not known.
  package subscript(company: UInt16) -> String? { names[company] }

  package var count: Int { names.count }
}
