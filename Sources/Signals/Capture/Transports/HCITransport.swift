internal import Advertising
internal import Sightings
import Support

/// A way to a controller: commands out, events in. One file each: raw socket, user channel, stream.
protocol HCITransport: AnyObject {
  /// The name of the controller in messages and the file, such as `hci0` or `tcp:192.0.2.7:9000`.
  var name: String { get }

  /// The clock of the times of its events.
  var timeKind: Radio.TimeKind { get }

  /// A Boolean value that is true if the kernel keeps the controller in order: then it is not reset
  /// and its event masks are left alone. False where this program is the controller's only host.
  var isManagedByKernel: Bool { get }

  /// Sends one command: opcode (least significant byte first), length, parameters.
  ///
  /// - Throws: where the controller is gone or down; `receive` then shows which.
  func send(_ command: [UInt8]) throws(RSSIError)

  /// Waits for events, for so many milliseconds at most, and appends what there is.
  ///
  /// Events that arrived before a failure are appended before it is thrown, and before `.gone`.
  /// Where the controller is down or gone it still waits out its time, unless something changes.
  ///
  /// - Returns: what happened to the controller meanwhile.
  func receive(
    into batch: inout EventBatch, within milliseconds: Int32
  ) throws(RSSIError) -> TransportState

  /// Returns the losses since the last call, such as events that the kernel threw away; asked for
  /// about once a second.
  func takeLosses() -> [TransportLoss]

  /// Tries to bring back a controller that answers nothing; false where there is no way.
  func reset() throws(RSSIError) -> Bool

  /// Tries to open the controller again after it was gone; false while it is not there.
  ///
  /// Returns within about a tenth of a second: it is called again.
  func reopen() throws(RSSIError) -> Bool

  /// Leaves the adapter as it was found.
  func close()
}

/// The state of a controller.
enum TransportState: Equatable {
  case up
  /// It was switched off or is being reset; nothing can be asked of it.
  case down
  /// It came up again: its settings are gone.
  case restarted
  /// It is not there any more.
  case gone
}

/// Something that a transport lost.
struct TransportLoss: Equatable {
  var reason: Gap.Reason
  /// Events known to be lost; 0 where no one can count them.
  var dropped: UInt64
  /// Bytes that were refused, where what was lost is not events.
  var refusedBytes: UInt64 = 0
}

/// HCI events received together, in one arena of bytes that keeps its memory.
struct EventBatch {
  /// The events' bytes, one after the other, each from its event code on.
  private(set) var bytes: [UInt8] = []
  private(set) var events: [Event] = []

  /// Packets that are not events, of which only the number is kept.
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
