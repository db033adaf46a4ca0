internal import CBlueZ
import Glibc
internal import Sightings
import Support

/// An adapter through the kernel's user channel: it is exclusive to this program, so that no other
/// can disturb the scan; the rest of the system does not see it meanwhile.
final class UserChannelTransport: HCITransport {
  let name: String
  let timeKind = Radio.TimeKind.kernel
  let isManagedByKernel = false

  private let control: AdapterControl
  private var socket: HCISocket
  private let found: Adapter

  /// Takes an adapter over from the kernel; one that is up is brought down first.
  init(index: UInt16) throws(RSSIError) {
    let control = try AdapterControl()
    let adapter = try control.require(index)
    name = "user:\(adapter.index)"
    var socket = HCISocket(name: name)
    try Self.connect(&socket, to: adapter, through: control)
    self.control = control
    self.socket = socket
    found = adapter
  }

  deinit { close() }

  private static func connect(
    _ socket: inout HCISocket, to adapter: Adapter, through control: AdapterControl
  ) throws(RSSIError) {
    if adapter.isUp { try control.bringDown(adapter.index) }
    let number = cbluez_open(adapter.index, UInt16(HCI_CHANNEL_USER))
    guard number >= 0 else {
      // The kernel reports busy if the adapter is up or another program owns it.
      throw -number == EBUSY || -number == EUSERS
        ? RSSIError(
          .unavailable,
          "\(adapter.name) is up or in use by another program: end that program, stop bluetoothd "
            + "(`systemctl stop bluetooth`), or run `hciconfig \(adapter.name) down`")
        : socketError(-number, "\(adapter.name) cannot be opened exclusively")
    }
    let channel = Descriptor(number)
    let events = try SocketReader(
      stamped: channel, framing: .events, problem: "\(adapter.name): no times of reception")
    socket.connect(to: adapter.index, commands: channel, events: events)
  }

  func send(_ command: [UInt8]) throws(RSSIError) { try socket.send(command) }

  func receive(
    into batch: inout EventBatch, within milliseconds: Int32
  ) throws(RSSIError) -> TransportState {
    socket.wait(milliseconds: milliseconds)
    return socket.take(into: &batch) ? .up : .gone
  }

  func takeLosses() -> [TransportLoss] { socket.takeLosses() }

  /// Releases the adapter and takes it over again, which switches it off and on.
  func reset() throws(RSSIError) -> Bool { try reopen() }

  func reopen() throws(RSSIError) -> Bool {
    socket.disconnect()
    guard let adapter = try control.find(found) else { return false }
    try Self.connect(&socket, to: adapter, through: control)
    return true
  }

  func close() {
    guard let index = socket.index else { return }
    // Closing the socket switches the adapter off.
    socket.disconnect()
    if found.isUp { try? control.bringUp(index) }
  }
}
