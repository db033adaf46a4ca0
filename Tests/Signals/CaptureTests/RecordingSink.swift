import Advertising
import Capture
import Sightings

/// A sink that keeps everything, and stops after a number of reports or of ticks.
struct RecordingSink: CaptureSink {
  struct Received: Equatable {
    var report: AdvertisingReport
    var payload: [UInt8]
  }

  var reports: [Received] = []
  var named: [GatewaySighting] = []
  var receivers: [UInt16: (name: String, radio: Radio)] = [:]
  var losses: [Loss] = []
  var rejected: [String: UInt64] = [:]
  var notes: [String] = []
  /// The stream, and the numbers of the messages that were passed on.
  var stream: StreamIdentity?
  var reached: [StreamPosition] = []
  /// What the source accounted for by itself.
  var counts = DecodingCounts()
  var events = 0
  var starts = 0
  var ticks = 0
  /// How many times the source asked to save.
  var saves = 0
  /// Whether everything counts as saved at each tick; else when the source asks for it only.
  var savesAtTicks = true
  private(set) var isSaved = true
  /// Called at each tick; false stops the source.
  var goesOn: (RecordingSink) -> Bool
  /// What it throws for a report; nil takes it.
  var failure: (AdvertisingReport) -> (any Error)? = { _ in nil }
  private var decoder = HCIEventDecoder()

  init(goesOn: @escaping (RecordingSink) -> Bool) { self.goesOn = goesOn }

  mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
    isSaved = false
    if let failure = failure(report) { throw failure }
    reports.append(Received(report: report, payload: payload.indices.map { payload[$0] }))
  }

  mutating func receive(event: Span<UInt8>, time: Int64, adapter: UInt16) throws {
    events += 1
    var decoder = self.decoder
    try decoder.decode(event, time: time, adapter: adapter, into: &self)
    self.decoder = decoder
  }

  mutating func receive(_ sighting: GatewaySighting) throws { named.append(sighting) }

  mutating func notice(_ notice: SourceNotice) throws {
    switch notice {
    case .receiver(let adapter, let name, let radio): receivers[adapter] = (name, radio)
    case .stream(let stream): self.stream = stream
    case .position(let position):
      isSaved = false
      reached.append(position)
    case .start: starts += 1
    case .loss(let loss): losses.append(loss)
    case .counts(let counts): self.counts.merge(counts)
    case .refusal(let reason, let count): rejected[reason, default: 0] += count
    case .message(let text): notes.append(text)
    }
  }

  mutating func save() throws {
    saves += 1
    isSaved = true
  }

  mutating func tick() throws -> Bool {
    ticks += 1
    isSaved = savesAtTicks || isSaved
    return goesOn(self)
  }
}
