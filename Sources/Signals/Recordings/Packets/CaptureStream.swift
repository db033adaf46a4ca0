internal import CPcap
import Glibc
import Support

/// The stream from which libpcap reads the content of a capture.
///
/// It is read by one thread, so it has no lock, which libpcap would take twice per packet. Its calls
/// into Swift check once that nothing else changes the content, not once per property.
final class CaptureStream {
  var content: CaptureContent
  /// The error of reading the file; libpcap only reports that it failed.
  private(set) var failure: RSSIError?

  init(path: String, _ progress: any ActivityProgress) throws(RSSIError) {
    content = try CaptureContent(path: path, progress)
  }

  /// Opens the stream, which keeps this object until it is closed, or returns `nil` if the system
  /// cannot create one.
  func open() -> UnsafeMutablePointer<FILE>? {
    let cookie = Unmanaged.passRetained(self)
    let stream = cpcap_stream(
      cookie.toOpaque(),
      { cookie, bytes, count in
        guard let cookie, let bytes else { return -1 }
        // The stream holds the object, so counting this reference too would only take time.
        return Unmanaged<CaptureStream>.fromOpaque(cookie)._withUnsafeGuaranteedRef {
          $0.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: count))
        }
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

  /// Fills a buffer as far as possible; returns 0 at the end of the recording, -1 with `failure`.
  private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    do throws(RSSIError) {
      return try content.read(into: buffer)
    } catch {
      failure = error
      errno = EIO
      return -1
    }
  }
}
