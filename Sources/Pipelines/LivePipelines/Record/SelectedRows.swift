import Advertising
import Capture
import Sightings

/// A sink that passes the selected reports into the rows of a trace.
struct SelectedRows: ReportSink, ~Copyable {
  /// The builder of the rows; nil between two files.
  var builder: TraceBuilder<RecordOutput>?
  private var selection: ReportSelection
  private let isEverything: Bool
  private let limit: Int?
  /// The number of kept reports, and of others, over all files.
  private(set) var taken = 0
  private(set) var leftOut = 0
  /// The times of the first and the latest report of this file; nil before the first.
  private(set) var span: ClosedRange<Int64>?
  /// The number of kept reports at the last look at the rate, and its time.
  private var counted: (taken: Int, at: Int64)

  /// - Parameters:
  ///   - limit: the maximum number of reports to keep; nil = all.
  ///   - now: the time from which the rate counts, by the monotonic clock.
  init(_ selection: ReportSelection, limit: Int?, at now: Int64) {
    self.selection = selection
    self.limit = limit
    isEverything = selection.isEverything
    counted = (0, now)
  }

  /// A Boolean value that is true if the limit is reached.
  var isFull: Bool { limit.map { taken >= $0 } ?? false }

  mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
    guard !isFull, isEverything || selection.accepts(report, payload: payload) else {
      leftOut += 1
      return
    }
    taken += 1
    extend(to: report.time)
    builder?.sink.latency?.receive(at: report.time)
    try builder?.receive(report, payload: payload)
  }

  mutating func receive(_ sighting: GatewaySighting) throws {
    guard !isFull,
      isEverything || selection.accepts(beacon: sighting.beacon, rssi: sighting.rssi)
    else {
      leftOut += 1
      return
    }
    taken += 1
    extend(to: sighting.time)
    builder?.sink.latency?.receive(at: sighting.time)
    try builder?.receive(
      beacon: sighting.beacon, measuredPower: sighting.measuredPower, adapter: sighting.adapter,
      time: sighting.time, rssi: sighting.rssi, channel: sighting.channel, angle: sighting.angle)
  }

  private mutating func extend(to time: Int64) {
    guard let known = span else {
      span = time...time
      return
    }
    if !known.contains(time) {
      span = min(known.lowerBound, time)...max(known.upperBound, time)
    }
  }

  /// A Boolean value that is true if the tables have grown so far that they begin again.
  var hasLargeTables: Bool {
    switch builder {
    case .some(let builder): builder.sink.isLarge(builder.catalogue)
    case .none: false
    }
  }

  /// Begins with the rows of another file.
  mutating func begin(_ builder: consuming TraceBuilder<RecordOutput>) {
    self.builder = consume builder
    span = nil
  }

  /// Marks the places and rooms of the receivers, from the first report of this file to the latest.
  ///
  /// The receivers of one source are in one machine, and so at one place; gateways have no such
  /// label.
  mutating func mark(_ labels: RecordLabels) throws {
    if var builder = builder.take() {
      labels.placeSenders(in: &builder)
      do {
        if let span { try labels.markRooms(in: &builder, from: span.lowerBound) }
        self.builder = consume builder
      } catch {
        self.builder = consume builder
        throw error
      }
    }
    guard let place = labels.at, let span, var builder = builder.take() else { return }
    for receiver in builder.catalogue.receivers.indices {
      builder.stand(
        receiver: UInt16(receiver), x: place.x, y: place.y, z: place.z, during: span)
    }
    self.builder = consume builder
  }

  /// Notes about beacons that match a shortened identity and are left out.
  var ambiguities: [String] {
    selection.leftOut.map { other, meant in
      "`beacon` selects \(meant); \(other) matches too and is left out"
    }.sorted()
  }

  /// Returns the reports per second since the last call.
  mutating func takeRate(_ now: Int64) -> Double {
    let rate = Double(taken - counted.taken) / max(1e-9, Double(now - counted.at) / 1e9)
    counted = (taken, now)
    return rate
  }
}
