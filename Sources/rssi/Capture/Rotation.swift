import Filtering
import Glibc
import Sightings
import Support

/// When a capture begins a new file, and what that file is called.
struct Rotation {
  /// Nanoseconds that a file may cover; nil = no limit.
  var period: Int64?
  /// Bytes that a file may have; nil = no limit.
  var bytes: UInt64?

  /// Reads a time such as `1h` or `1d`, or a size such as `1GB`, `500MB`.
  init(_ text: String) throws {
    if let size = byteSize(text) {
      bytes = size
    } else if let time = duration(text), time > 0 {
      period = time
    }
    if let bytes, bytes < 4_000_000 {
      throw RSSIError(
        .usage,
        "--rotate \(text) is too small: a live file begins with about 1 MB; write 4MB or more")
    }
    guard period != nil || bytes != nil else {
      throw RSSIError(
        .usage, "\"\(text)\" is neither a time nor a size: write 1h, 30m, 1GB or 500MB")
    }
  }

  /// The name of the file that begins at a time: `trace.h5` becomes `trace-20260131T235959Z.h5`.
  static func stamped(_ path: String, _ time: Int64) -> String {
    let stamp = String(
      Timestamp.iso8601(time / Timestamp.second * Timestamp.second).filter {
        $0 != "-" && $0 != ":"
      })
    var base = path
    var ending = ""
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    if let dot = path[name...].lastIndex(of: "."), dot != name {
      base = String(path[..<dot])
      ending = String(path[dot...])
    }
    var candidate = "\(base)-\(stamp)\(ending)"
    // Two in one second, or a clock that was set back: nothing that exists is written over.
    var number = 2
    while access(candidate, F_OK) == 0 {
      candidate = "\(base)-\(stamp)-\(number)\(ending)"
      number += 1
    }
    return candidate
  }
}
