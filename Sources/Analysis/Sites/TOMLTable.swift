package import Support

/// A table of a TOML file, with typed access to its values, and errors with lines.
package struct TOMLTable {
  package static let maximumTextLength = 128

  /// The name in the header; empty for the file as a whole.
  private let name: String
  /// The place in an array of tables; `nil` for a table of its own.
  private let index: Int?
  private let value: TOMLValue
  private let outline: TOMLOutline
  /// The name of the file.
  package let path: String

  /// Reads the table of a whole file.
  ///
  /// - Throws: `RSSIError` with the line of what is not TOML.
  package init(_ bytes: [UInt8], path: String) throws(RSSIError) {
    let text = try checkedText(bytes, path: path)
    outline = try TOMLOutline(bytes, path: path)
    value = try TOMLValue(text, path: path)
    (name, index, self.path) = ("", nil, path)
  }

  private init(_ value: TOMLValue, _ name: String, at index: Int?, of file: TOMLTable) {
    (self.value, self.name, self.index) = (value, name, index)
    (outline, path) = (file.outline, file.path)
  }

  /// Returns an error about the table, at the line of one of its keys if it exists.
  package func problem(_ key: String, _ words: String) -> RSSIError {
    let header =
      name.isEmpty ? "" : index.map { "[[\(name)]] number \($0 + 1): " } ?? "[\(name)]: "
    let nested = name.isEmpty ? outline.entries[key]?.first?.line : nil
    return .badTOML(
      path: path, line: nested ?? outline.line(of: key, in: name, index ?? 0),
      problem: header + words)
  }

  /// Rejects keys that are not known.
  ///
  /// - Parameter written: Returns a known key as messages name it.
  package func requireKeys(
    _ keys: [String], written: (String) -> String = { $0 }
  ) throws(RSSIError) {
    for key in value.keys where !keys.contains(key) {
      let known = keys.map(written).joined(separator: ", ")
      throw problem(key, "unknown key \"\(key.prefix(40))\"; known keys are \(known)")
    }
  }

  /// Returns the tables of an array, or none if the key is absent.
  package func tables(_ key: String, keys: [String]) throws(RSSIError) -> [TOMLTable] {
    guard let value = value[key] else { return [] }
    guard let tables = value.array else {
      throw problem(
        key, "\"\(key)\" must be an array of tables; start each with [[\(key)]]")
    }
    return try tables.enumerated().map { index, value throws(RSSIError) in
      guard value.isTable else {
        throw .badTOML(
          path: path, line: outline.line(of: key, index),
          problem: "\"\(key)\" must contain only tables; start each with [[\(key)]]")
      }
      let table = TOMLTable(value, key, at: index, of: self)
      try table.requireKeys(keys)
      return table
    }
  }

  /// Returns the table of a header `[key]`.
  package func table(_ key: String) throws(RSSIError) -> TOMLTable {
    guard let value = value[key], value.isTable else {
      throw problem(key, "\(key) must be a table; start it with [\(key)]")
    }
    return TOMLTable(value, key, at: nil, of: self)
  }

  package func has(_ key: String) -> Bool { value[key] != nil }

  /// Returns the value of a key, or `nil` if it is absent.
  package subscript(key: String) -> TOMLValue? { value[key] }

  /// Returns true or false, or `nil` if the key is absent.
  package func optionalFlag(_ key: String) throws(RSSIError) -> Bool? {
    guard let value = value[key] else { return nil }
    guard let flag = value.flag else { throw problem(key, "\(key) must be true or false") }
    return flag
  }

  /// Returns a number in a range, or `nil` if the key is absent.
  package func optionalNumber(
    _ key: String, in range: ClosedRange<Double>
  ) throws(RSSIError) -> Double? {
    guard let value = value[key] else { return nil }
    return try number(value, key, in: range)
  }

  func number(
    _ value: TOMLValue, _ key: String, in range: ClosedRange<Double>
  ) throws(RSSIError) -> Double {
    guard let number = value.number, range.contains(number) else {
      throw problem(
        key,
        "\(key) must be a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Returns a non-empty text, or `nil` if the key is absent.
  ///
  /// - Parameter length: The largest length in bytes.
  package func optionalText(
    _ key: String, upTo length: Int = maximumTextLength
  ) throws(RSSIError) -> String? {
    guard let value = value[key] else { return nil }
    guard let text = value.text, !text.isEmpty, text.utf8.count <= length else {
      throw problem(key, "\(key) must be a text in quotes of 1 to \(length) bytes")
    }
    return text
  }

  package func text(
    _ key: String, upTo length: Int = maximumTextLength
  ) throws(RSSIError) -> String {
    guard let text = try optionalText(key, upTo: length) else {
      throw problem(key, "\(key) is missing")
    }
    return text
  }

  /// Returns a list of texts, or `nil` if the key is absent.
  package func optionalTexts(_ key: String) throws(RSSIError) -> [String]? {
    guard let value = value[key] else { return nil }
    guard let texts = value.array?.map(\.text), texts.count <= Self.maximumTextLength,
      !texts.contains(nil)
    else { throw problem(key, "\(key) must be a list of texts in quotes") }
    return texts.compactMap(\.self)
  }
}

/// Returns the text of some bytes, or throws if they are not UTF-8 or contain a zero byte, which
/// TOML does not allow.
private func checkedText(_ bytes: [UInt8], path: String) throws(RSSIError) -> String {
  var bad = bytes.firstIndex(of: 0)
  let span = bytes.span
  do throws(UTF8.ValidationError) {
    _ = try UTF8Span(validating: span)
  } catch {
    bad = min(error.byteOffsets.lowerBound, bad ?? .max)
  }
  if let bad {
    let line = 1 + bytes[..<bad].count { $0 == UInt8(ascii: "\n") }
    throw .badTOML(
      path: path, line: line, problem: "invalid UTF-8, or a zero byte; save the file as UTF-8")
  }
  return String(decoding: bytes, as: UTF8.self)
}
