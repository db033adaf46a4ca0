import Foundation
import Support
import TestSupport
import Testing

/// Compares with Foundation's output for the same document, as an independent reference.
@Suite struct JSONTextTests {
  private let documents: [RandomDocument] = {
    var random = SeededGenerator(seed: 0x4A54)
    return (0..<1000).map { _ in RandomDocument(depth: 4, &random) }
  }()

  private func foundation(
    _ document: RandomDocument, _ formatting: JSONEncoder.OutputFormatting
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: try encoder.encode(document), as: UTF8.self)
  }

  @Test func `documents are the bytes that foundation writes but for lists of numbers`() throws {
    for document in documents {
      let expected = withNumbersOnOneLine(try foundation(document, .prettyPrinted)) + "\n"
      #expect(try jsonText(document) == expected)
    }
  }

  @Test func `lines are the bytes that foundation writes`() throws {
    for document in documents {
      let line = String(decoding: try jsonLine(document), as: UTF8.self)
      #expect(try line == foundation(document, []))
    }
  }

  /// Foundation's text with lists that hold neither text nor lists nor objects on one line.
  private func withNumbersOnOneLine(_ text: String) -> String {
    var lines: [String] = []
    var list: [String]?
    for line in text.components(separatedBy: "\n") {
      let word = line.trimmingCharacters(in: .whitespaces)
      // By scalars: an accent joins a quote before it to one character.
      let first = word.unicodeScalars.first ?? " "
      if line.unicodeScalars.last == "[" {
        lines += list ?? []
        list = [line]
      } else if first == "]", let open = list {
        let elements = open.dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
        lines.append(open[0] + elements.filter { !$0.isEmpty }.joined(separator: " ") + word)
        list = nil
      } else if ["\"", "{", "}"].contains(first) {
        lines += (list ?? []) + [line]
        list = nil
      } else if list != nil {
        list?.append(line)
      } else {
        lines.append(line)
      }
    }
    return (lines + (list ?? [])).joined(separator: "\n")
  }

  @Test func `values that JSON does not have are refused`() {
    for number in [Double.nan, .infinity, -.infinity] {
      #expect(throws: EncodingError.self) { try jsonText(["a": [number]]) }
    }
    #expect(
      jsonText(.array([.number(.nan), .optional(.infinity), .null])) == "[null, null, null]\n")
  }

  @Test func `keys of a line stay in their order`() {
    let line = JSONWriter.line { line in
      line.member("z", "a\n\"\u{1b}\\")
      line.member("a", 3)
      line.member("m", written: "1.50")
      line.member("l", [1, -2])
      line.member("t", ["x"])
      line.member("n", nil as String?)
      line.member("f", number: Float(0.1))
      line.member("zero", number: -0.0)
    }
    #expect(
      line == #"{"z":"a\u000a\"\u001b\\","a":3,"m":1.50,"l":[1,-2],"t":["x"],"n":null,"#
        + #""f":0.1,"zero":0}"# + "\n")
  }
}

/// Any document: texts of all kinds of characters, numbers of all sizes, keys that repeat.
private indirect enum RandomDocument: Encodable {
  case members([String: RandomDocument])
  case elements([RandomDocument])
  case text(String)
  case double(Double)
  case float(Float)
  case integer(Int64)
  case unsigned(UInt64)
  case byte(UInt8)
  case flag(Bool)
  case optional(Int?)
  case nested(RandomDocument)

  private enum Keys: String, CodingKey { case nested, list, other }

  init(depth: Int, _ random: inout SeededGenerator) {
    let count = Int.random(in: 0..<5, using: &random)
    switch Int.random(in: depth > 0 ? 0..<14 : 4..<12, using: &random) {
    case 0, 1:
      self = .members(
        Dictionary(
          (0..<count).map { _ in (Self.text(&random), Self(depth: depth - 1, &random)) },
          uniquingKeysWith: { first, _ in first }))
    case 2: self = .elements((0..<count).map { _ in Self(depth: depth - 1, &random) })
    case 3:
      self = .elements(
        (0..<count).map { _ in .double(Double.random(in: -100...100, using: &random)) })
    case 4, 5: self = .text(Self.text(&random))
    case 6:
      let number = Double(bitPattern: random.next())
      self = .double(number.isFinite ? number : -0.0)
    case 7: self = .double(Double(Int.random(in: -1 << 60...1 << 60, using: &random)) / 1024)
    case 8: self = .float(Float(Int.random(in: -1_000_000...1_000_000, using: &random)) / 64)
    case 9: self = .integer(Int64(bitPattern: random.next()))
    case 10: self = count > 2 ? .unsigned(random.next()) : .byte(UInt8(count))
    case 11: self = count > 2 ? .flag(count == 3) : .optional(count == 0 ? nil : count)
    default: self = .nested(Self(depth: depth - 1, &random))
    }
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    let scalars = (0..<Int.random(in: 0..<6, using: &random)).compactMap { _ in
      Unicode.Scalar(
        UInt32.random(
          in: 0..<([0x80, 0x80, 0x3000, 0x110000].randomElement(using: &random) ?? 1),
          using: &random))
    }
    return String(String.UnicodeScalarView(scalars))
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .members(let members): try members.encode(to: encoder)
    case .elements(let elements): try elements.encode(to: encoder)
    case .text(let text): try text.encode(to: encoder)
    case .double(let number): try number.encode(to: encoder)
    case .float(let number): try number.encode(to: encoder)
    case .integer(let number): try number.encode(to: encoder)
    case .unsigned(let number): try number.encode(to: encoder)
    case .byte(let number): try number.encode(to: encoder)
    case .flag(let flag): try flag.encode(to: encoder)
    case .optional(let number): try number.encode(to: encoder)
    case .nested(let document):
      var container = encoder.container(keyedBy: Keys.self)
      var nested = container.nestedContainer(keyedBy: Keys.self, forKey: .nested)
      try nested.encode(document, forKey: .other)
      try nested.encodeNil(forKey: .list)
      var list = container.nestedUnkeyedContainer(forKey: .list)
      try list.encode(document)
      try list.encodeNil()
      try list.encode(list.count)
      var inner = list.nestedContainer(keyedBy: Keys.self)
      try inner.encodeIfPresent(document, forKey: .nested)
      _ = list.nestedUnkeyedContainer()
      try document.encode(to: container.superEncoder(forKey: .other))
    }
  }
}
