extension Decodable {
  /// Decodes a value from a JSON document. Unknown members are ignored, and of members with the
  /// same name the first counts.
  ///
  /// - Parameter text: The UTF-8 text, with or without a byte order mark.
  /// - Throws: `DecodingError` with the path to the problem.
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
  /// The text after a byte order mark, if there is one.
  package var withoutByteOrderMark: ArraySlice<UInt8> {
    starts(with: [0xEF, 0xBB, 0xBF]) ? self[3...] : self[...]
  }
}

/// A decoder of a value from an element of a document.
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

  /// Returns a text, a Boolean value or a number, or `nil` if the type is none of these.
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

  /// Accepts also `1e3` and `2.0`.
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

/// The members of an object.
struct DecodedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let members: [String: JSONElement]
  let codingPath: [any CodingKey]

  init(_ object: JSONElement, _ codingPath: [any CodingKey]) {
    members = Dictionary(
      object.children.map { (String(decoding: $0.name, as: UTF8.self), $0) },
      uniquingKeysWith: { first, _ in first })
    self.codingPath = codingPath
  }

  private func member(_ key: any CodingKey) throws -> JSONDecoding {
    guard let element = members[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key,
        .init(
          codingPath: codingPath,
          debugDescription: "No value associated with key \(key) (\"\(key.stringValue)\")."))
    }
    return JSONDecoding(element: element, codingPath: codingPath + [key])
  }

  var allKeys: [Key] { members.keys.compactMap(Key.init) }
  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try member(key).decodeNil() }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try member(key).decode(type)
  }
  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<Nested>
  {
    try member(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder { try member(JSONKey.super) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }
}

/// The elements of a list, in order.
struct DecodedElements: UnkeyedDecodingContainer {
  private let elements: [JSONElement]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(_ array: JSONElement, _ codingPath: [any CodingKey]) {
    elements = Array(array.children)
    self.codingPath = codingPath
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  private func next(_ type: Any.Type) throws -> JSONDecoding {
    let path = codingPath + [JSONKey(index: currentIndex)]
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: path, debugDescription: "Unkeyed container is at end."))
    }
    return JSONDecoding(element: elements[currentIndex], codingPath: path)
  }

  mutating func decodeNil() throws -> Bool {
    let isNull = try next(Any?.self).decodeNil()
    if isNull { currentIndex += 1 }
    return isNull
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try next(type).decode(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws
    -> KeyedDecodingContainer<Nested>
  {
    let container = try next(KeyedDecodingContainer<Nested>.self).container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try next([Any].self).unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try next((any Decoder).self)
    currentIndex += 1
    return decoder
  }
}

/// The key of an element in a list, or of a superclass, in a coding path.
struct JSONKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  static let `super` = JSONKey(stringValue: "super")

  init(index: Int) { (stringValue, intValue) = ("Index \(index)", index) }
  init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
  init(intValue: Int) { self.init(index: intValue) }
}
