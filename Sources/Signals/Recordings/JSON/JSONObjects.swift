import Support

/// A source of objects of JSON as bytes, each with the number of the line on which it begins.
protocol ObjectSource: ~Copyable {
  /// The number of the line on which the latest object begins, from 1.
  var number: Int { get }

  /// Passes the next object to a closure, or `nil` for one that is too long; returns `nil` at the
  /// end.
  mutating func next<Result>(_ body: (Span<UInt8>?) throws -> Result) throws -> Result?
}

/// One object per line.
extension Lines: ObjectSource {}

/// The objects of a text of JSON, in constant memory: the elements of arrays, objects one after
/// another, or the elements of one array within an object.
///
/// Elements of other kinds are passed on too, for the caller to reject.
struct JSONObjects: ObjectSource, ~Copyable {
  private(set) var number = 0
  /// The place at which the file ends before an object or an array does; nil for a whole file.
  private(set) var cut: String?

  private var file: FileBlocks
  /// The keys that lead to the array, from the outermost object; empty for outermost objects.
  private let keys: [[UInt8]]
  /// The number of the next byte, from 0, and of its line.
  private var offset = 0
  private var line = 1
  /// The lines on which the open arrays begin.
  private var arrays: [Int] = []
  /// The number of open objects that lead to the array.
  private var level = 0

  init(
    path: String, within keys: [[UInt8]] = [], progress: any ActivityProgress = SilentLog()
  ) throws(RSSIError) {
    var file = try FileBlocks(path: path, progress: progress)
    try file.decodeText()
    if try file.require(3),
      file.withBytes(0..<3, { $0[0] == 0xEF && $0[1] == 0xBB && $0[2] == 0xBF })
    {
      file.skip(3)
      offset = 3
    }
    self.file = file
    self.keys = keys
  }

  mutating func next<Result>(_ body: (Span<UInt8>?) throws -> Result) throws -> Result? {
    while let byte = try peek() {
      if level > 0, arrays.isEmpty {
        try passMember(byte)
        continue
      }
      switch byte {
      case UInt8(ascii: "{") where arrays.isEmpty && !keys.isEmpty:
        level = 1
        pass(1)
      case UInt8(ascii: "{"), UInt8(ascii: "\""): return try takeValue(body)
      case UInt8(ascii: "["):
        guard arrays.count < JSONExtent.maximumDepth, !arrays.isEmpty || keys.isEmpty else {
          throw problem("unexpected \"[\"")
        }
        arrays.append(line)
        pass(1)
      case UInt8(ascii: "]"):
        guard arrays.popLast() != nil else { throw problem("unexpected \"]\"") }
        pass(1)
      case UInt8(ascii: ","): pass(1)
      case UInt8(ascii: "}"), UInt8(ascii: ":"):
        throw problem("unexpected \"\(Character(Unicode.Scalar(byte)))\"")
      default: return try takeWords(body)
      }
    }
    if cut == nil, let first = arrays.first {
      cut = "within the array that begins on line \(first)"
    } else if cut == nil, level > 0 {
      cut = "within its outermost object"
    }
    return nil
  }

  // MARK: - Objects

  private mutating func takeValue<Result>(
    _ body: (Span<UInt8>?) throws -> Result
  ) throws -> Result {
    number = line
    let start = (line: line, byte: offset)
    let extent = try findEnd()
    if !extent.hasEnded {
      guard extent.length <= Lines.maximumLength else {
        throw problem("an object does not end", line: start.line, byte: start.byte)
      }
      cut = "within the object that begins on line \(start.line) (byte \(start.byte))"
    }
    defer { endValue(extent, from: start.byte) }
    guard extent.length <= Lines.maximumLength else { return try body(nil) }
    return try file.withBytes(0..<extent.length) { try body($0) }
  }

  /// Passes on other bytes, up to the next bracket, quote, comma or line break.
  private mutating func takeWords<Result>(
    _ body: (Span<UInt8>?) throws -> Result
  ) throws -> Result {
    number = line
    var length = 1
    var isLong = false
    while try file.require(length + 1) {
      let found = file.withBytes(0..<file.available) { bytes in
        (length..<bytes.count).first { ",[]{}\"\n".utf8.contains(bytes[$0]) }
      }
      length = found ?? file.available
      if found != nil { break }
      if length > Lines.maximumLength {
        isLong = true
        pass(length)
        length = 0
      }
    }
    defer { pass(length) }
    return isLong ? try body(nil) : try file.withBytes(0..<length) { try body($0) }
  }

  /// Finds the end of the value that begins at the next byte. A value that is longer than the
  /// longest object is passed while it is searched, up to what the window holds of its end.
  private mutating func findEnd() throws -> JSONExtent {
    let start = (line: line, byte: offset)
    var extent = JSONExtent()
    var searched = 0
    while true {
      file.withBytes(searched..<file.available) { extent.pass(over: $0) }
      if let words = extent.problem {
        throw problem(words, line: start.line + extent.lines, byte: start.byte + extent.length)
      }
      if extent.hasEnded { return extent }
      searched = file.available
      if searched > Lines.maximumLength {
        pass(searched)
        searched = 0
      }
      guard try file.require(searched + 1) else { return extent }
    }
  }

