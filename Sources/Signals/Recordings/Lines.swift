import Support

/// The lines of a text file, one at a time, in constant memory.
struct Lines: ~Copyable {
  /// A line longer than this is refused: no table or stream of sightings has one.
  static let maximumLength = 1 << 16

  private var file: FileBlocks
  /// Number of the line handed over last, from 1; of several joined ones that of the first.
  private(set) var number = 0
  private var nextNumber = 1
  private var atStart = true
  private let joinsQuoted: Bool

  /// - Parameters:
  ///   - joinsQuoted: whether a line goes on behind a break that is within a quoted field.
  ///   - progress: receives how many bytes were read.
  init(
    path: String, joinsQuoted: Bool = false, progress: any ActivityProgress = SilentLog()
  ) throws(RSSIError) {
    file = try FileBlocks(path: path, progress: progress)
    self.joinsQuoted = joinsQuoted
  }

  /// Whether a whole line is in memory.
  var hasLine: Bool {
    file.withBytes(0..<file.available) { $0.firstNewline } != nil
  }

  /// Waits for more of the file; true where nothing came within so many nanoseconds.
  func isQuiet(forNanoseconds time: Int64) -> Bool { file.isQuiet(forNanoseconds: time) }

  /// Hands over the next line without its end; nil after the last.
  ///
  /// - Parameter body: gets the line, or nil in place of one that is too long.
  mutating func next<Result>(_ body: (Span<UInt8>?) throws -> Result) throws -> Result? {
    if atStart {
      atStart = false
      // A byte order mark is not part of the first name.
      if try file.require(3),
        file.withBytes(0..<3, { $0[0] == 0xEF && $0[1] == 0xBB && $0[2] == 0xBF })
      {
        file.skip(3)
      }
    }
    guard var length = try lengthOfLine() else { return nil }
    number = nextNumber
    nextNumber += 1
    guard length <= Self.maximumLength else {
      try skipLine()
      return try body(nil)
    }
    if joinsQuoted, let joined = try lengthOfQuotedRow(from: length) {
      nextNumber += file.withBytes(length..<joined) { $0.newlines }
      length = joined
    }
    defer { file.skip(length + 1) }
    return try file.withBytes(0..<length) { try body($0.extracting(0..<$0.lineLength)) }
  }

  /// The bytes up to the next line break or the end; more than the maximum where it is further off.
  private mutating func lengthOfLine() throws(RSSIError) -> Int? {
    var searched = 0
    while true {
      if let end = file.withBytes(searched..<file.available, { $0.firstNewline }) {
        return searched + end
      }
      searched = file.available
      if searched > Self.maximumLength { return searched }
      guard try file.require(searched + 1) else { return searched > 0 ? searched : nil }
    }
  }

  /// The bytes of the row whose first line has so many, where a quoted field of it has line breaks;
  /// nil where none has, or where its quotes do not match, so that only the first line is refused.
  private mutating func lengthOfQuotedRow(from length: Int) throws(RSSIError) -> Int? {
    guard file.withBytes(0..<length, { $0.hasQuote }) else { return nil }
    var scan = QuoteScan()
    var searched = 0
    while true {
      file.withBytes(searched..<file.available) { scan.pass(over: $0) }
      if let end = scan.end {
        return end > length && end <= Self.maximumLength ? end : nil
      }
      searched = file.available
      if scan.isBad || searched > Self.maximumLength { return nil }
      guard try file.require(searched + 1) else { return scan.isOpen ? nil : searched }
    }
  }

  private mutating func skipLine() throws(RSSIError) {
    while true {
      if let end = file.withBytes(0..<file.available, { $0.firstNewline }) {
        file.skip(end + 1)
        return
      }
      file.skip(file.available)
      guard try file.require(1) else { return }
    }
  }
}

extension Span<UInt8> {
  fileprivate var firstNewline: Int? {
    var start = 0
    // Blocks without a way out of the loop, for the compiler compares many of their bytes at once.
    while start + 32 <= count, !extracting(start..<start + 32).has(UInt8(ascii: "\n")) {
      start += 32
    }
    for i in start..<count where self[i] == UInt8(ascii: "\n") { return i }
    return nil
  }

  fileprivate var newlines: Int {
    var count = 0
    for i in indices where self[i] == UInt8(ascii: "\n") { count += 1 }
    return count
  }

  fileprivate var hasQuote: Bool { has(UInt8(ascii: "\"")) }

  @inline(__always)
  private func has(_ byte: UInt8) -> Bool {
    var found: UInt8 = 0
    for i in indices { found |= self[i] == byte ? 1 : 0 }
    return found != 0
  }

  /// The length without a carriage return at the end.
  fileprivate var lineLength: Int {
    count > 0 && self[count - 1] == UInt8(ascii: "\r") ? count - 1 : count
  }
}
