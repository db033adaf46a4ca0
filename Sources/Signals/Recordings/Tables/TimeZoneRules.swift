import CGlibc
import Glibc
import Sightings
public import Support
import Synchronization

/// The offsets of a time zone from UTC, of the time zone database of this machine.
///
/// Local times that occur twice or never, when clocks are set back or forward, have no instant.
public struct TimeZoneRules: Equatable, Sendable {
  /// The name, such as `Europe/Berlin`.
  public let name: String
  /// The seconds since the Unix epoch from which each offset holds, in order, and the offset in
  /// seconds east of Greenwich.
  private let offsets: [Offset]

  private struct Offset: Equatable, Sendable {
    var start: Int64
    var seconds: Int64
  }

  /// Reads the rules of a zone, for the years 1970 to 2100.
  ///
  /// - Throws: `RSSIError` of kind `usage` for a zone that this machine does not know.
  public init(_ name: String) throws(RSSIError) {
    let folder = "/usr/share/zoneinfo/"
    let isName =
      !name.isEmpty && !name.hasPrefix("/") && !name.contains("..")
      && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    guard isName, access(folder + name, R_OK) == 0 || name == "UTC" else {
      throw RSSIError(
        .usage, "no time zone \"\(name)\" in \(folder)",
        advice: "write one such as Europe/Berlin, or install tzdata")
    }
    self.name = name
    offsets = Self.environment.withLock { _ in Self.read(name) }
  }

  /// The C library takes the zone from the environment of the process.
  private static let environment = Mutex(())

  /// The offsets by the C library, which knows the rules behind the last transition of a file.
  private static func read(_ name: String) -> [Offset] {
    let old = getenv("TZ").map { String(cString: $0) }
    setenv("TZ", name, 1)
    tzset()
    defer {
      if let old { setenv("TZ", old, 1) } else { unsetenv("TZ") }
      tzset()
    }
    func offset(at time: Int64) -> Int64 {
      var (seconds, parts) = (time_t(time), tm())
      return localtime_r(&seconds, &parts) == nil ? 0 : Int64(parts.tm_gmtoff)
    }
    var offsets = [Offset(start: .min, seconds: offset(at: 0))]
    // No zone changes its clocks twice within ten days.
    let step: Int64 = 10 * 86_400
    var time: Int64 = 0
    while time < 4_133_980_800 {
      let (before, after) = (offset(at: time), offset(at: time + step))
      if before != after {
        var (low, high) = (time, time + step)
        while high - low > 1 {
          let middle = (low + high) / 2
          if offset(at: middle) == before { low = middle } else { high = middle }
        }
        offsets.append(Offset(start: high, seconds: after))
      }
      time += step
    }
    return offsets
  }

  /// Returns the instant of a local time, both in seconds since the Unix epoch; nil if the clocks
  /// show that time twice or never.
  func instant(ofLocal local: Int64) -> Int64? {
    var found: Int64?
    for (index, offset) in offsets.enumerated() {
      let instant = local - offset.seconds
      let end = index + 1 < offsets.count ? offsets[index + 1].start : .max
      guard instant >= offset.start, instant < end else { continue }
      guard found == nil else { return nil }
      found = instant
    }
    return found
  }
}