  /// Moves behind a value of which the first bytes may have been passed.
  private mutating func endValue(_ extent: JSONExtent, from start: Int) {
    line += extent.lines
    pass(start + extent.length - offset)
  }

  // MARK: - The way to an array within an object

  /// Passes a part of an object that leads to the array.
  private mutating func passMember(_ byte: UInt8) throws {
    switch byte {
    case UInt8(ascii: ","): pass(1)
    case UInt8(ascii: "}"):
      level -= 1
      pass(1)
    case UInt8(ascii: "\""):
      let key = try takeKey()
      let value = try peek()
      let isWanted = key == keys[level - 1]
      if isWanted, level == keys.count, value == UInt8(ascii: "[") {
        arrays.append(line)
        pass(1)
      } else if isWanted, level < keys.count, value == UInt8(ascii: "{") {
        level += 1
        pass(1)
      } else {
        try passValue()
      }
    default: throw problem("expected a key, found \"\(Character(Unicode.Scalar(byte)))\"")
    }
  }

  /// Passes a key and its colon, and returns it as it is written.
  private mutating func takeKey() throws -> [UInt8] {
    let start = offset
    let extent = try findEnd()
    guard extent.length <= Lines.maximumLength else { throw problem("a key is too long") }
    let key = file.withBytes(0..<extent.length) { bytes in
      bytes.indices.dropFirst().dropLast().map { bytes[$0] }
    }
    endValue(extent, from: start)
    guard let colon = try peek() else { return key }
    guard colon == UInt8(ascii: ":") else { throw problem("expected \":\"") }
    pass(1)
    return key
  }

  private mutating func passValue() throws {
    guard let byte = try peek() else { return }
    if "{[\"".utf8.contains(byte) {
      let start = offset
      endValue(try findEnd(), from: start)
    } else {
      while let byte = try peek(), !",}]{[\":".utf8.contains(byte) { pass(1) }
    }
  }

  /// An array of objects within an object.
  struct Place {
    /// The keys that lead to it, from the outermost object.
    var keys: [[UInt8]]
    /// Its first object.
    var first: [UInt8]

    var name: String {
      keys.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
    }
  }

  /// The largest number of arrays that are listed, and of the objects around one.
  private static let (mostPlaces, mostKeys) = (64, 8)

  /// Returns the arrays of objects within the first object of a file.
  static func places(in path: String) throws -> [Place] {
    var text = try JSONObjects(path: path)
    guard try text.peek() == UInt8(ascii: "{") else { return [] }
    text.pass(1)
    var found: [Place] = []
    var keys: [[UInt8]] = []
    while let byte = try text.peek() {
      switch byte {
      case UInt8(ascii: ","): text.pass(1)
      case UInt8(ascii: "}"):
        text.pass(1)
        if keys.popLast() == nil { return found }
      case UInt8(ascii: "\""):
        let key = try text.takeKey()
        let value = try text.peek()
        if value == UInt8(ascii: "{"), keys.count < mostKeys {
          keys.append(key)
          text.pass(1)
          continue
        }
        if value == UInt8(ascii: "["), let first = try text.firstElement(), found.count < mostPlaces
        {
          found.append(Place(keys: keys + [key], first: first))
        }
        try text.passValue()
      default: throw text.problem("expected a key, found \"\(Character(Unicode.Scalar(byte)))\"")
      }
    }
    return found
  }

  /// Returns the first element of the array at the next byte, if it is an object of the longest
  /// length at most, without passing it.
  private mutating func firstElement() throws(RSSIError) -> [UInt8]? {
    _ = try file.require(min(file.capacity, 2 * Lines.maximumLength))
    return file.withBytes(0..<file.available) { bytes in
      let start = bytes.indices.dropFirst().first { bytes[$0] > 0x20 }
      guard let start, bytes[start] == UInt8(ascii: "{") else { return nil }
      var extent = JSONExtent()
      extent.pass(over: bytes.extracting(start..<bytes.count))
      guard extent.hasEnded, extent.length <= Lines.maximumLength else { return nil }
      return (start..<start + extent.length).map { bytes[$0] }
    }
  }

  // MARK: - Bytes

  /// Passes spaces, and returns the byte behind them; nil at the end.
  private mutating func peek() throws(RSSIError) -> UInt8? {
    while try file.require(1) {
      let (spaces, lines, byte) = file.withBytes(0..<file.available) { bytes in
        var lines = 0
        for place in bytes.indices {
          let byte = bytes[place]
          if byte == UInt8(ascii: "\n") {
            lines += 1
          } else if byte != 0x20, byte != 0x09, byte != 0x0D {
            return (place, lines, byte as UInt8?)
          }
        }
        return (bytes.count, lines, nil)
      }
      pass(spaces)
      line += lines
      if byte != nil { return byte }
    }
    return nil
  }

  private mutating func pass(_ count: Int) {
    offset += count
    file.skip(count)
  }

  private func problem(_ words: String, line: Int? = nil, byte: Int? = nil) -> RSSIError {
    .badTable(
      path: file.path, problem: "line \(line ?? self.line) (byte \(byte ?? offset)): \(words)",
      advice: "check that the file is whole: `python3 -m json.tool \(file.path)`")
  }
}
