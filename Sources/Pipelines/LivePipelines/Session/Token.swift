/// 128 random bits that distinguish sessions, members and parts; written as 32 hexadecimal digits.
public struct Token: Hashable, Comparable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// Returns a new token from the system's generator.
  public static func random() -> Token {
    Token(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
  }

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads a token from its description; returns nil for other text.
  public init?(_ text: String) {
    let digits = text.utf8
    guard digits.count == 32,
      digits.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }),
      let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }

  public static func < (a: Token, b: Token) -> Bool { (a.high, a.low) < (b.high, b.low) }
}

extension Token: CustomStringConvertible {
  public var description: String { Self.digits(high) + Self.digits(low) }

  private static func digits(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension Token: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let token = Token(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected 32 hexadecimal digits")
    }
    self = token
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
