import Advertising
import Capture
import Recordings
import Sightings
import Support
import Synchronization
import TracePipelines
import TraceStore

/// Recordings or traces, replayed one after the other as if they were received now; times remain
/// those of the recordings.
struct ReplaySource: CaptureSource {
  let files: [String]
  /// The factor by which the replay is faster than the recording; infinite = as fast as possible.
  let speed: Double
  let clock: MachineClock

  mutating func run<Sink: CaptureSink & ~Copyable>(into sink: inout Sink) throws {
    // Files that cannot be replayed are refused before the first one is replayed.
    let recordings = try files.map { file in
      let kind = try InputKind(path: file)
      return (file: file, kind: kind, receivers: try Self.receivers(of: file, kind))
    }
    let (speed, clock) = (speed, clock)
    try sink.notice(.start)
    try withUnsafeMutablePointer(to: &sink) { sink in
      for (file, kind, receivers) in recordings {
        // Each is paced from its own beginning: days may lie between two files of a folder.
        var paced = PacedSink(
          sink: sink, file: file, speed: speed, receivers: receivers, clock: clock)
        var counts = DecodingCounts()
        do {
          try forEachReport(
            of: file, kind, into: &paced, account: { counts = $0 },
            sighting: { try $0.receive($1, $2, $3) })
        } catch is PacedSink<Sink>.Stopped {
          paced.takeBackLast(of: &counts)
          return try sink.pointee.notice(.counts(counts))
        } catch {
          try? sink.pointee.notice(.counts(counts))
          throw error
        }
        try sink.pointee.notice(.counts(counts))
      }
    }
  }

  /// The receivers that a recording names, by the number of their reports' adapter.
  private static func receivers(of file: String, _ kind: InputKind) throws -> [Node] {
    switch kind {
    case .trace: return try TraceReader(path: file).catalogue.receivers
    case .pcap:
      return try PcapReader(path: file).linkType.isSniffer
        ? [Node(id: "sniffer", kind: "receiver")] : []
    default: return []
    }
  }
}

/// A sink that passes reports on when they are due.
private struct PacedSink<Sink: CaptureSink & ~Copyable>: RecordingSink {
  struct Stopped: Error {}

  /// Valid while the source runs.
  let sink: UnsafeMutablePointer<Sink>
  let file: String
  let speed: Double
  let receivers: [Node]
  let clock: MachineClock
  /// The first report's time, and the instant at which it was passed on.
  private var origin: (recorded: Int64, now: Int64)?
  private var described: Set<UInt16> = []
  private var sinceTick = 0
  /// The times of the report that was passed on last, and of the next one.
  private var (handed, next): (Int64?, Int64?) = (nil, nil)

  init(
    sink: UnsafeMutablePointer<Sink>, file: String, speed: Double, receivers: [Node],
    clock: MachineClock
  ) {
    self.sink = sink
    self.file = file
    self.speed = speed
    self.receivers = receivers
    self.clock = clock
  }

  mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
    try describe(report.adapter)
    next = report.time
    try waitUntilDue(report.time)
    try sink.pointee.receive(report, payload: payload)
    handed = report.time
  }

  /// Subtracts the report at which it stopped from the counts, and its packet unless another report
  /// of it was passed on.
  func takeBackLast(of counts: inout DecodingCounts) {
    guard counts.sightings > 0 else { return }
    counts.sightings -= 1
    if counts.packetsWithSeveralReports == 0 || handed != next { counts.packetsWithReports -= 1 }
  }

  /// Receives a row of a trace that came from a table: the beacon is known by name only.
  mutating func receive(
    _ catalogue: Catalogue, _ rows: borrowing SightingColumns, _ row: Int
  ) throws {
    let beacon = catalogue.beacons[Int(rows.beacon[row])]
    var sighting = GatewaySighting(
      time: rows.time[row], adapter: rows.receiver[row], beacon: beacon.id, rssi: rows.rssi[row])
    sighting.channel = rows.channel[row]
    sighting.angle = rows.angle(row)
    sighting.measuredPower = beacon.measuredPower
    try describe(sighting.adapter)
    try waitUntilDue(sighting.time)
    try sink.pointee.receive(sighting)
  }

  mutating func lost(_ loss: Loss) throws {
    try describe(loss.adapter)
    try sink.pointee.notice(.loss(loss))
  }

  /// Describes a receiver before its first report.
  private mutating func describe(_ adapter: UInt16) throws {
    guard described.insert(adapter).inserted else { return }
    let known = Int(adapter) < receivers.count ? receivers[Int(adapter)] : nil
    var radio = known?.radio ?? Radio()
    if radio.adapter.isEmpty { radio.adapter = "replay:\(file)" }
    try sink.pointee.notice(
      .receiver(adapter: adapter, name: known?.id ?? "hci\(adapter)", radio: radio))
  }

  private mutating func waitUntilDue(_ time: Int64) throws {
    if speed.isInfinite {
      sinceTick += 1
      guard sinceTick >= 1000 else { return }
      sinceTick = 0
      guard try sink.pointee.tick() else { throw Stopped() }
      return
    }
    let origin = origin ?? (time, clock.monotonic())
    self.origin = origin
    let due = origin.now.addingReportingOverflow(
      Int64(clampedExactly: Double(time &- origin.recorded) / speed)
    ).partialValue
    while true {
      guard try sink.pointee.tick() else { throw Stopped() }
      let left = due - clock.monotonic()
      guard left > 0 else { return }
      clock.pause(Int32(min((left + 999_999) / 1_000_000, 50)))
    }
  }
}

extension Int64 {
  /// Creates the nearest number within range, and 0 below it.
  fileprivate init(clampedExactly value: Double) {
    self = Int64(exactly: value.rounded()) ?? (value < 0 ? 0 : 1 << 62)
  }
}

/// The time by which a recording is replayed: it stops while the user pauses, so that the replay
/// continues where it stopped.
final class ReplayTime: Sendable {
  private let base: MachineClock
  /// The nanoseconds for which the replay waited.
  private let leftOut = Atomic<Int64>(0)

  init(_ base: MachineClock) { self.base = base }

  var clock: MachineClock {
    MachineClock(
      now: base.now,
      monotonic: { [self] in base.monotonic() - leftOut.load(ordering: .relaxed) },
      pause: base.pause)
  }

  /// Excludes nanoseconds for which the replay waited.
  func leaveOut(_ nanoseconds: Int64) { leftOut.add(nanoseconds, ordering: .relaxed) }
}
