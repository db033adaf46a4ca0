import Foundation

/// A report as one JSON document: keys sorted, so that the same input gives the same bytes; lists
/// of numbers on one line.
package func jsonText(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  return String(decoding: withNumbersOnOneLine(Array(try encoder.encode(value))), as: UTF8.self)
    + "\n"
}

/// The same document with each list that holds neither text, lists nor objects on one line.
private func withNumbersOnOneLine(_ json: [UInt8]) -> [UInt8] {
  var result: [UInt8] = []
  result.reserveCapacity(json.count)
  var isText = false
  // Where the innermost list began in the result, while it holds numbers only.
  var list: Int?
  var index = 0
  while index < json.count {
    let byte = json[index]
    result.append(byte)
    index += 1
    if isText {
      if byte == UInt8(ascii: "\\"), index < json.count {
        result.append(json[index])
        index += 1
      } else if byte == UInt8(ascii: "\"") {
        isText = false
      }
      continue
    }
    switch byte {
    case UInt8(ascii: "\""):
      isText = true
      list = nil
    case UInt8(ascii: "["): list = result.count
    case UInt8(ascii: "{"): list = nil
    case UInt8(ascii: "]"):
      if let start = list {
        // In place: each run of spaces and line ends becomes one space, none at the ends.
        var end = start
        var isGap = false
        for place in start..<result.count - 1 {
          let one = result[place]
          if one == 0x20 || one == 0x0A {
            isGap = true
            continue
          }
          if isGap, end > start {
            result[end] = 0x20
            end += 1
          }
          isGap = false
          result[end] = one
          end += 1
        }
        result.removeSubrange(end...)
        result.append(byte)
      }
      list = nil
    default: break
    }
  }
  return result
}

/// A number that JSON can hold: nil, written as null, in place of NaN and infinities.
package func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }

/// An object whose keys are only known at run time, or are null in places.
package enum JSONValue: Encodable, Sendable {
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

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .object(let members): try container.encode(members)
    case .array(let elements): try container.encode(elements)
    case .string(let text): try container.encode(text)
    case .number(let number):
      if number.isFinite { try container.encode(number) } else { try container.encodeNil() }
    case .integer(let number): try container.encode(number)
    case .unsigned(let number): try container.encode(number)
    case .boolean(let flag): try container.encode(flag)
    case .null: try container.encodeNil()
    }
  }
}
