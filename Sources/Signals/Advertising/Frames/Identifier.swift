/// An identifier of a fixed number of bytes: a UUID, a namespace, an instance.
public struct Identifier<let count: Int>: Sendable {
  /// The bytes, in the order in which they are printed.
  public var bytes: InlineArray<count, UInt8>

  /// Creates an identifier from its bytes.
  public init(bytes: InlineArray<count, UInt8>) { self.bytes = bytes }

  /// Creates an identifier from hexadecimal digits, in either case, with or without dashes, as a
  /// UUID also in braces or after `urn:uuid:`, and after `0x`.
  ///
  /// Returns `nil` unless there are exactly two digits per byte.
  public init?(_ text: String) { self.init(text[...]) }

  init?(_ text: Substring) {
    var rest = text
    if count == 16 {
      if rest.hasASCIIPrefix("urn:uuid:") { rest = rest.dropFirst(9) }
      if rest.first == "{" {
        guard rest.last == "}" else { return nil }
        rest = rest.dropFirst().dropLast()
      }
    }
    if rest.hasASCIIPrefix("0x") { rest = rest.dropFirst(2) }
    bytes = InlineArray(repeating: 0)
    var digits = 0
    for digit in rest.utf8 where digit != UInt8(ascii: "-") {
      guard digits < 2 * count, let value = hexadecimalValue(digit) else { return nil }
      bytes[digits / 2] = bytes[digits / 2] << 4 | value
      digits += 1
    }
    guard digits == 2 * count else { return nil }
  }

  /// Creates an identifier from the bytes at an offset, whose existence the caller has checked.
  init(_ span: Span<UInt8>, at offset: Int) {
    bytes = InlineArray(repeating: 0)
    for index in bytes.indices { bytes[index] = span[offset + index] }
  }

  /// The bytes as an array, for encoders.
  var array: [UInt8] { bytes.indices.map { bytes[$0] } }
}

extension Identifier: Hashable {
  public static func == (a: Self, b: Self) -> Bool {
    a.bytes.indices.allSatisfy { a.bytes[$0] == b.bytes[$0] }
  }

  public func hash(into hasher: inout Hasher) {
    for index in bytes.indices { hasher.combine(bytes[index]) }
  }
}

extension Identifier: CustomStringConvertible {
  /// The upper-case hexadecimal digits; sixteen bytes with the dashes of a UUID (8-4-4-4-12).
  public var description: String {
    let digits = hexadecimal(bytes)
    guard count == 16 else { return digits }
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      text.append(digit)
    }
    return text
  }
}
