import Glibc
public import Support

/// Writes all bytes to an open file.
///
/// - Throws: `.diskFull`, `.closedPipe` or `.writeFailed`.
public func writeAll(
  _ bytes: [UInt8], to descriptor: Int32, path: String
) throws(RSSIError) {
  var written = 0
  while written < bytes.count {
    let result = bytes[written...].withUnsafeBytes {
      write(descriptor, $0.baseAddress, $0.count)
    }
    if result >= 0 {
      written += result
      continue
    }
    switch errno {
    case EINTR: continue
    case ENOSPC, EDQUOT, EFBIG: throw .diskFull(path: path)
    case EPIPE: throw .closedPipe
    default: throw .writeFailed(path: path, reason: systemMessage(errno))
    }
  }
}
