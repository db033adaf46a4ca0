internal import CBlueZ
import Glibc
internal import Sightings
import Support

/// An adapter through raw HCI sockets, shared with other programs.
///
/// Three sockets: one sends commands, one receives every event, read by a separate thread, and one
/// reports when the adapter goes up, down or away. All events are needed, not only advertisements:
/// the answers to other programs' scan commands show interference with the scan.
final class RawSocketTransport: HCITransport {
  let name: String
  let timeKind = Radio.TimeKind.kernel
  let isManagedByKernel = true

  private let control: AdapterControl
  private let stack: StackEvents
  private var socket: HCISocket
  private var state = TransportState.up
  /// The time of the next attempt to switch the adapter on, nanoseconds of the monotonic clock; nil
  /// unless this program switched it off and could not switch it on again.
  private var switchOnTime: Int64?
  /// The identity by which a replugged adapter is recognised, whatever its number.
  private let identity: Adapter

  /// Opens an adapter.
  ///
  /// - Parameters:
  ///   - index: the adapter's number; nil for the first.
  ///   - switchesOn: whether to bring up an adapter that is down, rather than to refuse it.
  init(index: UInt16?, switchesOn: Bool = true) throws(RSSIError) {
    let control = try AdapterControl()
    let adapter = try control.require(index)
    // A user without permission to receive should not change the adapter.
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
    // Not before: the kernel's own commands during the set-up would look like interference.
    let events = try SocketReader(
      stamped: openEvents(of: adapter), level: SOL_HCI, option: HCI_TIME_STAMP, framing: .events,
      problem: "\(adapter.name): no times of reception")
    socket.connect(to: adapter.index, commands: try open(adapter), events: events)
  }

  /// Returns a socket that receives every event.
  private static func openEvents(of adapter: Adapter) throws(RSSIError) -> Descriptor {
    let socket = try open(adapter)
    guard cbluez_is_taken(socket.number) == 0 else {
      throw socketError(EBUSY, "\(adapter.name) cannot be monitored")
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
    // Earlier events have to be known first, such as the failure that caused the change.
    if !changes.isEmpty { socket.catchUp() }
    if !socket.take(into: &batch) { state = .gone }
    if state == .gone { socket.disconnect() }
    return state == .up && restarted ? .restarted : state
  }

  func takeLosses() -> [TransportLoss] { socket.takeLosses() }

  /// Switches the adapter off and on: the kernel then sets it up again, including the event masks,
  /// which HCIDEVRESET does not.
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

/// The kernel's notices of adapters that appear, disappear, go up or down.
///
/// Only an HCI socket that is bound to no adapter gets these: event 0xFD, then type 1 (device), the
/// change and the adapter's number, each of two bytes, least significant first.
struct StackEvents {
  private let socket: Descriptor

  enum Change: Equatable {
    case up, down, gone
  }

  init() throws(RSSIError) {
    let number = cbluez_open(UInt16(HCI_DEV_NONE), UInt16(HCI_CHANNEL_RAW))
    guard number >= 0 else { throw socketError(-number, "the Bluetooth socket") }
    socket = Descriptor(number)
    try setEventFilter(of: socket, "adapters' changes") { filter in
      hci_filter_set_event(Int32(EVT_STACK_INTERNAL), &filter)
    }
  }

  /// The descriptor to poll.
  var number: Int32 { socket.number }

  /// Returns the changes of an adapter since the last call, in order.
  func take(about index: UInt16) -> [Change] {
    var changes: [Change] = []
    var bytes = [UInt8](repeating: 0, count: 64)
    var time: Int64 = 0
    while true {
      let length = bytes.withUnsafeMutableBytes {
        cbluez_receive(socket.number, $0.baseAddress, $0.count, &time)
      }
      guard length > 0 else { return changes }
      guard length >= 9, bytes[1] == UInt8(EVT_STACK_INTERNAL),
        word(bytes, at: 3) == UInt16(EVT_SI_DEVICE), word(bytes, at: 7) == index
      else { continue }
      switch Int32(word(bytes, at: 5)) {
      case HCI_DEV_UP: changes.append(.up)
      case HCI_DEV_DOWN: changes.append(.down)
      case HCI_DEV_UNREG: changes.append(.gone)
      default: break
      }
    }
  }

  private func word(_ bytes: [UInt8], at offset: Int) -> UInt16 {
    UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
  }
}

/// Sets the event filter of a raw socket, and reads it back to see that the kernel agreed.
///
/// Without CAP_NET_RAW the kernel silently removes advertising and the stack's own events from the
/// filter, so a program would wait for ever.
func setEventFilter(
  of socket: Descriptor, _ subject: String, _ choose: (inout hci_filter) -> Void
) throws(RSSIError) {
  var wanted = hci_filter()
  hci_filter_clear(&wanted)
  hci_filter_set_ptype(HCI_EVENT_PKT, &wanted)
  choose(&wanted)
  var size = socklen_t(MemoryLayout<hci_filter>.size)
  guard setsockopt(socket.number, SOL_HCI, HCI_FILTER, &wanted, size) == 0 else {
    throw socketError(errno, "the filter of \(subject) cannot be set")
  }
  var granted = hci_filter()
  guard getsockopt(socket.number, SOL_HCI, HCI_FILTER, &granted, &size) == 0 else {
    throw socketError(errno, "the filter of \(subject) cannot be set")
  }
  guard granted.type_mask == wanted.type_mask, granted.event_mask == wanted.event_mask else {
    throw permissionError("\(subject) cannot be received")
  }
}
