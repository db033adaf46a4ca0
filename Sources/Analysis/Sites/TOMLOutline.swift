import Geometry
import Support

/// The lines of tables and keys in a TOML document, which the parser does not keep.
///
/// It is built before toml++ parses the text, and also rejects input that toml++ would truncate or
/// not survive: zero characters, at which it ends the text; nesting that overflows the stack,
/// including dotted keys; and headers without a name and misplaced brackets, which fail an
/// assertion in its parser. Other invalid TOML ends the outline, and the parser reports it.
struct TOMLOutline {
  /// A table of an array of tables, or the table of a header.
  struct Entry {
    var line: Int
    /// The line of each key, as written.
    var keys: [String: Int] = [:]
  }

  /// The largest nesting depth of arrays, brackets and braces.
  static let maximumNesting = 8

  /// The tables of each name, in order; the text before the first header has an empty name.
  private(set) var entries: [String: [Entry]] = ["": [Entry(line: 1)]]

  private let bytes: [UInt8]
  private let path: String
  private var place = 0
  private var line = 1
  /// The open brackets and braces.
  private var nesting: [UInt8] = []
  /// The current header, to which keys outside of values belong.
  private var header = ""
  /// The key of the current value; its inline tables are its entries.
  private var key = ""
  /// The current token, which may be a key, followed by a flag that a header may start here.
  private var token = ""
  private var beginsStatement = true
  private var dots = 0

  /// - Throws: `RSSIError.badTOML`.
  init(_ bytes: [UInt8], path: String) throws(RSSIError) {
    self.bytes = bytes
    self.path = path
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    while place < bytes.count {
      guard try step() else { break }
    }
  }

  /// Returns the line of a table, or an approximation of it.
  func line(of name: String, _ index: Int) -> Int {
    guard let list = entries[name], index < list.count else {
      return entries[""]?[0].keys[name] ?? 1
    }
    return list[index].line
  }

  /// Returns the line of a key in a table, or that of the table.
  func line(of key: String, in name: String, _ index: Int) -> Int {
    guard let list = entries[name], index < list.count else { return line(of: name, index) }
    return list[index].keys[key] ?? list[index].line
  }

  private func problem(_ words: String) -> RSSIError {
    .badTOML(path: path, line: line, problem: words)
  }

  /// Processes one token; returns `false` if the text is not TOML.
  private mutating func step() throws(RSSIError) -> Bool {
    let byte = bytes[place]
    switch byte {
    case UInt8(ascii: "\n"):
      line += 1
      if nesting.isEmpty { beginsStatement = true }
      endToken()
    case UInt8(ascii: "#"):
      while place + 1 < bytes.count, bytes[place + 1] != UInt8(ascii: "\n") {
        place += 1
      }
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return try takeString(byte)
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      if byte == UInt8(ascii: "["), beginsStatement { return try takeHeader() }
      try open(byte)
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      // In ASCII the code of an opening bracket is two less than that of its closing one.
      guard nesting.popLast() == byte - 2 else {
        throw problem("unmatched closing bracket")
      }
      endToken()
    case UInt8(ascii: ","): endToken()
    case UInt8(ascii: "="): try takeKey()
    case 0x80...:
      throw problem("non-ASCII character outside quotes; put texts in quotes")
    default:
      token.unicodeScalars.append(Unicode.Scalar(byte))
      beginsStatement = false
      if byte == UInt8(ascii: ".") { dots += 1 }
      // A number has one dot; more of them nest tables as deep as the text is long.
      if dots > 1 { throw dottedKey }
    }
    place += 1
    return true
  }

  private mutating func endToken() {
    token = ""
    dots = 0
  }

  private var dottedKey: RSSIError {
    problem("unexpected dotted key; use a plain key or put the text in quotes")
  }

  private mutating func open(_ bracket: UInt8) throws(RSSIError) {
    nesting.append(bracket)
    guard nesting.count <= Self.maximumNesting else {
      throw problem("brackets are nested more than \(Self.maximumNesting) deep")
    }
    if nesting == [UInt8(ascii: "["), UInt8(ascii: "{")], header.isEmpty {
      entries[key, default: []].append(Entry(line: line))
    }
    endToken()
  }

  private mutating func takeKey() throws(RSSIError) {
    guard dots == 0 else { throw dottedKey }
    if nesting.isEmpty {
      entries[header]![entries[header]!.count - 1].keys[token] = line
      key = token
    } else if nesting == [UInt8(ascii: "["), UInt8(ascii: "{")], header.isEmpty {
      entries[key]![entries[key]!.count - 1].keys[token] = line
    }
    endToken()
  }

  /// Parses `[name]` or `[[name]]`.
  private mutating func takeHeader() throws(RSSIError) -> Bool {
    beginsStatement = false
    endToken()
    let start = place
    while place < bytes.count, place < start + 2, bytes[place] == UInt8(ascii: "[") { place += 1 }
    let brackets = place - start
    skipBlanks()
    let first = place < bytes.count ? bytes[place] : 0
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      guard try takeString(first) else { return false }
    } else {
      while place < bytes.count, Self.isBareKey(bytes[place]) {
        token.unicodeScalars.append(Unicode.Scalar(bytes[place]))
        place += 1
      }
    }
    skipBlanks()
    if place < bytes.count, bytes[place] == UInt8(ascii: ".") { throw dottedKey }
    let end = bytes[place...].prefix(brackets)
    guard !token.isEmpty, end.count == brackets, end.allSatisfy({ $0 == UInt8(ascii: "]") }) else {
      throw problem("invalid header (example: [[walls]])")
    }
    place += brackets
    header = token
    entries[header, default: []].append(Entry(line: line))
    endToken()
    return true
  }

  private mutating func skipBlanks() {
    while place < bytes.count, " \t".utf8.contains(bytes[place]) { place += 1 }
  }

  private static func isBareKey(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Parses a string of any of the four forms, which may be a key, and moves past it.
  private mutating func takeString(_ quote: UInt8) throws(RSSIError) -> Bool {
    beginsStatement = false
    let hasThree = place + 2 < bytes.count && bytes[place + 1] == quote && bytes[place + 2] == quote
    place += hasThree ? 3 : 1
    let start = place
    while place < bytes.count {
      let byte = bytes[place]
      if byte == quote {
        guard hasThree else {
          token += String(decoding: bytes[start..<place], as: UTF8.self)
          place += 1
          return true
        }
        // Up to two quotes may precede the three that end the string.
        let count = bytes[place...].prefix(5).prefix { $0 == quote }.count
        place += count
        if count >= 3 { return true }
        continue
      }
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        let rest = bytes[(place + 1)...].prefix(9)
        if rest.starts(with: "u0000".utf8) || rest.starts(with: "U00000000".utf8) {
          throw problem("a text contains a zero character; remove it")
        }
        place += 1
        if place == bytes.count { return false }
      }
      if bytes[place] == UInt8(ascii: "\n") {
        if !hasThree { return false }
        line += 1
      }
      place += 1
    }
    return false
  }
}
