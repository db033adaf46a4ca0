internal import Advertising
internal import Sightings

/// Lines with events of u-blox anchors, see `UBloxEvent`, that a program wrote to a file, with or
/// without a time before each.
///
/// An anchor counts milliseconds since it started. The first event of an anchor, or the first after
/// its count went back, is at the latest time in the file so far, from which its count goes on; so
/// the anchors' clocks agree within the time between two lines.
struct UBloxParser: LogParser {
  private var clock = LogClock()
  /// The times at which the anchors started, with their latest counts.
  private var anchors: [UInt16: (start: Int64, count: Int64)] = [:]
  private var latest: Int64 = 0
  private var isCounted = false

  var timeNote: String? {
    isCounted
      ? "its times count from the first line: the anchors have no calendar" : clock.note
  }

  mutating func read(_ line: Span<UInt8>, into batch: inout LogBatch) {
    let text = line.indices.map { line[$0] }[...]
    guard let rest = text.after("+UUDF:"), let before = text.before("+UUDF:") else {
      return batch.counts.otherEvents.add(.otherLine)
    }
    guard let event = UBloxEvent(rest), let adapter = batch.adapter(named: event.anchor),
      let beacon = event.beacon, let level = event.rssiDBm, let channel = event.channel,
      let angle = event.angle, let time = time(before, event.milliseconds, adapter)
    else { return batch.count(false) }
    var report = LogBatch.NamedReport(time: time, rssi: level, beacon: beacon)
    (report.channel, report.adapter, report.angle) = (channel, adapter, angle)
    batch.count(batch.add(report))
  }

  private mutating func time(
    _ text: ArraySlice<UInt8>, _ count: Int64?, _ adapter: UInt16
  ) -> Int64? {
    let text = text.filter { !"[](),;\"".utf8.contains($0) }[...].trimmed
    if !text.isEmpty, let time = clock.time(text) { return time }
    guard let count else { return nil }
    isCounted = true
    if let known = anchors[adapter], known.count <= count {
      anchors[adapter]?.count = count
    } else {
      anchors[adapter] = (latest - count * 1_000_000, count)
    }
    let time = (anchors[adapter]?.start ?? 0) + count * 1_000_000
    latest = max(latest, time)
    return time
  }
}
