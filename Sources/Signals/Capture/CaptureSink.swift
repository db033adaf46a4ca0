package import Advertising
package import Sightings
import Support

/// What takes everything that a source receives: a recorder, a test.
///
/// Sources that decode by themselves, such as gateways, call `receive` of `ReportSink` with the
/// receiver's number as the report's adapter.
package protocol CaptureSink: RecordingSink, ~Copyable {
  /// Takes a raw HCI event, from its event code on; the bytes are gone when it returns.
  ///
  /// - Parameters:
  ///   - time: when it was received, nanoseconds since the Unix epoch.
  ///   - adapter: the number under which the receiver was described.
  mutating func receive(event: Span<UInt8>, time: Int64, adapter: UInt16) throws

  /// Takes a sighting of a gateway that names the beacon but does not hand on what it received.
  mutating func receive(_ sighting: NamedSighting) throws

  /// Shows what a receiver is, before anything comes from it and again when that changes.
  mutating func describe(adapter: UInt16, name: String, radio: Radio) throws

  /// Names the stream of a broker that everything comes from, before the source listens.
  mutating func describe(_ stream: StreamIdentity) throws

  /// Notes that every message of the stream up to this one was passed on.
  mutating func reached(_ position: StreamPosition) throws

  /// Learns that the source listens: until then nothing of an earlier recording is given up.
  mutating func started() throws

  /// Adds what became of packets that the source decoded by itself, since the last call; their
  /// reports came through `receive`.
  mutating func account(for counts: DecodingCounts)

  /// Notes why input was refused, for a reason that is not a `Rejection`.
  mutating func reject(_ reason: String, count: UInt64)

  /// States something to the person who captures, such as what to do about another program's scan.
  mutating func note(_ text: String)

  /// Does what is due by time, such as writing to the disk; false when the source is to stop.
  mutating func tick() throws -> Bool

  /// Whether everything that was received is where the end of this process cannot take it.
  ///
  /// A source that can be asked again for what it sent, such as a broker, acknowledges only then.
  var isSaved: Bool { get }

  /// Saves everything that was received now, before that is due by time.
  mutating func save() throws
}

/// A sink that keeps nothing has nothing to save, nor a place in a stream.
extension CaptureSink where Self: ~Copyable {
  package mutating func describe(_ stream: StreamIdentity) throws {}
  package mutating func reached(_ position: StreamPosition) throws {}
  package var isSaved: Bool { true }
  package mutating func save() throws {}
}

/// A sighting whose beacon is known by name only.
package struct NamedSighting: Equatable, Sendable {
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
  /// RSSI at 1 m in dBm as the beacon states it; NaN where it is not stated.
  package var measuredPower = Float.nan

  package init(time: Int64, adapter: UInt16, beacon: String, rssi: Float) {
    self.time = time
    self.adapter = adapter
    self.beacon = beacon
    self.rssi = rssi
  }
}

/// What is listened to: an adapter, a dongle, gateways behind a broker, a recording played again.
package protocol CaptureSource: ~Copyable {
  /// Listens and hands on what is received, until the sink wants no more or the source ends.
  ///
  /// A source waits at most a tenth of a second between two calls of the sink's `tick`, leaves the
  /// adapter as it found it when it returns or throws, and recovers by itself from what can be
  /// recovered from, showing the sink what was lost meanwhile.
  ///
  /// - Throws: `RSSIError` where listening cannot begin or go on; what the sink throws.
  mutating func run<Sink: CaptureSink & ~Copyable>(into sink: inout Sink) throws
}
