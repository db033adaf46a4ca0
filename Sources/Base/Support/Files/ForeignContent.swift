/// A file of a kind that no stage reads, recognised by its first bytes, with the remedy.
package struct ForeignContent {
  package let name: String
  package let advice: String

  /// Returns `nil` for content of any other kind.
  package init?(_ head: [UInt8]) {
    let known = Self.compressions.first { head.starts(with: $0.magic) }
    if let known {
      name = "this file is compressed with \(known.name)"
      advice = "decompress it with \(known.program) first"
      return
    }
    let text = String(decoding: head.prefix(32), as: UTF8.self).lowercased()
    guard text.hasPrefix("<!doctype html") || text.hasPrefix("<html") else { return nil }
    name = "this is a web page"
    advice = "download the recording or the table itself"
  }

  private static let compressions: [(magic: [UInt8], name: String, program: String)] = [
    ([0x1F, 0x8B], "gzip", "gunzip"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "xz", "unxz"),
    ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard", "unzstd"),
    (Array("PK\u{3}\u{4}".utf8), "zip", "unzip"),
    (Array("BZh".utf8), "bzip2", "bunzip2"),
  ]
}
