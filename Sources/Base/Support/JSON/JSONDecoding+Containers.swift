/// The members of an object, for a value to read.
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

/// The elements of a list, for a value to read in order.
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

/// The place of an element in a list, or of a superclass, in the path to a value.
struct JSONKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  static let `super` = JSONKey(stringValue: "super")

  init(index: Int) { (stringValue, intValue) = ("Index \(index)", index) }
  init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
  init(intValue: Int) { self.init(index: intValue) }
}
