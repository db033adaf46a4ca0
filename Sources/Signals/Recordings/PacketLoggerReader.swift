public import Advertising
public import Sightings
public import Support

/// Reads recordings of Apple's PacketLogger (macOS, iOS) in constant memory.
///
/// A record cut by the end of the file, or with a length no record has, is counted in `rejections`
/// and ends the reading; all before it is delivered.
public struct PacketLoggerReader: ~Copyable {
  /// Records read whole, of every kind.
  public private(set) var packets = 0
  /// Records refused, by reason.
  public private(set) var rejections = RejectionCounts()
  /// What became of the packets that `decode` read, also where it threw.
  public private(set) var counts = DecodingCounts()
  private let isBigEndian: Bool
  private var file: FileBlocks

  /// Opens a file; `-` is the standard input.
  ///
  /// - Parameter progress: receives how many bytes were read.
  public init(
    path: String, progress: any ActivityProgress = SilentLog()
  ) throws(RSSIError) {
    var file = try FileBlocks(path: path, progress: progress)
    let whole = try file.require(PacketLoggerFormat.headerLength)
    if file.available == 0 { throw .empty(path: path) }
    guard whole, let isBigEndian = file.withBytes(0..<4, PacketLoggerFormat.isBigEndian) else {
      throw .wrongFormat(path: path, expected: "PacketLogger")
    }
    self.isBigEndian = isBigEndian
    self.file = file
  }

  /// Whether the first five records of a file, or all of fewer, are such as PacketLogger writes;
  /// the last may be cut.
  public static func recognizes(path: String) throws(RSSIError) -> Bool {
    var file = try FileBlocks(path: path)
    guard try file.require(4) else { return false }
    guard let isBigEndian = file.withBytes(0..<4, PacketLoggerFormat.isBigEndian) else {
      return false
    }
    for record in 0..<5 {
      guard try file.require(PacketLoggerFormat.headerLength + 1) else { return record > 0 }
      let (length, microseconds, type) = file.withBytes(0..<13) {
        (
          $0.number(at: 0, isBigEndian: isBigEndian), $0.number(at: 8, isBigEndian: isBigEndian),
          $0[12]
        )
      }
      guard PacketLoggerFormat.lengths.contains(Int(length)), microseconds < 1_000_000,
        length == 8 || PacketLoggerFormat.types.contains(type)
      else { return false }
      guard try file.require(4 + Int(length)) else { return record > 0 }
      file.skip(4 + Int(length))
    }
    return true
  }

  /// Hands every remaining packet to a closure; the bytes are gone when it returns.
  ///
  /// - Parameter body: gets the time in nanoseconds since the Unix epoch, what the packet is where
  ///   it is not an HCI event, and the packet, which begins with the event code if it is one.
  /// - Throws: `RSSIError` where the file cannot be read, and what the closure throws.
  package mutating func forEachPacket(
    _ body: (Int64, PacketKind?, Span<UInt8>) throws -> Void
  ) throws {
    let header = PacketLoggerFormat.headerLength
    while try file.require(header) {
      let order = isBigEndian
      let (length, seconds, microseconds) = file.withBytes(0..<header) {
        (
          Int($0.number(at: 0, isBigEndian: order)), $0.number(at: 4, isBigEndian: order),
          $0.number(at: 8, isBigEndian: order)
        )
      }
      guard length >= PacketLoggerFormat.lengths.lowerBound else {
        return rejections.add(.damagedRecord)
      }
      guard length <= PacketLoggerFormat.lengths.upperBound else {
        return rejections.add(.oversizedRecord)
      }
      guard try file.require(4 + length) else { return rejections.add(.truncatedRecord) }
      packets += 1
      if microseconds >= 1_000_000 {
        rejections.add(.badTime)
      } else {
        let time = Int64(seconds) * 1_000_000_000 + Int64(microseconds) * 1000
        try file.withBytes(header..<(4 + length)) { record in
          let kind = record.count > 0 ? PacketLoggerFormat.kind(of: record[0]) : .unknownType
          try body(time, kind, record.extracting(min(1, record.count)..<record.count))
        }
      }
      file.skip(4 + length)
    }
    if file.available > 0 { rejections.add(.truncatedRecord) }
  }

  /// Decodes every remaining HCI event and hands the advertising reports to a sink.
  ///
  /// - Returns: what became of the packets, the rejected records among them.
  /// - Throws: `RSSIError` where the file cannot be read, and what the sink throws.
  @discardableResult
  public mutating func decode<Sink: RecordingSink & ~Copyable>(
    into sink: inout Sink
  ) throws -> DecodingCounts {
    try decodeAll(into: &sink)
    return counts
  }

  private mutating func decodeAll<Sink: RecordingSink & ~Copyable>(into sink: inout Sink) throws {
    var decoder = HCIEventDecoder()
    defer {
      counts = decoder.counts
      counts.rejectPackets(rejections)
    }
    try forEachPacket { time, kind, packet in
      if let kind { return decoder.pass(kind) }
      try decoder.decode(packet, time: time, into: &sink)
    }
    try decoder.flush(into: &sink)
  }
}

extension Span where Element == UInt8 {
  /// A 32-bit number of either byte order.
  fileprivate func number(at offset: Int, isBigEndian: Bool) -> UInt32 {
    let number = bigEndian32(at: offset)
    return isBigEndian ? number : number.byteSwapped
  }
}
