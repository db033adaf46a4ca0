extension Decodable {
  /// Reads a value from a JSON document; members that the value does not ask for are passed over,
  /// and of members of one name the first counts.
  ///
  /// - Parameter text: UTF-8, with or without a byte order mark.
  /// - Throws: `DecodingError`, whose path leads to what is wrong.
  package init(json text: [UInt8]) throws {
    let document = JSONDocument(maximumDepth: 512)
    guard (try? UTF8Span(validating: text.span)) != nil,
      document.parse(text.withoutByteOrderMark.span)
    else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "The given data was not valid JSON."))
    }
    self = try JSONDecoding(element: document.root, codingPath: []).decode(Self.self)
  }
}

extension [UInt8] {
  /// The text behind a byte order mark, if there is one.
  package var withoutByteOrderMark: ArraySlice<UInt8> {
    starts(with: [0xEF, 0xBB, 0xBF]) ? self[3...] : self[...]
  }
}

/// Reads a value from an element of a document.
struct JSONDecoding: Decoder, SingleValueDecodingContainer {
  let element: JSONElement
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard element.kind == .object else { throw mismatch([String: Any].self) }
    return KeyedDecodingContainer(DecodedMembers(element, codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard element.kind == .array else { throw mismatch([Any].self) }
    return DecodedElements(element, codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
  func decodeNil() -> Bool { element.kind == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let found = try primitive(type), let value = found as? Value { return value }
    return try Value(from: self)
  }

  /// A text, a truth value or a number; nil where the type is none of these.
  private func primitive(_ type: Any.Type) throws -> Any? {
    switch type {
    case is String.Type:
      guard let text = element.text else { throw mismatch(type) }
      return String(decoding: text, as: UTF8.self)
    case is Bool.Type:
      guard element.kind == .true || element.kind == .false else { throw mismatch(type) }
      return element.kind == .true
    case let type as any (BinaryFloatingPoint & LosslessStringConvertible).Type:
      return try real(type)
    case let type as any FixedWidthInteger.Type: return try integer(type)
    default: return nil
    }
  }

  private func real<Value: BinaryFloatingPoint & LosslessStringConvertible>(
    _ type: Value.Type
  ) throws -> Value {
    let digits = try digits(type)
    guard let value = Value(digits), value.isFinite else { throw unrepresentable(digits, type) }
    return value
  }

  /// Also of `1e3` and `2.0`.
  private func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
    let digits = try digits(type)
    guard let value = Value(digits) ?? Double(digits).flatMap(Value.init(exactly:)) else {
      throw unrepresentable(digits, type)
    }
    return value
  }

  private func digits(_ type: Any.Type) throws -> String {
    guard element.kind == .number else { throw mismatch(type) }
    return String(decoding: element.document.bytes[element.place], as: UTF8.self)
  }

  private func unrepresentable(_ digits: String, _ type: Any.Type) -> DecodingError {
    DecodingError.dataCorrupted(
      .init(codingPath: codingPath, debugDescription: "Number \(digits) does not fit in \(type)."))
  }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    let found =
      switch element.kind {
      case .object: "a dictionary"
      case .array: "an array"
      case .string: "a string"
      case .number: "number"
      case .true, .false: "bool"
      case .null: "null"
      }
    return element.kind == .null
      ? .valueNotFound(
        type,
        .init(
          codingPath: codingPath,
          debugDescription: "Cannot get value of type \(type) -- found null value instead"))
      : .typeMismatch(
        type,
        .init(
          codingPath: codingPath,
          debugDescription: "Expected to decode \(type) but found \(found) instead."))
  }
}
