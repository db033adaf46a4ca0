import Foundation

/// A report as one JSON document: keys sorted, so that the same input gives the same bytes.
func jsonText(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
}

/// A number that JSON can hold: nil, written as null, in place of NaN and infinities.
func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }

/// An object whose keys are only known at run time, or are null in places.
enum JSONValue: Encodable {
  case object([String: JSONValue])
  case array([JSONValue])
  case string(String)
  case number(Double)
  case integer(Int)
  case unsigned(UInt64)
  case boolean(Bool)
  case null

  static func optional(_ value: Double?) -> JSONValue {
    value.flatMap(finite).map(JSONValue.number) ?? .null
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .object(let members): try container.encode(members)
    case .array(let elements): try container.encode(elements)
    case .string(let text): try container.encode(text)
    case .number(let number): try container.encode(number)
    case .integer(let number): try container.encode(number)
    case .unsigned(let number): try container.encode(number)
    case .boolean(let flag): try container.encode(flag)
    case .null: try container.encodeNil()
    }
  }
}
