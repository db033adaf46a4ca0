/// The lines of a text file, one at a time, in constant memory.
struct Lines: ~Copyable {
  /// A line longer than this is refused: no table or stream of sightings has one.
  static let maximumLength = 1 << 16

  private var file: FileBlocks
  /// Number of the line handed over last, from 1.
  private(set) var number = 0
  private var atStart = true

  init(path: String) throws(RecordingError) { file = try FileBlocks(path: path) }

  /// Hands over the next line without its end; nil after the last.
  ///
  /// - Parameter body: gets the line, or nil in place of one that is too long.
  mutating func next<Result>(_ body: (Span<UInt8>?) throws -> Result) throws -> Result? {
    if atStart {
      atStart = false
      // A byte order mark is not part of the first name.
      if try file.require(3), file.withBytes(0..<3, { $0[0] == 0xEF && $0[1] == 0xBB && $0[2] == 0xBF }) {
        file.skip(3)
      }
    }
    var searched = 0
    while true {
      if let end = file.withBytes(searched..<file.available, { $0.firstNewline }) {
        number += 1
        let length = searched + end
        defer { file.skip(length + 1) }
        guard length <= Self.maximumLength else { return try body(nil) }
        return try file.withBytes(0..<length) { try body($0.extracting(0..<$0.lineLength)) }
      }
      searched = file.available
      if searched > Self.maximumLength {
        number += 1
        try skipLine()
        return try body(nil)
      }
      guard try file.require(searched + 1) else {
        guard searched > 0 else { return nil }
        number += 1
        defer { file.skip(searched) }
        return try file.withBytes(0..<searched) { try body($0.extracting(0..<$0.lineLength)) }
      }
    }
  }

  private mutating func skipLine() throws(RecordingError) {
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
    for i in indices where self[i] == UInt8(ascii: "\n") { return i }
    return nil
  }

  /// The length without a carriage return at the end.
  fileprivate var lineLength: Int {
    count > 0 && self[count - 1] == UInt8(ascii: "\r") ? count - 1 : count
  }
}
