import Glibc
import Sightings
import Support

/// The rule by which a recording begins a new file, and the name of that file.
public struct FileRotation: Equatable, Sendable {
  /// The longest time that a file may cover; nil = no limit.
  public var period: Duration?
  /// The largest size of a file, in bytes; nil = no limit.
  public var bytes: UInt64?

  /// The minimum limit of bytes: a live file begins with about 1 MB.
  private static let fewestBytes: UInt64 = 4_000_000

  /// Creates a rule that begins a new file after a period.
  public init(period: Duration) { self.period = period }
  /// Creates a rule that begins a new file after a number of bytes, at least 4,000,000.
  public init(bytes: UInt64) { self.bytes = bytes }

  func check() throws(RSSIError) {
    if let bytes, bytes < Self.fewestBytes {
      throw RSSIError(
        .usage,
        "`rotate` is too small: a live file begins with about 1 MB; write 4MB or more")
    }
  }

  /// The maximum number of bytes that a stamp adds to a name, such as
  /// `-20260727T143000Z-1234567-12`.
  static let longestStamp = 35

  /// Returns the name of the file that begins at a time: `trace.h5` becomes
  /// `trace-20260131T235959Z.h5`.
  ///
  /// - Parameter mark: A text behind the time.
  static func stamped(_ path: String, _ time: Int64, _ mark: String = "") -> String {
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
    base += "-\(stamp)\(mark)"
    var candidate = base + ending
    // Two files in one second, or a clock that was set back: existing files are not overwritten.
    var number = 2
    while access(candidate, F_OK) == 0 {
      candidate = "\(base)-\(number)\(ending)"
      number += 1
    }
    return candidate
  }
}
