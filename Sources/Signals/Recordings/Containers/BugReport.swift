import Glibc
import Support

/// The text of a bug report of Android, with the recent Bluetooth packets as a btsnooz log in
/// base64.
enum BugReport {
  private static let begin = Array("--- BEGIN:BTSNOOP_LOG_SUMMARY".utf8)
  private static let end = Array("--- END:BTSNOOP_LOG_SUMMARY".utf8)
  /// The longest log in base64; Android keeps 256 KiB.
  private static let mostBytes = 1 << 24

  /// Returns a Boolean value that is true if a file begins as a bug report does.
  static func recognizes(_ head: [UInt8]) -> Bool {
    head.starts(with: Array("====".utf8))
      && place(of: Array("\n== dumpstate: ".utf8), in: head) != nil
  }

  /// Reads a bug report up to the end of its log.
  ///
  /// - Parameters:
  ///   - path: The file, for errors.
  ///   - read: A closure that fills a buffer and returns the number of bytes, 0 at the end.
  /// - Returns: The log as a btsnoop file, or `nil` if there is none.
  static func recording(
    of path: String,
    _ read: (UnsafeMutableRawBufferPointer) throws(RSSIError) -> Int
  ) throws(RSSIError) -> [UInt8]? {
    var text: [UInt8] = []
    var hasBegun = false
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if !hasBegun, let start = place(of: begin, in: text),
        let line = text[start...].firstIndex(of: UInt8(ascii: "\n"))
      {
        text.removeFirst(line + 1)
        hasBegun = true
      }
      if hasBegun, let last = place(of: end, in: text) {
        return try recording(text[..<last], path)
      }
      // What may be the start of a mark, with the rest of its line, is kept.
      if !hasBegun, text.count > 1024 { text.removeFirst(text.count - 1024) }
      let count = try fill(&block, read)
      guard count > 0, text.count < mostBytes else {
        guard hasBegun else { return nil }
        throw damaged(path)
      }
      text += block[..<count]
    }
  }

  private static func recording(
    _ base64: ArraySlice<UInt8>, _ path: String
  ) throws(RSSIError) -> [UInt8] {
    var log: [UInt8] = []
    let digits = base64.filter { $0 > 0x20 }
    guard log.append(base64: digits[...]), let recording = BTSnooz.recording(of: log) else {
      throw damaged(path)
    }
    return recording
  }

  private static func damaged(_ path: String) -> RSSIError {
    RSSIError(
      .badInput, "the Bluetooth log in this bug report (btsnooz) is damaged or cut off", in: path,
      advice: "make another bug report with the Bluetooth HCI snoop log enabled, which is then a "
        + "file in it")
  }

  private static func fill(
    _ block: inout [UInt8], _ read: (UnsafeMutableRawBufferPointer) throws(RSSIError) -> Int
  ) throws(RSSIError) -> Int {
    let count = block.withUnsafeMutableBytes { bytes in
      Result { () throws(RSSIError) in try read(bytes) }
    }
    return try count.get()
  }

  /// Returns the first place of a mark, whose first byte is rare; the C library compares many at
  /// once.
  private static func place(of mark: [UInt8], in text: [UInt8]) -> Int? {
    text.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return nil }
      var place = 0
      while place + mark.count <= bytes.count {
        let length = bytes.count - mark.count + 1 - place
        guard let hit = memchr(start + place, Int32(mark[0]), length) else { return nil }
        place = UnsafeRawPointer(hit) - start
        if memcmp(start + place, mark, mark.count) == 0 { return place }
        place += 1
      }
      return nil
    }
  }
}
