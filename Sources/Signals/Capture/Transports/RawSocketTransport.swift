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

  private let control: AdapterControl
  private let stack: StackEvents
  private var socket: HCISocket
  private var state = TransportState.up
  /// When to try again to switch the adapter on, nanoseconds of the monotonic clock; nil unless
  /// this program switched it off and it could not be switched on again.
  private var switchOnTime: Int64?
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
    var socket = HCISocket(name: adapter.name)
    try Self.connect(&socket, to: adapter, through: control)
    // An adapter that the kernel has not set up yet gets its address on the way up.
    let identity = control.adapter(adapter.index) ?? adapter
    _ = stack.take(about: adapter.index)
    name = adapter.name
    self.control = control
    self.stack = stack
    self.socket = socket
    self.identity = Adapter(index: adapter.index, address: identity.address, isUp: adapter.isUp)
  }

  deinit { close() }

  private static func connect(
    _ socket: inout HCISocket, to adapter: Adapter, through control: AdapterControl
  ) throws(RSSIError) {
    if !adapter.isUp { try control.bringUp(adapter.index) }
    // Only now: what the kernel asked while it set the controller up would look like trouble.
    let events = try SocketReader(
      stamped: openEvents(of: adapter), level: SOL_HCI, option: HCI_TIME_STAMP, framing: .events,
      problem: "\(adapter.name): no times of reception")
    socket.connect(to: adapter.index, commands: try open(adapter), events: events)
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

  func send(_ command: [UInt8]) throws(RSSIError) { try socket.send(command) }

  func receive(
    into batch: inout EventBatch, within milliseconds: Int32
  ) throws(RSSIError) -> TransportState {
    guard let index = socket.index else {
      socket.wait(milliseconds: milliseconds)
      return .gone
    }
    socket.wait(or: stack.number, milliseconds: milliseconds)
    var restarted = false
    let changes = stack.take(about: index)
    for change in changes {
      switch change {
      case .up: (state, restarted) = (.up, true)
      case .down: state = .down
      case .gone: state = .gone
      }
    }
    if state == .down, isTimeToSwitchOn, (try? switchOn()) != nil { return .restarted }
    // What came before that has to be known before, such as the failure that it is the answer to.
    if !changes.isEmpty { socket.catchUp() }
    if !socket.take(into: &batch) { state = .gone }
    if state == .gone { socket.disconnect() }
    return state == .up && restarted ? .restarted : state
  }

  func takeLosses() -> [TransportLoss] { socket.takeLosses() }

  /// Switches the adapter off and on: the kernel then sets it up again, event masks included, which
  /// HCIDEVRESET does not.
  func reset() throws(RSSIError) -> Bool {
    guard let index = socket.index else { return false }
    try control.bringDown(index)
    state = .down
    try switchOn()
    return true
  }

  /// Brings the adapter up after this program brought it down.
  private func switchOn() throws(RSSIError) {
    guard let index = socket.index else { return }
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
    socket.disconnect()
    guard let adapter = try control.find(identity) else { return false }
    try Self.connect(&socket, to: adapter, through: control)
    _ = stack.take(about: adapter.index)
    state = .up
    return true
  }

  func close() {
    guard let index = socket.index else { return }
    socket.disconnect()
    if !identity.isUp { try? control.bringDown(index) }
  }
}
