/// A format of compressed files and archives, recognised by its first bytes.
package enum Compression: String, CaseIterable, Sendable {
  case gzip
  case xz
  case zstd = "Zstandard"
  case bzip2
  case lz4
  case zip
  case tar

  /// Creates the format of a file from its first bytes, or returns `nil` for any other file.
  package init?(_ head: [UInt8]) {
    let found = Self.allCases.first { format in
      let (place, magic) = format.magic
      return head.dropFirst(place).starts(with: magic)
    }
    guard let found else { return nil }
    self = found
  }

  /// The program that unpacks such a file.
  package var program: String {
    switch self {
    case .gzip: "gunzip"
    case .xz: "unxz"
    case .zstd: "unzstd"
    case .bzip2: "bunzip2"
    case .lz4: "unlz4"
    case .zip: "unzip"
    case .tar: "tar -x"
    }
  }

  /// The last extension of names of compressed files, which hides that of the content.
  package static let suffixes: Set<String> = ["gz", "xz", "zst", "bz2", "lz4"]

  private var magic: (place: Int, bytes: [UInt8]) {
    switch self {
    case .gzip: (0, [0x1F, 0x8B])
    case .xz: (0, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00])
    case .zstd: (0, [0x28, 0xB5, 0x2F, 0xFD])
    case .bzip2: (0, Array("BZh".utf8))
    case .lz4: (0, [0x04, 0x22, 0x4D, 0x18])
    case .zip: (0, Array("PK\u{3}\u{4}".utf8))
    case .tar: (257, Array("ustar".utf8))
    }
  }
}
