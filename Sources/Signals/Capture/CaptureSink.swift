package import Advertising
package import Sightings

/// A source of live reports: an adapter, a dongle, gateways behind a broker, a replayed recording.
package protocol CaptureSource: ~Copyable {
  /// Passes what is received to a sink, until the sink asks to stop or the source ends.
  ///
  /// A source waits at most a tenth of a second between two calls of the sink's `tick`, leaves the
  /// adapter as it found it when it returns or throws, and recovers by itself from what can be
  /// recovered from, with a notice of what was lost meanwhile.
  ///
  /// - Throws: `RSSIError` if listening cannot begin or go on; what the sink throws.
  mutating func run<Sink: CaptureSink & ~Copyable>(into sink: inout Sink) throws
}

/// A receiver of everything that a source hands over: a recorder, a bench, a session, a test.
///
/// No requirement has a default: a sink that passes what it receives to another passes `notice` on,
/// and so cannot forget a kind of notice. Sources that decode by themselves, such as gateways, call
/// `receive` of `ReportSink` with the receiver's number as the report's adapter.
package protocol CaptureSink: ReportSink, ~Copyable {
  /// Takes a raw HCI event, from its event code on; the bytes are gone when it returns.
  ///
  /// - Parameters:
  ///   - time: when it was received, nanoseconds since the Unix epoch.
  ///   - adapter: the number under which the receiver was described.
  mutating func receive(event: Span<UInt8>, time: Int64, adapter: UInt16) throws

  /// Takes a sighting of a gateway that names the beacon but does not hand on what it received.
  mutating func receive(_ sighting: GatewaySighting) throws

  /// Takes a notice of the source, which is anything but a report.
  mutating func notice(_ notice: SourceNotice) throws

  /// Does what is due by time, such as writing to the disk; false when the source is to stop.
  mutating func tick() throws -> Bool

  /// A Boolean value that is true if everything received is where the end of this process cannot
  /// take it.
  ///
  /// A source that can be asked again for what it sent, such as a broker, acknowledges only then.
  var isSaved: Bool { get }

  /// Saves everything that was received now, before that is due by time.
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

/// An event of a source other than what it receives.
package enum SourceNotice: Sendable {
  /// A receiver and its number, before anything comes from it and again when it changes.
  case receiver(adapter: UInt16, name: String, radio: Radio)
  /// The stream of a broker that everything comes from, before the source listens.
  case stream(StreamIdentity)
  /// The place in the stream up to which every message was passed on.
  case position(StreamPosition)
  /// The source listens: until then nothing of an earlier recording is given up.
  case start
  /// A time in which something was lost.
  case loss(Loss)
  /// The fate of packets that the source decoded by itself, since the last such notice; their
  /// reports came through `receive`.
  case counts(DecodingCounts)
  /// Input that was refused for a reason that is not a `Rejection`.
  case refusal(_ reason: String, count: UInt64)
  /// A sentence for the user, such as what to do about another program's scan.
  case message(String)
}

/// The notices that a sink has to be given first if it begins after the source did.
package struct StandingNotices {
  private var stream: StreamIdentity?
  private var receivers: [UInt16: (name: String, radio: Radio)] = [:]
  /// A Boolean value that is true if the source listens.
  package private(set) var isStarted = false

  package init() {}

  /// Keeps a notice that stays true until another of its kind comes.
  package mutating func keep(_ notice: SourceNotice) {
    switch notice {
    case .receiver(let adapter, let name, let radio): receivers[adapter] = (name, radio)
    case .stream(let identity): stream = identity
    case .start: isStarted = true
    case .position, .loss, .counts, .refusal, .message: break
    }
  }

  /// Gives them to a sink in the order in which sources do.
  package func repeated<Sink: CaptureSink & ~Copyable>(to sink: inout Sink) throws {
    if let stream { try sink.notice(.stream(stream)) }
    for (adapter, receiver) in receivers.sorted(by: { $0.key < $1.key }) {
      try sink.notice(.receiver(adapter: adapter, name: receiver.name, radio: receiver.radio))
    }
    if isStarted { try sink.notice(.start) }
  }
}

/// A sighting whose beacon is known by name only.
package struct GatewaySighting: Equatable, Sendable {
  /// Nanoseconds since the Unix epoch.
  package var time: Int64
  /// The number under which the receiver was described.
  package var adapter: UInt16
  /// The beacon's identity in the words of `BeaconIdentity`, such as `ibeacon:UUID:1:2`.
  package var beacon: String
  /// dBm; NaN = not available.
  package var rssi: Float
  /// 255 = unknown.
  package var channel: UInt8 = 255
  /// RSSI at 1 m in dBm as the beacon states it; NaN if it does not.
  package var measuredPower = Float.nan

  package init(time: Int64, adapter: UInt16, beacon: String, rssi: Float) {
    self.time = time
    self.adapter = adapter
    self.beacon = beacon
    self.rssi = rssi
  }
}
