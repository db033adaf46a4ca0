/// A fixed number of bytes that name something: a UUID, a namespace, an instance.
public struct Identifier<let count: Int>: Sendable {
  /// The bytes, in the order in which they are printed.
  public var bytes: InlineArray<count, UInt8>

  public init(bytes: InlineArray<count, UInt8>) { self.bytes = bytes }

  /// The identifier written in hexadecimal digits, in either case, with or without dashes.
  ///
  /// Nil unless there are exactly two digits a byte.
  public init?(_ text: String) {
    let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
    guard digits.count == 2 * count else { return nil }
    bytes = InlineArray(repeating: 0)
    for (index, digit) in digits.enumerated() {
      guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
      bytes[index / 2] = bytes[index / 2] << 4 | UInt8(value)
    }
  }

  /// The bytes at an offset, which the caller has checked to be there.
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
  /// Upper-case hexadecimal digits; sixteen bytes with the dashes of a UUID (8-4-4-4-12).
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
