import Sightings
import Support

/// The bytes of a pcap or pcapng file for libpcap, one recording at a time, with each snapshot
/// length replaced by 0 (no limit).
///
/// A snapshot length is the number of bytes of a packet that a program meant to keep. libpcap fails
/// at the first longer packet and at interfaces with different ones. Ubertooth writes packets
/// longer than it declares, which Wireshark reads.
///
/// | format | where the snapshot length is |
/// |---|---|
/// | pcap | bytes 16 to 19 |
/// | pcapng | bytes 12 to 15 of each interface description: type 4, length 4, link type 2, reserved 2 |
///
/// For libpcap the content ends at the start of another recording, as in concatenated files, even
/// within a record, which was therefore truncated.
///
/// Source: pcap-savefile(5); draft-ietf-opsawg-pcapng, sections 3.1 and 4.2.
struct CaptureContent: ~Copyable {
  /// The offset of the recording in the file.
  private(set) var start = 0
  /// The offset of the latest block of a pcapng file.
  private(set) var block = 0
  private var file: FileBlocks
  private var format: CaptureFormat?
  /// The number of bytes to pass on before the file is inspected again, and the range of those that
  /// become 0.
  private var rest = 0
  private var blank = 0..<0
  /// A Boolean value that is true if the recording ends after the rest.
  private var isLast = false

  init(path: String, _ progress: any ActivityProgress) throws(RSSIError) {
    // Room for the longest packet and the header after it.
    file = try FileBlocks(path: path, capacity: 1 << 19, progress: progress)
    file.endsAtDamage = true
  }

  /// Returns a Boolean value that is true if there is nothing to read.
  mutating func isEmpty() throws(RSSIError) -> Bool { try !file.require(1) }

  /// Passes the notes of the file, after it was read, to an account.
  func end(_ account: inout RecordingAccount) { account.end(file) }

  /// A Boolean value that is true if the recording is pcapng.
  var hasBlocks: Bool {
    if case .pcapng = format { true } else { false }
  }

  /// The length of the header of a pcap record.
  var recordHeaderLength: Int {
    if case .pcap(_, let length) = format { length } else { 0 }
  }

  /// The offset in the file up to which bytes were passed on.
  var position: Int { file.position }

  /// Moves to the next recording in the file; returns `false` if there is none.
  mutating func beginNext() throws(RSSIError) -> Bool {
    var isFound = false
    if isLast, rest == 0 { isFound = try beginsRecording() }
    while !isFound, try file.skipToNextFile() {
      isFound = try beginsRecording()
      if !isFound { file.passNextFile() }
    }
    (format, rest, blank, isLast) = (nil, 0, 0..<0, false)
    start = file.position
    return isFound
  }

  private mutating func beginsRecording() throws(RSSIError) -> Bool {
    guard try file.require(CaptureFormat.magicLength) else { return false }
    return file.withBytes(0..<CaptureFormat.magicLength) { CaptureFormat(of: $0) } != nil
  }

