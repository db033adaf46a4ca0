internal import CTOML
package import Support

/// A value of a TOML 1.0 document, parsed with toml++.
package enum TOMLValue {
  /// The keys in alphabetical order.
  case table([(key: String, value: TOMLValue)])
  case array([TOMLValue])
  case text(String)
  /// An integer or a floating-point number.
  case number(Double)
  /// True or false.
  case flag(Bool)
  /// A date or a time.
  case other

  /// - Parameter path: The name of the file for messages.
  /// - Throws: `RSSIError` with the line of invalid TOML.
  package init(_ text: String, path: String) throws(RSSIError) {
    var text = text
    var line: UInt32 = 0
    let parsed = text.withUTF8 { bytes in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 201) { reason in
        bytes.withMemoryRebound(to: CChar.self) { bytes in
          ctoml_parse(bytes.baseAddress, bytes.count, &line, reason.baseAddress, reason.count)
            .map(Result<OpaquePointer, TOMLFailure>.success)
            ?? .failure(TOMLFailure(reason: String(cString: reason.baseAddress!)))
        }
      }
    }
    switch parsed {
    case .failure(let failure):
      let reason = failure.reason.split(separator: "\n").joined(separator: " ")
      throw .badTOML(path: path, line: Int(line), problem: "invalid TOML: \(reason)")
    case .success(let document):
      defer { ctoml_free(document) }
      var count = 0
      let nodes = ctoml_nodes(document, &count)
      self = TOMLValue(UnsafeBufferPointer(start: nodes, count: count), at: 0)
    }
  }

  private init(_ nodes: UnsafeBufferPointer<ctoml_node>, at index: Int) {
    let node = nodes[index]
    switch node.kind {
    case CTOML_TEXT: self = .text(String(node.text, node.text_length))
    case CTOML_NUMBER: self = .number(node.number)
    case CTOML_FLAG: self = .flag(node.number != 0)
    case CTOML_TABLE, CTOML_ARRAY:
      var members: [(key: String, value: TOMLValue)] = []
      var place = index + 1
      while place < node.end {
        let member = nodes[place]
        members.append((String(member.key, member.key_length), TOMLValue(nodes, at: place)))
        place = member.end
      }
      self = node.kind == CTOML_TABLE ? .table(members) : .array(members.map(\.value))
    default: self = .other
    }
  }

  /// Returns the value of a key in a table.
  package subscript(key: String) -> TOMLValue? {
    guard case .table(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  package var keys: [String] {
    guard case .table(let members) = self else { return [] }
    return members.map(\.key)
  }

  package var array: [TOMLValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  package var text: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }

  package var number: Double? {
    guard case .number(let number) = self else { return nil }
    return number
  }

  package var flag: Bool? {
    guard case .flag(let flag) = self else { return nil }
    return flag
  }

  package var isTable: Bool {
    guard case .table = self else { return false }
    return true
  }
}

private struct TOMLFailure: Error { let reason: String }

extension String {
  /// Creates a string from C text that is not terminated.
  fileprivate init(_ start: UnsafePointer<CChar>?, _ length: Int) {
    let bytes = UnsafeRawBufferPointer(start: start, count: length)
    self.init(decoding: bytes, as: UTF8.self)
  }
}
