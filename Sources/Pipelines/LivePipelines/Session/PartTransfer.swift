import Support

/// How a part goes through a broker: in pieces that are requested one by one, so that a member is
/// sent no more than it takes, and lost pieces are requested again.
enum PartTransfer {
  /// Bytes of a piece.
  static let piece = 65_536
  /// Pieces that are requested at a time.
  static let window = 8

  /// A request for a piece.
  struct Request: Codable, Equatable {
    var part: String
    var offset: UInt64
    var count: Int
    /// The member that asks.
    var to: String

    /// Reads a request; nil for one of something that cannot exist.
    static func read(_ payload: [UInt8]) -> Request? {
      guard payload.count <= 1024,
        let request = try? Request(json: payload),
        Token(request.part) != nil, isLobbyName(request.to), (1...piece).contains(request.count),
        request.offset < 1 << 62
      else { return nil }
      return request
    }
  }

  /// A piece of a part: its id in 32 digits, its offset in 8 bytes, most significant first, the
  /// bytes.
  struct Piece: Equatable {
    var part: String
    var offset: UInt64
    var bytes: [UInt8]

    init(part: String, offset: UInt64, bytes: [UInt8]) {
      (self.part, self.offset, self.bytes) = (part, offset, bytes)
    }

    init?(_ payload: [UInt8]) {
      guard (41...40 + PartTransfer.piece).contains(payload.count),
        let id = Token(String(decoding: payload[..<32], as: UTF8.self))
      else { return nil }
      part = id.description
      offset = payload[32..<40].reduce(0) { $0 << 8 | UInt64($1) }
      bytes = Array(payload[40...])
    }

    var payload: [UInt8] {
      Array(part.utf8) + (0..<8).map { UInt8(truncatingIfNeeded: offset >> (56 - 8 * $0)) } + bytes
    }
  }
}
