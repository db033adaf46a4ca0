internal import CBlueZ
import Glibc
internal import Sightings
import Support

/// The sockets of an adapter, while it is present: one for commands, one for events, which a
/// separate thread reads. They may be the same socket.
struct HCISocket {
  private struct Connection {
    let index: UInt16
    let commands: Descriptor
    let reader: SocketReader
  }

  /// The name of the adapter in messages.
  private let name: String
  private var connection: Connection?
  private var drops = DropCount()

  init(name: String) { self.name = name }

  /// The adapter's number; nil without a connection.
  var index: UInt16? { connection?.index }

  mutating func connect(to index: UInt16, commands: Descriptor, events: SocketReader) {
    disconnect()
    connection = Connection(index: index, commands: commands, reader: events)
  }

  /// Closes the sockets: only then does the kernel release the adapter's number.
  mutating func disconnect() {
    drops.note(connection?.reader.dropped)
    drops.restart()
    connection = nil
  }

  /// Sends one command, as `HCITransport.send` does.
  func send(_ command: [UInt8]) throws(RSSIError) {
    guard let connection else { return }
    let packet = [UInt8(HCI_COMMAND_PKT)] + command
    // The kernel accepts any number of commands: a socket that accepts none is broken.
    while write(connection.commands.number, packet, packet.count) < 0 {
      switch errno {
      case EINTR: continue
      // Receiving shows the state of the adapter; until then nothing answers.
      case ENETDOWN, ENODEV, EPIPE, EBADFD, ENXIO: return
      case let number: throw socketError(number, "\(name) does not accept commands")
      }
    }
  }

  /// Waits for events, or until another descriptor is readable; without a connection for the whole
  /// time.
  func wait(or other: Int32? = nil, milliseconds: Int32) {
    let descriptors = connection.map { [$0.reader.arrival] + (other.map { [$0] } ?? []) } ?? []
    Capture.wait(for: descriptors, milliseconds: milliseconds)
  }

  /// Waits, at most 0.1 s, until all events in the kernel are read.
  func catchUp() { connection?.reader.catchUp() }

  /// Moves the events that were read into a batch.
  ///
  /// - Returns: false, after closing the sockets, if there will be no more.
  mutating func take(into batch: inout EventBatch) -> Bool {
    guard let connection else { return false }
    guard connection.reader.take(into: &batch) != nil else { return true }
    disconnect()
    return false
  }

  mutating func takeLosses() -> [TransportLoss] {
    drops.note(connection?.reader.dropped)
    return drops.take()
  }
}

/// Waits until one of several descriptors is readable.
func wait(for descriptors: [Int32], milliseconds: Int32) {
  var waiting = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  _ = poll(&waiting, nfds_t(waiting.count), milliseconds)
}

/// A converter of the kernel's running count of dropped packets into losses.
struct DropCount {
  private var last: UInt32 = 0
  private var pending: UInt64 = 0

  /// Updates the count of a socket, modulo 2^32; nil if the kernel does not report it.
  mutating func note(_ count: UInt32?) {
    guard let count else { return }
    pending += UInt64(count &- last)
    last = count
  }

  /// Notes a new socket, which counts from zero.
  mutating func restart() { last = 0 }

  /// Returns the losses since the last call.
  mutating func take() -> [TransportLoss] {
    guard pending > 0 else { return [] }
    defer { pending = 0 }
    return [TransportLoss(reason: .overflow, dropped: pending)]
  }
}
