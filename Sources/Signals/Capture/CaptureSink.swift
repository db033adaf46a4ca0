package import Advertising
package import Sightings

/// A source of live reports: an adapter, a dongle, gateways behind a broker, or a replayed
/// recording.
package protocol CaptureSource: ~Copyable {
  /// Passes everything received to a sink, until the sink asks to stop or the source ends.
  ///
  /// A source waits at most 0.1 s between two calls of the sink's `tick`, restores the adapter to
  /// its former state when it returns or throws, and recovers from transient failures by itself,
  /// with a notice of the losses.
  ///
  /// - Throws: `RSSIError` if scanning cannot start or continue; any error of the sink.
  mutating func run<Sink: CaptureSink & ~Copyable>(into sink: inout Sink) throws
}

/// A consumer of everything that a source delivers: a recorder, a bench, a session, a test.
///
/// No requirement has a default, so a sink that forwards to another sink forwards every kind of
/// notice. Sources that decode by themselves, such as gateways, call `receive` of `ReportSink` with
/// the receiver's number as the report's adapter.
package protocol CaptureSink: ReportSink, ~Copyable {
  /// Receives a raw HCI event, from its event code on; the bytes are valid only during the call.
  ///
  /// - Parameters:
  ///   - time: the time of reception, nanoseconds since the Unix epoch.
  ///   - adapter: the number under which the receiver was described.
  mutating func receive(event: Span<UInt8>, time: Int64, adapter: UInt16) throws

  /// Receives a sighting of a gateway that names the beacon but does not forward the advertisement.
  mutating func receive(_ sighting: GatewaySighting) throws

  /// Receives a notice of the source, which is anything but a report.
  mutating func notice(_ notice: SourceNotice) throws

  /// Performs work that is due by time, such as writing to the disk; returns false if the source is
  /// to stop.
  mutating func tick() throws -> Bool

  /// A Boolean value that is true if everything received would survive the end of this process.
  ///
  /// A source that can have messages sent again, such as a broker, acknowledges only then.
  var isSaved: Bool { get }

  /// Saves everything received so far, without waiting for the regular time.
  mutating func save() throws
}

extension Optional where Wrapped: CaptureSink & ~Copyable {
  /// A Boolean value that is true if there is no sink, or if it saved everything.
  package var isSaved: Bool {
    switch self {
    case .some(let sink): sink.isSaved
    case .none: true
    }
  }
}

/// An event of a source other than a reception.
package enum SourceNotice: Sendable {
  /// A receiver and its number, before its first report and again after each change.
  case receiver(adapter: UInt16, name: String, radio: Radio)
  /// The broker's stream that all reports come from, before the source listens.
  case stream(StreamIdentity)
  /// The place in the stream up to which every message was passed on.
  case position(StreamPosition)
  /// The start of listening; until then nothing of an earlier recording is overwritten.
  case start
  /// An interval in which receptions were lost.
  case loss(Loss)
  /// The decoding counts of a source that decodes by itself, since the last such notice; its
  /// reports are passed to `receive`.
  case counts(DecodingCounts)
  /// Input that was refused for a reason that is not a `Rejection`.
  case refusal(_ reason: String, count: UInt64)
  /// A message for the user, such as the remedy for another program's scan.
  case message(String)
}

/// The notices that a sink needs first if it starts after the source.
package struct StandingNotices {
  private var stream: StreamIdentity?
  private var receivers: [UInt16: (name: String, radio: Radio)] = [:]
  /// A Boolean value that is true if the source listens.
  package private(set) var isStarted = false

  package init() {}

  /// Keeps a notice that remains valid until the next one of its kind.
  package mutating func keep(_ notice: SourceNotice) {
    switch notice {
    case .receiver(let adapter, let name, let radio): receivers[adapter] = (name, radio)
    case .stream(let identity): stream = identity
    case .start: isStarted = true
    case .position, .loss, .counts, .refusal, .message: break
    }
  }

  /// Passes the notices to a sink in the order in which sources send them.
  package func repeated<Sink: CaptureSink & ~Copyable>(to sink: inout Sink) throws {
    if let stream { try sink.notice(.stream(stream)) }
    for (adapter, receiver) in receivers.sorted(by: { $0.key < $1.key }) {
      try sink.notice(.receiver(adapter: adapter, name: receiver.name, radio: receiver.radio))
    }
    if isStarted { try sink.notice(.start) }
  }
}

/// A sighting whose beacon is known only by name.
package struct GatewaySighting: Equatable, Sendable {
  /// The time of reception, nanoseconds since the Unix epoch.
  package var time: Int64
  /// The number under which the receiver was described.
  package var adapter: UInt16
  /// The beacon's identity as written by `BeaconIdentity`, such as `ibeacon:UUID:1:2`.
  package var beacon: String
  /// The received power in dBm; NaN if it is not available.
  package var rssi: Float
  /// The radio channel index; 255 if it is unknown.
  package var channel: UInt8 = 255
  /// The nominal RSSI at 1 m in dBm that the beacon transmits; NaN if there is none.
  package var measuredPower = Float.nan
  /// The direction from which it was received; mostly unknown.
  package var angle = Angle()

  package init(time: Int64, adapter: UInt16, beacon: String, rssi: Float) {
    self.time = time
    self.adapter = adapter
    self.beacon = beacon
    self.rssi = rssi
  }
}
