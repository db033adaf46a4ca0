/// A search for the end of one JSON value: an object, an array or a string.
///
/// Only brackets and strings are followed, which is enough to cut a text into values. A bracket or
/// a quote at a place where none can be is found at once, so that an error names its place instead
/// of the end of the file.
struct JSONExtent {
  /// The largest depth of a value.
  static let maximumDepth = 1000

  /// The number of bytes passed; of the value, once it has ended.
  private(set) var length = 0
  /// The number of line breaks passed.
  private(set) var lines = 0
  /// The problem of the byte behind those passed; nil if there is none.
  private(set) var problem: String?
  private(set) var hasEnded = false

  /// The brackets that close the open objects and arrays.
  private var closers: [UInt8] = []
  private var isText = false
  private var isEscaped = false
  /// The latest byte, and the latest that is not space.
  private var previous: UInt8 = 0
  private var last: UInt8 = 0

  /// Continues with the next bytes, up to the end of the value or a problem.
  mutating func pass(over bytes: Span<UInt8>) {
    var place = 0
    while place < bytes.count, !hasEnded, problem == nil {
      if isText {
        passText(bytes, &place)
      } else {
        step(bytes[place])
        guard problem == nil else { break }
        place += 1
      }
    }
    length += place
  }

  private mutating func step(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["): open(byte)
    case UInt8(ascii: "}"), UInt8(ascii: "]"): close(byte)
    case UInt8(ascii: "\""):
      // A quote within a word was forgotten before it.
      let isWord = (48...57).contains(previous) || (97...122).contains(previous | 0x20)
      if isWord {
        problem = "unexpected quote"
        return
      }
      (isText, last) = (true, byte)
    case UInt8(ascii: "\n"): lines += 1
    case 0x20, 0x09, 0x0D: break
    default: last = byte
    }
    previous = byte
  }

  private mutating func open(_ byte: UInt8) {
    let isObject = byte == UInt8(ascii: "{")
    switch closers.last {
    case UInt8(ascii: "}") where last != UInt8(ascii: ":"),
      UInt8(ascii: "]") where last != UInt8(ascii: "[") && last != UInt8(ascii: ","):
      problem = "unexpected \"\(isObject ? "{" : "[")\""
      return
    default: break
    }
    guard closers.count < Self.maximumDepth else {
      problem = "nested deeper than \(Self.maximumDepth) levels"
      return
    }
    closers.append(UInt8(ascii: isObject ? "}" : "]"))
    last = byte
  }

  private mutating func close(_ byte: UInt8) {
    guard closers.last == byte else {
      let expected = closers.last.map { ", expected \"\(Character(Unicode.Scalar($0)))\"" } ?? ""
      problem = "unexpected \"\(Character(Unicode.Scalar(byte)))\"\(expected)"
      return
    }
    closers.removeLast()
    last = byte
    hasEnded = closers.isEmpty
  }

  /// Passes the rest of a string, or as much of it as there is.
  private mutating func passText(_ bytes: Span<UInt8>, _ place: inout Int) {
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\n") {
        problem = "a string does not end on its line"
        return
      }
      place += 1
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        (isText, previous, hasEnded) = (false, byte, closers.isEmpty)
        return
      }
    }
  }
}
