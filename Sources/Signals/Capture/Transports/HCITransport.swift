internal import Advertising
internal import Sightings
import Support

/// A transport to a controller: commands out, events in. One file each: raw socket, user channel,
/// stream.
protocol HCITransport: AnyObject {
  /// The name of the controller in messages and the file, such as `hci0` or `tcp:192.0.2.7:9000`.
  var name: String { get }

  /// The clock of the times of its events.
  var timeKind: Radio.TimeKind { get }

  /// A Boolean value that is true if the kernel manages the controller: then it is not reset and
  /// its event masks are left alone. False if this program is the controller's only host.
  var isManagedByKernel: Bool { get }

  /// Sends one command: opcode (least significant byte first), length, parameters.
  ///
  /// - Throws: if the controller is gone or down; `receive` then shows the state.
  func send(_ command: [UInt8]) throws(RSSIError)

  /// Waits for events, for at most a number of milliseconds, and appends them.
  ///
  /// Events that arrived before a failure are appended before it is thrown, and before `.gone`. If
  /// the controller is down or gone it still waits for the whole time, unless the state changes.
  ///
  /// - Returns: the state of the controller.
  func receive(
    into batch: inout EventBatch, within milliseconds: Int32
  ) throws(RSSIError) -> TransportState

  /// Returns the losses since the last call, such as events that the kernel dropped; called about
  /// once a second.
  func takeLosses() -> [TransportLoss]

  /// Tries to reset an unresponsive controller; returns false if that is not supported.
  func reset() throws(RSSIError) -> Bool

  /// Tries to reopen a controller that was gone; returns false while it is absent.
  ///
  /// Returns within about 0.1 s: it is called again.
  func reopen() throws(RSSIError) -> Bool

  /// Restores the adapter to its former state.
  func close()
}

/// The state of a controller.
enum TransportState: Equatable {
  case up
  /// It was switched off or is being reset, so that no command is possible.
  case down
  /// It came up again, so that its settings are lost.
  case restarted
  /// It is no longer there.
  case gone
}

/// A loss in a transport.
struct TransportLoss: Equatable {
  var reason: Gap.Reason
  /// The number of events known to be lost; 0 if they cannot be counted.
  var dropped: UInt64
  /// The number of refused bytes, for a loss of anything but events.
  var refusedBytes: UInt64 = 0
}

/// HCI events received together, in one arena of bytes that keeps its memory.
struct EventBatch {
  /// The events' bytes in sequence, each from its event code on.
  private(set) var bytes: [UInt8] = []
  private(set) var events: [Event] = []

  /// The counts of packets that are not events.
  private(set) var others: [PacketKind: Int] = [:]

  struct Event {
    var range: Range<Int>
    /// The time of reception, nanoseconds since the Unix epoch.
    var time: Int64
  }

  var isEmpty: Bool { events.isEmpty && others.isEmpty }

  mutating func append(_ event: Span<UInt8>, time: Int64) {
    let start = bytes.count
    event.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    events.append(Event(range: start..<bytes.count, time: time))
  }

  /// Counts packets that are not events.
  mutating func pass(_ kind: PacketKind, count: Int = 1) { others[kind, default: 0] += count }

  mutating func removeAll() {
    others.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
  }
}
