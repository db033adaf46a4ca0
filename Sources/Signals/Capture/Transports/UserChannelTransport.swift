internal import CBlueZ
import Glibc
internal import Sightings
import Support

/// An adapter through the kernel's user channel: this program alone has it, and nobody can disturb
/// the scan; the rest of the system sees no such adapter meanwhile.
final class UserChannelTransport: HCITransport {
  let name: String
  let timeKind = Radio.TimeKind.kernel
  let isManagedByKernel = false

  private struct Connection {
    var index: UInt16
    let socket: Descriptor
    let reader: SocketReader
  }

  private let control: AdapterControl
  private var connection: Connection?
  private var drops = DropCount()
  private let found: Adapter

  /// Takes an adapter away from the kernel; one that is up is brought down first.
  init(index: UInt16) throws(RSSIError) {
    let control = try AdapterControl()
    let adapter = try control.require(index)
    let connection = try Self.connect(adapter, through: control)
    name = "user:\(adapter.index)"
    self.control = control
    self.connection = connection
    found = adapter
  }

  deinit { close() }

  private static func connect(
    _ adapter: Adapter, through control: AdapterControl
  ) throws(RSSIError) -> Connection {
    if adapter.isUp { try control.bringDown(adapter.index) }
    let number = cbluez_open(adapter.index, UInt16(HCI_CHANNEL_USER))
    guard number >= 0 else {
      // The kernel says busy where the adapter is up or another program has it as its own.
      throw -number == EBUSY || -number == EUSERS
        ? RSSIError(
          .unavailable,
          "\(adapter.name) is up or another program's own: end that program, stop bluetoothd "
            + "(`systemctl stop bluetooth`), or run `hciconfig \(adapter.name) down`")
        : socketError(-number, "\(adapter.name) cannot be had exclusively")
    }
    let socket = Descriptor(number)
    let stamps = cbluez_enable(socket.number, SOL_SOCKET, SO_TIMESTAMPNS)
    guard stamps == 0 else { throw socketError(-stamps, "\(adapter.name): no times of reception") }
    _ = cbluez_enlarge_buffer(socket.number, kernelBufferSize)
    return Connection(
      index: adapter.index, socket: socket, reader: try SocketReader(socket, framing: .events))
  }

  func send(_ command: [UInt8]) throws(RSSIError) {
    guard let connection else { return }
    let packet = [UInt8(HCI_COMMAND_PKT)] + command
    // The kernel has room for commands without end: a socket that takes none is broken.
    guard write(connection.socket.number, packet, packet.count) < 0 else { return }
    switch errno {
    // `receive` tells what became of the adapter; meanwhile nothing answers.
    case ENETDOWN, ENODEV, EPIPE, EBADFD, ENXIO: return
    case let number: throw socketError(number, "\(name) takes no command")
    }
  }

  func receive(
    into batch: inout EventBatch, within milliseconds: Int32
  ) throws(RSSIError) -> TransportState {
    guard let connection else {
      _ = poll(nil, 0, milliseconds)
      return .gone
    }
    wait(for: [connection.reader.arrival], milliseconds: milliseconds)
    guard connection.reader.take(into: &batch) != nil else { return .up }
    disconnect()
    return .gone
  }

  func takeLosses() -> [TransportLoss] {
    drops.note(connection?.reader.dropped)
    return drops.take()
  }

  /// Gives the adapter back and takes it again, which switches it off and on.
  func reset() throws(RSSIError) -> Bool { try reopen() }

  func reopen() throws(RSSIError) -> Bool {
    disconnect()
    guard let adapter = try control.adapters().first(where: { found.isSameRadio(as: $0) }) else {
      return false
    }
    connection = try Self.connect(adapter, through: control)
    return true
  }

  private func disconnect() {
    drops.note(connection?.reader.dropped)
    drops.restart()
    connection = nil
  }

  func close() {
    guard let index = connection?.index else { return }
    // Letting go of the socket switches the adapter off.
    disconnect()
    if found.isUp { try? control.bringUp(index) }
  }
}
