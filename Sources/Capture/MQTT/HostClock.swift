internal import Foundation
internal import Sightings

/// The clock of the machine.
enum HostClock {
  /// Nanoseconds since the Unix epoch.
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * Timestamp.second + Int64(time.tv_nsec)
  }
}
