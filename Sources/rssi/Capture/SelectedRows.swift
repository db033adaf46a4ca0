import Advertising
import Capture
import Sightings

/// The reports that are kept, on their way into the rows of a trace.
struct SelectedRows: ReportSink, ~Copyable {
  /// Where the rows go; nil between two files.
  var intake: Intake<CaptureOutput>?
  private var selection: Selection
  private let isEverything: Bool
  private let limit: Int?
  /// Reports kept and not kept, over all files.
  private(set) var taken = 0
  private(set) var leftOut = 0
  /// The time of the latest report, nanoseconds since the Unix epoch.
  private(set) var latest = Int64.min
  private var counted = (taken: 0, at: SystemClock.monotonic)

  init(_ selection: Selection, limit: Int?) {
    self.selection = selection
    self.limit = limit
    isEverything = selection.isEverything
  }

  /// Whether as many were kept as were asked for.
  var isFull: Bool { limit.map { taken >= $0 } ?? false }

  mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
    guard !isFull else { return }
    guard isEverything || selection.accepts(report, payload: payload) else {
      leftOut += 1
      return
    }
    taken += 1
    latest = report.time
    try intake?.receive(report, payload: payload)
  }

  mutating func receive(_ sighting: NamedSighting) throws {
    guard !isFull else { return }
    guard isEverything || selection.accepts(beacon: sighting.beacon, rssi: sighting.rssi) else {
      leftOut += 1
      return
    }
    taken += 1
    latest = sighting.time
    try intake?.receive(
      beacon: sighting.beacon, measuredPower: sighting.measuredPower, adapter: sighting.adapter,
      time: sighting.time, rssi: sighting.rssi, channel: sighting.channel)
  }

  /// Marks where the receiver is, as far as the latest report.
  mutating func mark(_ labels: Labels, receiver: UInt16) {
    guard var intake = intake.take() else { return }
    labels.mark(receiver: receiver, at: latest, in: &intake)
    self.intake = consume intake
  }

  /// Reports a second since the last call.
  mutating func takeRate(_ now: Int64) -> Double {
    let rate = Double(taken - counted.taken) / max(1e-9, Double(now - counted.at) / 1e9)
    counted = (taken, now)
    return rate
  }
}
