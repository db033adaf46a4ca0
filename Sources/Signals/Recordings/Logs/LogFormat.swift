internal import Advertising
internal import Sightings
internal import Support

/// A text in which another program prints advertisements, recognised by its first bytes.
package enum LogFormat: Sendable {
  /// `tshark -T fields -E header=y`
  case tsharkFields
  /// `tshark -T json`
  case tsharkJSON
  /// `tshark -T ek`
  case tsharkLines

  /// The number of bytes by which a format is recognised.
  package static let headLength = 4096

  /// Returns the format of a text by its first bytes, or `nil` for a table or anything else.
  package init?(_ head: [UInt8]) {
    let start = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let lines = head[start...].split(maxSplits: 64) { $0 == 0x0A || $0 == 0x0D }
    guard let first = lines.first else { return nil }
    let words = String(decoding: head.prefix(512), as: UTF8.self)
    if words.first == "[" || words.first == "{" {
      guard let format = Self.json(words) else { return nil }
      self = format
    } else if Self.isHeader(first) {
      self = .tsharkFields
    } else {
      return nil
    }
  }

  private static func json(_ words: String) -> LogFormat? {
    if words.hasPrefix("{\"index\":{\"_index\":\"packets-") { return .tsharkLines }
    if words.contains("\"_index\": \"packets-") || words.contains("\"_source\": {") {
      return .tsharkJSON
    }
    return nil
  }

  /// Returns a Boolean value that is true for fields of tshark with a level and an address, or with
  /// the bytes of packets.
  private static func isHeader(_ line: ArraySlice<UInt8>) -> Bool {
    let fields = TsharkParser.fields(ofHeader: line)
    let levels: [TsharkPacket.Field] = [.level, .signal, .nordicLevel]
    return fields.contains(where: levels.contains)
      && fields.contains { $0 == .address || $0 == .advertiser }
  }

  /// The keys of the arrays that are read in turn; nil for lines.
  var arrays: [[[UInt8]]]? {
    switch self {
    case .tsharkJSON: [[]]
    case .tsharkFields, .tsharkLines: nil
    }
  }

  /// The parser of a file.
  func parser(of path: String) throws(RSSIError) -> any LogParser {
    switch self {
    case .tsharkFields: TsharkParser(hasHeader: true)
    case .tsharkJSON, .tsharkLines: TsharkParser(hasHeader: false)
    }
  }
}
