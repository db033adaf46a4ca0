/// A value with a JSON form, which can be a member of a literal of ``JSONValue``.
package protocol JSONEncodable {
  var json: JSONValue { get }
}

/// An object literal: `["file": path, "levels": count, "mean_dbm": mean]`. `nil`, NaN and
/// infinities are null.
extension JSONValue: JSONEncodable, ExpressibleByDictionaryLiteral {
  package var json: JSONValue { self }

  package init(dictionaryLiteral members: (String, any JSONEncodable)...) {
    self = .object(Dictionary(uniqueKeysWithValues: members.map { ($0, $1.json) }))
  }

  /// Returns a member of an object, or null if there is none.
  package subscript(name: String) -> any JSONEncodable {
    get { if case .object(let members) = self { members[name] ?? .null } else { JSONValue.null } }
    set { self = adding([name: newValue]) }
  }

  /// Returns the object with more members, which replace those of the same names.
  package func adding(_ others: JSONValue) -> JSONValue {
    guard case .object(let members) = self, case .object(let others) = others else { return self }
    return JSONValue.object(members.merging(others) { $1 })
  }
}

extension JSONEncodable where Self == JSONValue {
  /// Returns an object within another.
  package static func object(_ members: JSONValue) -> JSONValue { members }
}

extension String: JSONEncodable { package var json: JSONValue { .string(self) } }
extension Bool: JSONEncodable { package var json: JSONValue { .boolean(self) } }
extension Int: JSONEncodable { package var json: JSONValue { .integer(self) } }
extension UInt64: JSONEncodable { package var json: JSONValue { .unsigned(self) } }
extension Double: JSONEncodable { package var json: JSONValue { .optional(self) } }

extension Optional: JSONEncodable where Wrapped: JSONEncodable {
  package var json: JSONValue { self?.json ?? .null }
}

extension Array: JSONEncodable where Element: JSONEncodable {
  package var json: JSONValue { .array(map(\.json)) }
}

extension Dictionary: JSONEncodable where Key == String, Value: JSONEncodable {
  package var json: JSONValue { .object(mapValues(\.json)) }
}
