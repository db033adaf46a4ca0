/// A JSON document with keys that are only known at run time, or values that may be null.
package enum JSONValue: Sendable {
  case object([String: JSONValue])
  case array([JSONValue])
  case string(String)
  case number(Double)
  case integer(Int)
  case unsigned(UInt64)
  case boolean(Bool)
  case null

  package static func optional(_ value: Double?) -> JSONValue {
    value.flatMap(finite).map(JSONValue.number) ?? .null
  }

  /// A Boolean value that is true if it contains neither text nor other values.
  fileprivate var isPlain: Bool {
    switch self {
    case .object, .array, .string: false
    case .number, .integer, .unsigned, .boolean, .null: true
    }
  }
}

/// Returns a number that JSON can represent, or `nil`, written as null, for NaN and infinities.
package func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }

extension JSONWriter {
  /// Writes a value; the keys of objects are sorted, so that the same value gives the same bytes.
  package mutating func value(_ value: JSONValue) {
    switch value {
    case .object(let members):
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      object { json in
        for (name, member) in sorted {
          json.key(name)
          json.value(member)
        }
      }
    case .array(let elements):
      array(onLines: !elements.allSatisfy(\.isPlain)) { json in
        for element in elements { json.value(element) }
      }
    case .string(let text): string(text)
    case .number(let number): self.number(number)
    case .integer(let number): integer(number)
    case .unsigned(let number): integer(number)
    case .boolean(let flag): boolean(flag)
    case .null: null()
    }
  }
}

extension JSONValue {
  /// Encodes a value.
  ///
  /// - Throws: `EncodingError` for NaN and infinities, which JSON does not have.
  init(encoding value: some Encodable) throws {
    let place = JSONPlace()
    try place.put(value, at: [])
    self = place.json
  }
}

/// A place in a document, which is filled as a value encodes itself.
private final class JSONPlace {
  /// The value without members or elements; `nil` until one is written.
  private var value = JSONValue.object([:])
  var members: [String: JSONPlace]?
  var elements: [JSONPlace]?

  var json: JSONValue {
    if let members { return .object(members.mapValues(\.json)) }
    if let elements { return .array(elements.map(\.json)) }
    return value
  }

  func member(_ name: String) -> JSONPlace {
    let place = JSONPlace()
    members?[name] = place
    return place
  }

  func element() -> JSONPlace {
    let place = JSONPlace()
    elements?.append(place)
    return place
  }

  func putNull() { value = .null }

  func put(_ value: some Encodable, at path: [any CodingKey]) throws {
    switch value {
    case let text as String: self.value = .string(text)
    case let flag as Bool: self.value = .boolean(flag)
    case let number as any BinaryFloatingPoint & LosslessStringConvertible:
      // By its digits, so that a Float has only as many as it needs.
      guard let double = Double(number.description), double.isFinite else {
        throw EncodingError.invalidValue(
          number, .init(codingPath: path, debugDescription: "JSON has no number \(number)"))
      }
      self.value = .number(double)
    case let number as any FixedWidthInteger:
      self.value = UInt64(exactly: number).map(JSONValue.unsigned) ?? .integer(Int(number))
    default: try value.encode(to: JSONEncoding(place: self, codingPath: path))
    }
  }
}

/// An encoder of a value into a place in a document.
private struct JSONEncoding: Encoder, SingleValueEncodingContainer {
  let place: JSONPlace
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if place.members == nil { place.members = [:] }
    return KeyedEncodingContainer(JSONMembers(place: place, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if place.elements == nil { place.elements = [] }
    return JSONElements(place: place, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
  func encodeNil() { place.putNull() }
  func encode<Value: Encodable>(_ value: Value) throws { try place.put(value, at: codingPath) }
}

private struct JSONMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let place: JSONPlace
  let codingPath: [any CodingKey]

  private func member(_ key: any CodingKey) -> JSONEncoding {
    JSONEncoding(place: place.member(key.stringValue), codingPath: codingPath + [key])
  }

  func encodeNil(forKey key: Key) { member(key).encodeNil() }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try member(key).encode(value)
  }
  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
    -> KeyedEncodingContainer<Nested>
  {
    member(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    member(key).unkeyedContainer()
  }
  func superEncoder() -> any Encoder { member(JSONKey.super) }
  func superEncoder(forKey key: Key) -> any Encoder { member(key) }
}

private struct JSONElements: UnkeyedEncodingContainer {
  let place: JSONPlace
  let codingPath: [any CodingKey]

  var count: Int { place.elements?.count ?? 0 }

  private func element() -> JSONEncoding {
    let key = JSONKey(index: count)
    return JSONEncoding(place: place.element(), codingPath: codingPath + [key])
  }

  func encodeNil() { element().encodeNil() }
  func encode<Value: Encodable>(_ value: Value) throws { try element().encode(value) }
  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type)
    -> KeyedEncodingContainer<Nested>
  {
    element().container(keyedBy: type)
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }
  func superEncoder() -> any Encoder { element() }
}

/// Returns a report as one JSON document with sorted keys, so that the same input gives the same
/// bytes; lists of numbers are on one line.
package func jsonText(_ value: JSONValue) -> String {
  var json = JSONWriter(.pretty, escapes: .short)
  json.value(value)
  return json.text + "\n"
}

/// Returns an encodable value as such a document.
///
/// - Throws: `EncodingError` for NaN and infinities, which JSON does not have.
package func jsonText(_ value: some Encodable) throws -> String {
  jsonText(try JSONValue(encoding: value))
}

/// Returns an encodable value as JSON on one line with sorted keys, without the line end.
///
/// - Throws: `EncodingError` for NaN and infinities, which JSON does not have.
package func jsonLine(_ value: some Encodable) throws -> [UInt8] {
  var json = JSONWriter(escapes: .short)
  json.value(try JSONValue(encoding: value))
  return json.bytes
}
