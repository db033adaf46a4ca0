internal import CBlueZ
import Glibc
internal import Sightings
import Support

/// An adapter through raw HCI sockets, beside whatever else uses it.
///
/// Three sockets: one sends commands, one receives every event, read by a thread of its own, and
/// one hears when the adapter goes up, down or away. All events are wanted, not only
/// advertisements: the answers to other programs' scan commands show who disturbs the scan.
final class RawSocketTransport: HCITransport {
  let name: String
  let timeKind = Radio.TimeKind.kernel
  let isManagedByKernel = true

  /// What is there while the adapter is.
  private struct Connection {
    var index: UInt16
    let commands: Descriptor
    let reader: SocketReader
  }

  private let control: AdapterControl
  private let stack: StackEvents
  private var connection: Connection?
  private var state = TransportState.up
  /// When to try again to switch the adapter on, nanoseconds of the monotonic clock; nil unless
  /// this program switched it off and it could not be switched on again.
  private var switchOnTime: Int64?
  private var drops = DropCount()
  /// By which a replugged adapter is known again, whatever its number then.
  private let identity: Adapter

  /// Opens an adapter.
  ///
  /// - Parameters:
  ///   - index: its number; nil = the first.
  ///   - switchesOn: whether to bring it up where it is down, rather than to refuse it.
  init(index: UInt16?, switchesOn: Bool = true) throws(RSSIError) {
    let control = try AdapterControl()
    let adapter = try control.require(index)
    // Who may not receive should not touch the adapter.
    _ = try Self.openEvents(of: adapter)
    guard adapter.isUp || switchesOn else { throw switchedOff(adapter) }
    let stack = try StackEvents()
    let connection = try Self.connect(adapter, through: control)
    // An adapter that the kernel has not set up yet gets its address on the way up.
    let identity = control.adapter(adapter.index) ?? adapter
    _ = stack.take(about: adapter.index)
    name = adapter.name
    self.control = control
    self.stack = stack
    self.connection = connection
    self.identity = Adapter(index: adapter.index, address: identity.address, isUp: adapter.isUp)
  }

  deinit { close() }

  private static func connect(
    _ adapter: Adapter, through control: AdapterControl
  ) throws(RSSIError) -> Connection {
    if !adapter.isUp { try control.bringUp(adapter.index) }
    // Only now: what the kernel asked while it set the controller up would look like trouble.
    let events = try openEvents(of: adapter)
    let stamps = cbluez_enable(events.number, SOL_HCI, HCI_TIME_STAMP)
    guard stamps == 0 else { throw socketError(-stamps, "\(adapter.name): no times of reception") }
    _ = cbluez_enlarge_buffer(events.number, kernelBufferSize)
    let reader = try SocketReader(events, framing: .events)
    return Connection(index: adapter.index, commands: try open(adapter), reader: reader)
  }

  /// A socket that gets every event.
  private static func openEvents(of adapter: Adapter) throws(RSSIError) -> Descriptor {
    let socket = try open(adapter)
    guard cbluez_is_taken(socket.number) == 0 else {
      throw socketError(EBUSY, "\(adapter.name) cannot be listened to")
    }
    try setEventFilter(of: socket, "\(adapter.name): advertisements") { filter in
      hci_filter_all_events(&filter)
    }
    return socket
  }

  private static func open(_ adapter: Adapter) throws(RSSIError) -> Descriptor {
    let number = cbluez_open(adapter.index, UInt16(HCI_CHANNEL_RAW))
    guard number >= 0 else { throw socketError(-number, "\(adapter.name) cannot be opened") }
    return Descriptor(number)
  }

  func send(_ command: [UInt8]) throws(RSSIError) {
    guard let connection, command.count >= 3 else { return }
    let opcode = UInt16(command[0]) | UInt16(command[1]) << 8
    var parameters = Array(command[3...])
    let result = hci_send_cmd(
      connection.commands.number, opcode >> 10, opcode & 0x3FF, UInt8(parameters.count),
      &parameters)
    guard result < 0 else { return }
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
    wait(for: [connection.reader.arrival, stack.number], milliseconds: milliseconds)
    var restarted = false
    let changes = stack.take(about: connection.index)
    for change in changes {
      switch change {
      case .up: (state, restarted) = (.up, true)
      case .down: state = .down
      case .gone: state = .gone
      }
    }
    if state == .down, isTimeToSwitchOn, (try? switchOn()) != nil { return .restarted }
    // What came before that has to be known before, such as the failure that it is the answer to.
    if !changes.isEmpty { connection.reader.catchUp() }
    if connection.reader.take(into: &batch) != nil { state = .gone }
    if state == .gone { disconnect() }
    return state == .up && restarted ? .restarted : state
  }

  func takeLosses() -> [TransportLoss] {
    drops.note(connection?.reader.dropped)
    return drops.take()
  }

  /// Switches the adapter off and on: the kernel then sets it up anew, event masks included, which
  /// HCIDEVRESET does not.
  func reset() throws(RSSIError) -> Bool {
    guard let index = connection?.index else { return false }
    try control.bringDown(index)
    state = .down
    try switchOn()
    return true
  }

  /// Brings the adapter up after this program brought it down.
  private func switchOn() throws(RSSIError) {
    guard let index = connection?.index else { return }
    // The kernel waits for the controller's answers, up to 10 s.
    switchOnTime = MachineClock.system.monotonic() + 5 * .second
    try control.bringUp(index)
    switchOnTime = nil
    _ = try reopen()
  }

  private var isTimeToSwitchOn: Bool {
    switchOnTime.map { MachineClock.system.monotonic() >= $0 } ?? false
  }

  func reopen() throws(RSSIError) -> Bool {
    disconnect()
    guard let adapter = try control.adapters().first(where: { identity.isSameRadio(as: $0) }) else {
      return false
    }
    connection = try Self.connect(adapter, through: control)
    _ = stack.take(about: adapter.index)
    state = .up
    return true
  }

  /// Lets go of the sockets: the kernel gives the adapter's number free only then.
  private func disconnect() {
    drops.note(connection?.reader.dropped)
    drops.restart()
    connection = nil
  }

  func close() {
    guard let index = connection?.index else { return }
    disconnect()
    if !identity.isUp { try? control.bringDown(index) }
  }
}

/// As much as the kernel is asked to hold while this program is not scheduled.
let kernelBufferSize: Int32 = 16 << 20

/// Waits until one of several descriptors is readable.
func wait(for descriptors: [Int32], milliseconds: Int32) {
  var waiting = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  _ = poll(&waiting, nfds_t(waiting.count), milliseconds)
}
