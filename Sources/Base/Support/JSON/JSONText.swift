/// A report as one JSON document: keys sorted, so that the same input gives the same bytes; lists
/// of numbers on one line.
package func jsonText(_ value: JSONValue) -> String {
  var json = JSONWriter(.pretty, escapes: .short)
  json.value(value)
  return json.text + "\n"
}

/// An encodable value as such a document.
///
/// - Throws: `EncodingError` for NaN and infinities, which JSON does not have.
package func jsonText(_ value: some Encodable) throws -> String {
  jsonText(try JSONValue(encoding: value))
}

/// An encodable value as JSON on one line, without its end; keys sorted.
///
/// - Throws: `EncodingError` for NaN and infinities, which JSON does not have.
package func jsonLine(_ value: some Encodable) throws -> [UInt8] {
  var json = JSONWriter(escapes: .short)
  json.value(try JSONValue(encoding: value))
  return json.bytes
}