  /// Fills a buffer as far as possible; returns 0 at the end of the recording.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(RSSIError) -> Int {
    if rest == 0 {
      guard !isLast else { return 0 }
      try look()
      guard rest > 0 else { return 0 }
    }
    guard try file.require(1) else { return 0 }
    let count = min(buffer.count, rest, file.available)
    file.withBytes(0..<count) { bytes in bytes.withUnsafeBytes { buffer.copyMemory(from: $0) } }
    for index in blank.clamped(to: 0..<count) { buffer[index] = 0 }
    blank = max(0, blank.lowerBound - count)..<max(0, blank.upperBound - count)
    rest -= count
    file.skip(count)
    return count
  }

  /// Inspects the bytes up to the next block; invalid data is passed on unchanged for libpcap to
  /// reject.
  private mutating func look() throws(RSSIError) {
    block = file.position
    guard try file.require(CaptureFormat.magicLength) else {
      (rest, isLast) = (file.available, true)
      return
    }
    let found = file.withBytes(0..<CaptureFormat.magicLength) { CaptureFormat(of: $0) }
    guard let format else { return begin(found) }
    switch format {
    case .pcap(let isBigEndian, let length):
      guard found == nil else {
        isLast = true
        return
      }
      try lookAtRecords(isBigEndian, header: length)
    case .pcapng:
      // libpcap reads sections of pcapng in any byte order.
      if case .pcap = found {
        isLast = true
        return
      }
      self.format = found ?? format
      if case .pcapng(let isBigEndian) = found ?? format { try lookAtBlock(isBigEndian) }
    }
  }

  private mutating func begin(_ found: CaptureFormat?) {
    format = found
    start = file.position
    guard let found else {
      rest = .max
      return
    }
    file.look(
      for: file.withBytes(found.mark) { mark in mark.indices.map { mark[$0] } },
      at: found.mark.lowerBound)
    switch found {
    case .pcap: (rest, blank) = (CaptureFormat.pcapHeaderLength, 16..<20)
    case .pcapng(let isBigEndian):
      let length = file.withBytes(4..<8) { $0.number(at: 0, isBigEndian: isBigEndian) }
      rest = max(Int(length), CaptureFormat.magicLength)
    }
  }

  /// Passes on the complete records of a pcap file in memory, or what ends the recording.
  private mutating func lookAtRecords(_ isBigEndian: Bool, header: Int) throws(RSSIError) {
    guard try file.require(header) else { return end(after: file.available) }
    let next = file.nextFile(within: file.available) ?? .max
    var size = 0
    var length = 0
    file.withBytes(0..<file.available) { bytes in
      while size + header <= bytes.count {
        length = header + Int(bytes.number(at: size + 8, isBigEndian: isBigEndian))
        guard length - header <= CaptureFormat.longestPacket, size + length <= bytes.count,
          next >= size + length, !Self.isEmptyRecord(bytes, at: size),
          size == 0 || !CaptureFormat.isMagic(bytes.bigEndian32(at: size))
        else { return }
        size += length
      }
    }
    guard size == 0 else {
      rest = size
      return
    }
    // The first record is unusual; another file may start within its header.
    if next > 0, next < header { return end(after: next) }
    if length - header > CaptureFormat.longestPacket { return end(after: header) }
    if try isPadding(header) { return end(after: 1) }
    let isWhole = try file.require(length)
    while let place = file.nextFile(within: min(length, file.available)) {
      let isLastHeader = place + CaptureFormat.pcapHeaderLength == length
      var isFollowed = isWhole && !isLastHeader
      if isFollowed { isFollowed = try self.isFollowed(at: length, isBigEndian, header) }
      guard place == 0 || isFollowed else { return end(after: place) }
      file.passNextFile()
    }
    rest = isWhole ? length : file.available
    isLast = !isWhole
  }

  private mutating func end(after count: Int) { (rest, isLast) = (count, true) }

  /// Returns a Boolean value that is true if the window starts with zeros that a program wrote
  /// ahead of the records, which libpcap would take for packets; a single packet may have neither
  /// bytes nor a time.
  private mutating func isPadding(_ header: Int) throws(RSSIError) -> Bool {
    let isLong = try file.require(2 * header)
    let length = isLong ? 2 * header : file.available
    return length > header
      && file.withBytes(0..<length) { bytes in bytes.indices.allSatisfy { bytes[$0] == 0 } }
  }

  /// Returns a Boolean value that is true if a place of the window has a pcap record within a day
  /// of the first one, a file or the end of the file.
  private mutating func isFollowed(
    at place: Int, _ isBigEndian: Bool, _ header: Int
  ) throws(RSSIError) -> Bool {
    guard try file.require(place + header) else { return file.available == place }
    let time = file.withBytes(0..<4) { Int($0.number(at: 0, isBigEndian: isBigEndian)) }
    return file.withBytes(place..<place + header) { record in
      let apart = abs(Int(record.number(at: 0, isBigEndian: isBigEndian)) - time)
      let length = record.number(at: 8, isBigEndian: isBigEndian)
      return CaptureFormat(of: record) != nil
        || apart < 86_400 && record.number(at: 4, isBigEndian: isBigEndian) < Timestamp.second
          && length <= CaptureFormat.longestPacket
          && length <= record.number(at: 12, isBigEndian: isBigEndian)
    }
  }

  /// Returns a Boolean value that is true if the header of a record has neither a time nor a
  /// length.
  @inline(__always)
  private static func isEmptyRecord(_ bytes: Span<UInt8>, at place: Int) -> Bool {
    bytes.bigEndian32(at: place + 8) == 0 && bytes.bigEndian32(at: place) == 0
      && bytes.bigEndian32(at: place + 4) == 0 && bytes.bigEndian32(at: place + 12) == 0
  }

  /// Passes on the next block of a pcapng file, or the part of it before another file.
  private mutating func lookAtBlock(_ isBigEndian: Bool) throws(RSSIError) {
    let (type, length) = file.withBytes(0..<8) {
      ($0.number(at: 0, isBigEndian: isBigEndian), $0.number(at: 4, isBigEndian: isBigEndian))
    }
    let size = Int(length)
    // libpcap rejects a block that is shorter than its length fields.
    guard size >= CaptureFormat.magicLength else {
      let place = file.nextFile(within: CaptureFormat.magicLength) ?? 0
      return end(after: place > 0 ? place : CaptureFormat.magicLength)
    }
    var isWhole = false
    if size <= CaptureFormat.longestPacket, try file.require(size) {
      isWhole =
        file.withBytes(size - 4..<size) { $0.number(at: 0, isBigEndian: isBigEndian) } == length
    }
    while let place = file.nextFile(within: min(size, file.available)) {
      guard place == 0 || isWhole else { return end(after: place) }
      file.passNextFile()
    }
    rest = size
    if type == CaptureFormat.interfaceDescription, size >= 20 { blank = 12..<16 }
  }
}
