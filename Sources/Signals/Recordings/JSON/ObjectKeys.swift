import Support

/// The keys of objects that are columns of a table. A nested key is joined by dots, as in
/// `data.rssi`.
struct ObjectKeys {
  private let wanted: [(index: Int, name: [UInt8])]
  private let width: Int

  /// - Parameters:
  ///   - names: The keys of all columns.
  ///   - indices: The columns to read.
  init(_ names: [String], _ indices: [Int]) {
    width = names.count
    wanted = indices.filter(names.indices.contains).map { ($0, Array(names[$0].utf8)) }
  }

  /// Writes the values of an object, one field per column; those that it does not have are empty.
  func write(_ document: JSONDocument, into bytes: inout [UInt8], _ fields: inout [Range<Int>]) {
    let (nodes, text) = (document.nodes, document.bytes)
    bytes.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
    fields.append(contentsOf: repeatElement(0..<0, count: width))
    for (index, name) in wanted {
      guard let found = Self.find(name, from: 0, in: 0, nodes, text) else { continue }
      let start = bytes.count
      Self.append(nodes[found], text, to: &bytes)
      fields[index] = start..<bytes.count
    }
  }

  /// Appends a value as a field of a table; an object or an array belongs to no column.
  private static func append(
    _ node: JSONDocument.Node, _ text: [UInt8], to bytes: inout [UInt8]
  ) {
    switch node.kind {
    case .string, .number: bytes.append(contentsOf: text[node.text])
    case .true: bytes.append(contentsOf: "true".utf8)
    case .false: bytes.append(contentsOf: "false".utf8)
    case .object: bytes.append(contentsOf: "{…}".utf8)
    case .array: bytes.append(contentsOf: "[…]".utf8)
    case .null: break
    }
  }

  /// Returns the last value with a name, of which a part was found around the object.
  private static func find(
    _ name: [UInt8], from start: Int, in object: Int, _ nodes: [JSONDocument.Node], _ text: [UInt8]
  ) -> Int? {
    var found: Int?
    var index = object + 1
    while index < nodes[object].end {
      let own = nodes[index].name
      let end = start + own.count
      if end <= name.count, equal(text, own, name, start) {
        if end == name.count {
          found = index
        } else if name[end] == UInt8(ascii: "."), nodes[index].kind == .object {
          found = find(name, from: end + 1, in: index, nodes, text) ?? found
        }
      }
      index = nodes[index].end
    }
    return found
  }

  private static func equal(
    _ text: [UInt8], _ range: Range<Int>, _ name: [UInt8], _ start: Int
  ) -> Bool {
    for place in 0..<range.count where text[range.lowerBound + place] != name[start + place] {
      return false
    }
    return true
  }

  /// Returns the value of a key as a field; nil for an object without it.
  static func value(of key: String, in document: JSONDocument) -> String? {
    guard let found = find(Array(key.utf8), from: 0, in: 0, document.nodes, document.bytes) else {
      return nil
    }
    var bytes: [UInt8] = []
    append(document.nodes[found], document.bytes, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The largest depth of objects whose members are columns.
  private static let maximumDepth = 8

  /// The names of members with values of some types.
  struct Types {
    /// Members that are strings.
    var texts: Set<String> = []
    /// Members that are arrays, or objects that are empty or too deep.
    var containers: Set<String> = []
  }

  /// Returns the members of an object with their values as fields, nested ones by dotted names.
  static func fields(
    of document: JSONDocument, _ types: inout Types
  ) -> [(name: String, value: String)] {
    var found: [(String, String)] = []
    var open: [(prefix: String, end: Int)] = [("", document.nodes[0].end)]
    var index = 1
    while index < document.nodes[0].end {
      while let last = open.last, index >= last.end { open.removeLast() }
      let node = document.nodes[index]
      let name =
        (open.last?.prefix ?? "") + String(decoding: document.bytes[node.name], as: UTF8.self)
      if node.kind == .object, node.end > index + 1, open.count < maximumDepth {
        open.append((name + ".", node.end))
        index += 1
        continue
      }
      var bytes: [UInt8] = []
      append(node, document.bytes, to: &bytes)
      if node.kind == .string { types.texts.insert(name) }
      if node.kind == .array || node.kind == .object { types.containers.insert(name) }
      found.append((name, String(decoding: bytes, as: UTF8.self)))
      index = node.end
    }
    return found
  }
}

/// The keys of objects that those of a sample did not have.
struct LaterKeys {
  /// The keys, in the order of their first objects.
  private(set) var names: [String] = []
  private let known: Set<String>
  /// The sets of keys so far, by a number for each.
  private var seen: Set<UInt64> = []

  private static let (mostNames, mostSets) = (12, 1024)

  init(known: [String]) { self.known = Set(known) }

  /// Notes the keys of an object, unless another had the same.
  mutating func note(_ document: JSONDocument) {
    guard seen.count < Self.mostSets else { return }
    let (nodes, bytes) = (document.nodes, document.bytes)
    var mark: UInt64 = 0
    for node in nodes where !node.name.isEmpty {
      let key = UInt64(bytes[node.name.lowerBound]) << 16 | UInt64(node.name.count)
      mark = (mark ^ key) &* 0x9E37_79B9_7F4A_7C15
    }
    guard seen.insert(mark).inserted else { return }
    var types = ObjectKeys.Types()
    for (name, _) in ObjectKeys.fields(of: document, &types)
    where !known.contains(name) && !names.contains(name) && names.count < Self.mostNames {
      names.append(name)
    }
  }

  /// A sentence for users; nil if there are no such keys.
  var sentence: String? {
    guard !names.isEmpty else { return nil }
    return "not read: \(names.count == 1 ? "key" : "keys") "
      + names.map { "\"\($0)\"" }.joined(separator: ", ")
      + "; name in `columns` what is needed"
  }
}
