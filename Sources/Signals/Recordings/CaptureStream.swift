internal import CPcap
import Glibc
import Support

/// The bytes of a pcap or pcapng file for libpcap, with 0, no limit, for each snapshot length.
///
/// A snapshot length is how much of a packet a program meant to keep. libpcap gives up at the first
/// longer packet and at interfaces with different ones; Ubertooth writes packets longer than it
/// states, Wireshark reads them.
///
/// | format | where the snapshot length is |
/// |---|---|
/// | pcap | bytes 16 to 19 |
/// | pcapng | bytes 12 to 15 of each interface description: type 4, length 4, link type 2, reserved 2 |
///
/// Source: pcap-savefile(5); draft-ietf-opsawg-pcapng, sections 3.1 and 4.2.
final class CaptureStream {
  /// What reading the file failed with; libpcap only knows that it failed.
  private(set) var failure: RSSIError?
  private var file: FileBlocks
  private var format: CaptureFormat?
  /// Bytes that are handed on before the file is looked at again, and which of them become 0.
  private var rest = 0
  private var blank = 0..<0

  init(path: String, _ progress: any ActivityProgress) throws(RSSIError) {
    file = try FileBlocks(path: path, progress: progress)
  }

  /// Whether there is nothing to read.
  func isEmpty() throws(RSSIError) -> Bool { try !file.require(1) }

  /// The stream, which keeps this object until it is closed; nil where the system makes none.
  func open() -> UnsafeMutablePointer<FILE>? {
    let cookie = Unmanaged.passRetained(self)
    let stream = cpcap_stream(
      cookie.toOpaque(),
      { cookie, bytes, count in
        guard let cookie, let bytes else { return -1 }
        return Unmanaged<CaptureStream>.fromOpaque(cookie).takeUnretainedValue()
          .read(into: UnsafeMutableRawBufferPointer(start: bytes, count: count))
      },
      { cookie in
        if let cookie { Unmanaged<CaptureStream>.fromOpaque(cookie).release() }
        return 0
      })
    guard let stream else {
      cookie.release()
      return nil
    }
    setvbuf(stream, nil, _IOFBF, 1 << 16)
    return stream
  }

  /// Fills what it can of a buffer; 0 at the end of the file, -1 with `failure`.
  private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    do throws(RSSIError) {
      if rest == 0 { try look() }
      guard try file.require(1) else { return 0 }
    } catch {
      failure = error
      errno = EIO
      return -1
    }
    let count = min(buffer.count, rest, file.available)
    file.withBytes(0..<count) { bytes in bytes.withUnsafeBytes { buffer.copyMemory(from: $0) } }
    for index in blank.clamped(to: 0..<count) { buffer[index] = 0 }
    blank = max(0, blank.lowerBound - count)..<max(0, blank.upperBound - count)
    rest -= count
    file.skip(count)
    return count
  }

  /// Decides what becomes of the bytes that follow, up to the next block; what makes no sense is
  /// handed on as it is, for libpcap to refuse.
  private func look() throws(RSSIError) {
    let isFirst = format == nil
    rest = .max
    guard try file.require(CaptureFormat.magicLength) else { return }
    let found = file.withBytes(0..<CaptureFormat.magicLength) { CaptureFormat(of: $0) }
    if isFirst || found != nil { format = found }
    switch format {
    case nil: return
    case .pcap:
      if isFirst { blank = 16..<20 }
    case .pcapng(let isBigEndian):
      let (type, length) = file.withBytes(0..<8) { ($0.bigEndian32(at: 0), $0.bigEndian32(at: 4)) }
      let size = Int(isBigEndian ? length : length.byteSwapped)
      guard size >= CaptureFormat.magicLength else { return }
      rest = size
      let isInterface =
        (isBigEndian ? type : type.byteSwapped) == CaptureFormat.interfaceDescription
      if isInterface, size >= 20 { blank = 12..<16 }
    }
  }
}
