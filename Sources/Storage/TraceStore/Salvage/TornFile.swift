import Glibc
import Support

/// The bytes of an HDF5 file with pages of different ages, open for mending.
///
/// Numbers are little-endian, addresses count from the start of the file. Source: HDF5 File Format
/// Specification, version 3.0.
final class TornFile {
  private let descriptor: Int32
  private let path: String
  let length: Int

  /// - Parameters:
  ///   - file: The file to change, a copy.
  ///   - path: The name in errors.
  init(_ file: String, named path: String) throws(RSSIError) {
    descriptor = open(file, O_RDWR | O_CLOEXEC)
    self.path = path
    length = regularFileLength(descriptor) ?? 0
    guard descriptor >= 0 else {
      throw RSSIError.writeFailed(path: path, reason: systemMessage(errno))
    }
  }

  deinit { close(descriptor) }

  /// The undefined address.
  static let nowhere = UInt64.max

  /// Returns bytes of the file, or `nil` beyond its end, or if the disk fails.
  func bytes(_ address: UInt64, _ count: Int) -> [UInt8]? {
    guard count >= 0, count <= length, address <= UInt64(length - count) else { return nil }
    return Support.bytes(ofFile: descriptor, at: Int(address), count: count)
  }

  /// The newest times of change in headers of the file, in seconds since the Unix epoch.
  ///
  /// Headers are created at the start of the file, so they are in its first two megabytes.
  private(set) lazy var changeTimes: [UInt32] = {
    let beginning = bytes(0, min(length, 1 << 21)) ?? []
    var times: Set<UInt32> = []
    beginning.withUnsafeBytes { all in
      var place = 0
      let last = all.count - 22
      while place <= last, let base = all.baseAddress,
        let found = memchr(base + place, Int32(UInt8(ascii: "O")), last - place + 1)
      {
        let start = UnsafeRawPointer(found) - base
        if all[start..<start + 4].elementsEqual("OHDR".utf8), all[start + 4] == 2,
          all[start + 5] & 0x20 != 0
        {
          let time = all.loadUnaligned(
            fromByteOffset: start + ObjectHeader.changeTimes.upperBound, as: UInt32.self)
          times.insert(UInt32(littleEndian: time))
        }
        place = start + 1
      }
    }
    return Array(times.sorted().suffix(8))
  }()

  /// Writes bytes to the file, unless they are already there.
  func write(_ new: [UInt8], at address: UInt64) throws(RSSIError) {
    guard bytes(address, new.count) != new else { return }
    guard pwrite(descriptor, new, new.count, off_t(address)) == new.count else {
      throw RSSIError.writeFailed(path: path, reason: systemMessage(errno))
    }
  }

  func write(_ number: UInt64, at address: UInt64) throws(RSSIError) {
    try write(number.littleEndianBytes, at: address)
  }

  /// Corrects the checksum at the end of a block of metadata.
  func mendChecksum(of address: UInt64, _ count: Int) throws(RSSIError) {
    guard count > 4, let block = bytes(address, count - 4) else { return }
    try write(metadataChecksum(block).littleEndianBytes, at: address + UInt64(count - 4))
  }

  /// Returns a Boolean value that is true if a block of metadata is intact.
  func isWhole(_ address: UInt64, _ count: Int) -> Bool {
    guard count > 4, let block = bytes(address, count) else { return false }
    return UInt64(metadataChecksum(Array(block.dropLast(4)))) == block.number(count - 4, 4)
  }

  /// Sets the superblock to cover the entire file, without a writer (section II.A).
  ///
  /// - Returns: `false` for a superblock that is not ours or not intact; it is on one page.
  func mendSuperblock() throws(RSSIError) -> Bool {
    guard let block = bytes(0, 48), block[8] == 3, block[9] == 8, block[10] == 8, isWhole(0, 48)
    else { return false }
    try write([0], at: 11)
    try write(UInt64(length), at: 28)
    try mendChecksum(of: 0, 48)
    return true
  }
}

extension [UInt8] {
  /// Returns a number of up to 8 bytes.
  func number(_ place: Int, _ count: Int) -> UInt64 {
    littleEndian(self[place..<place + count])
  }
}
