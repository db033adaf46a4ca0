import Support

/// The advertising data of a trace, read in pages on demand, in bounded memory.
///
/// ```swift
/// let payloads = try reader.payloads()
/// for index in 0..<payloads.count { decode(try payloads[UInt32(index)]) }
/// ```
package final class Payloads {
  package let count: Int
  private let rows: PayloadRows
  private let path: String
  /// The total size of all payloads in bytes.
  private let total: UInt64
  private var pages: [Int: Page] = [:]
  private var current = Page()
  private var uses = 0

  /// A range of consecutive payloads.
  private struct Page {
    var number = -1
    var offsets: [UInt64] = []
    var lengths: [UInt16] = []
    /// Their bytes; empty if they are too far apart to be read at once.
    var bytes: [UInt8] = []
    var start: UInt64 = 0
    var lastUse = 0
  }

  /// The number of payloads in a page, and the largest number of bytes to read for one.
  private static let pageRows = 4096
  private static let pageBytes: UInt64 = 1 << 22
  /// The number of pages to keep: payloads repeat, and new ones come at the end, so a trace needs
  /// the latest page and a few early ones.
  private static let keptPages = 16

  init(_ rows: PayloadRows, path: String) {
    self.rows = rows
    self.path = path
    count = rows.tables[0].rows.count
    total = UInt64(rows.tables[1].rows.count)
  }

  /// Returns the bytes of one payload; empty for an index out of range.
  ///
  /// - Throws: `.badInput` if the payload is outside the file's bytes.
  package subscript(index: UInt32) -> ArraySlice<UInt8> {
    get throws(RSSIError) {
      guard Int(index) < count else { return [] }
      let number = Int(index) / Self.pageRows
      if current.number != number { try turn(to: number) }
      let row = Int(index) % Self.pageRows
      let (offset, length) = (current.offsets[row], Int(current.lengths[row]))
      guard offset <= total, UInt64(length) <= total - offset else {
        throw RSSIError(
          .badInput, "payload \(index) of \(path) is outside the file's bytes: the file is damaged")
      }
      if !current.bytes.isEmpty {
        let first = Int(offset - current.start)
        return current.bytes[first..<first + length]
      }
      var bytes: [UInt8] = []
      try rows.bytes.read(Int(offset)..<Int(offset) + length, into: &bytes)
      return bytes[...]
    }
  }

  /// Makes a page the current one.
  private func turn(to number: Int) throws(RSSIError) {
    uses += 1
    if var kept = pages[number] {
      kept.lastUse = uses
      current = kept
    } else {
      current = try page(number)
    }
    pages[number] = current
    if pages.count > Self.keptPages, let oldest = pages.values.min(by: { $0.lastUse < $1.lastUse })
    {
      pages[oldest.number] = nil
    }
  }

  private func page(_ number: Int) throws(RSSIError) -> Page {
    prepareHDF5()
    var page = Page(number: number, lastUse: uses)
    let range = number * Self.pageRows..<min((number + 1) * Self.pageRows, count)
    try rows.offset.read(range, into: &page.offsets)
    try rows.length.read(range, into: &page.lengths)
    var (first, end) = (total, UInt64(0))
    for (offset, length) in zip(page.offsets, page.lengths)
    where offset <= total && UInt64(length) <= total - offset {
      first = min(first, offset)
      end = max(end, offset + UInt64(length))
    }
    if first < end, end - first <= Self.pageBytes {
      page.start = first
      try rows.bytes.read(Int(first)..<Int(end), into: &page.bytes)
    }
    return page
  }
}
