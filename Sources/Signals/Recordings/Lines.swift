internal import CBytes
import Glibc
import Support

/// The lines of a text file, one at a time, in constant memory.
struct Lines: ~Copyable {
  /// The longest allowed line in bytes, far above that of any table or stream of sightings.
  static let maximumLength = 1 << 16

  private var file: FileBlocks
  /// The number of the latest line, from 1; for several joined lines that of the first.
  private(set) var number = 0
  private var nextNumber = 1
  private var atStart = true
  private let joinsQuoted: Bool
  private let separator: UInt8
  /// The number of the next bytes that are known to contain quotes.
  private var quotedLength = 0

  /// - Parameters:
  ///   - capacity: the bytes in memory, at least those of the longest line.
  ///   - joinsQuoted: whether a line goes on behind a break that is within a quoted field.
  ///   - separator: the byte between two fields.
  ///   - progress: receives how many bytes were read.
  init(
    path: String, capacity: Int = 1 << 18, joinsQuoted: Bool = false,
    separator: UInt8 = UInt8(ascii: ","), progress: any ActivityProgress = SilentLog()
  ) throws(RSSIError) {
    var file = try FileBlocks(path: path, capacity: capacity, progress: progress)
    // A stream is not waited for.
    if path != "-" { try file.decodeText() }
    self.file = file
    self.joinsQuoted = joinsQuoted
    self.separator = separator
  }

  /// A Boolean value that is true if a whole line is in memory.
  var hasLine: Bool {
    file.withBytes(0..<file.available) { $0.firstNewline } != nil
  }

  /// Waits for more data; returns `true` if none arrived within a time in nanoseconds.
  func isQuiet(forNanoseconds time: Int64) -> Bool { file.isQuiet(forNanoseconds: time) }

  /// Passes the next line without its end to a closure; returns `nil` after the last.
  ///
  /// - Parameter body: A closure that receives the line, or `nil` for one that is too long.
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
    defer { skip(length + 1) }
    return try file.withBytes(0..<length) { try body($0.extracting(0..<$0.lineLength)) }
  }

  /// Takes all complete lines in memory after the first, without counting them, or returns `nil` if
  /// the next line must be taken alone, because it is the last or there are quotes in it or in one
  /// of those.
  ///
  /// - Parameter bytes: The memory in which to go on; receives that with the lines.
  /// - Returns: The place of the lines in it.
  mutating func wholeRows(exchanging bytes: inout [UInt8]) throws(RSSIError) -> Range<Int>? {
    guard quotedLength == 0 else { return nil }
    while file.available < file.capacity, try file.require(file.available + 1) {}
    guard let last = file.withBytes(0..<file.available, { $0.lastNewline }) else { return nil }
    guard !file.withBytes(0..<last, { $0.hasQuote }) else {
      quotedLength = last + 1
      return nil
    }
    return file.takeWindow(last + 1, exchanging: &bytes)
  }

  /// Counts the lines of complete rows, as their reader reports.
  ///
  /// - Returns: The number of the first of them.
  mutating func number(lines count: Int) -> Int {
    defer { nextNumber += count }
    return nextNumber
  }

  private mutating func skip(_ count: Int) {
    quotedLength = max(0, quotedLength - count)
    file.skip(count)
  }

  /// Returns the number of bytes up to the next line break or the end; more than the maximum if it
  /// is farther.
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

  /// Returns the number of bytes of a row that starts with a line of a given length, if a quoted
  /// field has line breaks, or `nil` if none has, or its quotes do not match, so that only the
  /// first line is rejected.
  private mutating func lengthOfQuotedRow(from length: Int) throws(RSSIError) -> Int? {
    guard file.withBytes(0..<length, { $0.hasQuote }) else { return nil }
    var scan = QuoteScan(separator: separator)
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
        skip(end + 1)
        return
      }
      skip(file.available)
      guard try file.require(1) else { return }
    }
  }
}

/// The places of separators and line breaks in bytes, found in blocks of 64.
struct FieldEnds {
  private let separator: UInt8
  /// The start of the next block.
  private var block: Int
  /// The places in the block before it that were not returned yet, as bits.
  private var places: UInt64 = 0

  init(_ separator: UInt8, from start: Int) { (self.separator, block) = (separator, start) }

  /// Returns the next place, of which there must be one, in the same bytes as before.
  ///
  /// - Parameter bytes: At least 64 bytes.
  @inline(__always)
  mutating func next(in bytes: Span<UInt8>) -> Int {
    while places == 0 { find(in: bytes) }
    defer { places &= places - 1 }
    return block - 64 + places.trailingZeroBitCount
  }

  @inline(__always)
  private mutating func find(in bytes: Span<UInt8>) {
    precondition(block < bytes.count, "expected a line break")
    // The last block overlaps the one before it.
    let start = min(block, bytes.count - 64)
    let found = bytes.extracting(start..<start + 64).withUnsafeBufferPointer {
      cbytes_places($0.baseAddress, separator, UInt8(ascii: "\n"))
    }
    places = found >> UInt64(block - start)
    block += 64
  }
}

extension Span<UInt8> {
  fileprivate var firstNewline: Int? { first(UInt8(ascii: "\n")) }

  fileprivate var lastNewline: Int? {
    withUnsafeBufferPointer { $0.lastIndex(of: UInt8(ascii: "\n")) }
  }

  fileprivate var hasQuote: Bool { first(UInt8(ascii: "\"")) != nil }

  /// Returns the first position of a byte; the C library compares many at once.
  private func first(_ byte: UInt8) -> Int? {
    withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress,
        let found = memchr(start, Int32(byte), bytes.count)
      else { return nil }
      return UnsafeRawPointer(found) - start
    }
  }

  fileprivate var newlines: Int {
    var count = 0
    for i in indices where self[i] == UInt8(ascii: "\n") { count += 1 }
    return count
  }

  /// The length without a carriage return at the end.
  fileprivate var lineLength: Int {
    count > 0 && self[count - 1] == UInt8(ascii: "\r") ? count - 1 : count
  }
}

/// A search for the end of a CSV row whose quoted fields may contain line breaks (RFC 4180).
struct QuoteScan {
  private enum State { case fieldStart, plain, quoted, afterQuote, afterReturn }

  private let separator: UInt8
  private var state = State.fieldStart
  private var passed = 0
  /// The position of the line break after the row, from the first scanned byte.
  private(set) var end: Int?
  /// A Boolean value that is true if a quoted field is followed by something other than a comma or
  /// the end.
  private(set) var isBad = false
  /// A Boolean value that is true if a quoted field is still open.
  var isOpen: Bool { state == .quoted }

  init(separator: UInt8 = UInt8(ascii: ",")) { self.separator = separator }

  /// Continues with the next bytes.
  mutating func pass(over bytes: Span<UInt8>) {
    for i in bytes.indices {
      if end != nil || isBad { return }
      step(bytes[i])
      passed += 1
    }
  }

  private mutating func step(_ byte: UInt8) {
    switch (state, byte) {
    case (.quoted, UInt8(ascii: "\"")): state = .afterQuote
    case (.quoted, _): break
    case (_, UInt8(ascii: "\n")): end = passed
    case (.fieldStart, UInt8(ascii: "\"")), (.afterQuote, UInt8(ascii: "\"")): state = .quoted
    case (.fieldStart, separator), (.plain, separator), (.afterQuote, separator):
      state = .fieldStart
    case (.fieldStart, _), (.plain, _): state = .plain
    case (.afterQuote, UInt8(ascii: "\r")): state = .afterReturn
    case (.afterQuote, _), (.afterReturn, _): isBad = true
    }
  }
}
