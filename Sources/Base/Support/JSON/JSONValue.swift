/// A JSON document whose keys are only known at run time, or are null in places.
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

  /// Whether it holds neither text nor other values.
  fileprivate var isPlain: Bool {
    switch self {
    case .object, .array, .string: false
    case .number, .integer, .unsigned, .boolean, .null: true
    }
  }
}

/// A number that JSON can hold: nil, written as null, in place of NaN and infinities.
package func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }

extension JSONWriter {
  /// A value; the keys of objects are sorted, so that the same value gives the same bytes.
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
