internal import Advertising

/// What to show someone who listens in on others' scans.
struct MonitorAdvice {
  private let silence: Int64
  private var quietSince: Int64 = 0
  private var hasSaidSilent = false
  private var hasSaidFiltered: Set<String> = []
  private var hasHeard = false

  init(silence: Double) { self.silence = Int64(silence * 1e9) }

  mutating func begin(at time: Int64) { quietSince = time }

  mutating func note(event: Span<UInt8>) {
    if event.announcesReports { hasHeard = true }
  }

  /// Notices scans that hide repeated advertisements: LE Set Scan Enable and its extended form.
  mutating func note(command: UInt16, parameters: Span<UInt8>, adapter: String) -> String? {
    guard command == 0x200C || command == 0x2042, parameters.count >= 2, parameters[0] == 1,
      parameters[1] != 0, hasSaidFiltered.insert(adapter).inserted
    else { return nil }
    return "\(adapter): the program that scans has duplicates filtered, so most advertisements "
      + "never arrive; capture \(adapter) itself to get all of them"
  }

  /// Looks at the time, about once a second.
  mutating func look(_ now: Int64) -> String? {
    if hasHeard {
      (hasHeard, hasSaidSilent, quietSince) = (false, false, now)
      return nil
    }
    guard !hasSaidSilent, now - quietSince >= silence else { return nil }
    hasSaidSilent = true
    let seconds = (now - quietSince) / 1_000_000_000
    return "no advertisement for \(seconds) s: `monitor` only listens in, so some "
      + "program must scan, such as `bluetoothctl scan le`; or capture hci0 itself"
  }
}
