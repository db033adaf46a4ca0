internal import CBlueZ
import Glibc
import Support

/// What the kernel states about adapters coming and going, up and down.
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

  /// What to poll for.
  var number: Int32 { socket.number }

  /// What happened to an adapter since the last call, in order.
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

/// Sets which events a raw socket gets, and reads back whether the kernel agreed.
///
/// Without CAP_NET_RAW it takes advertising and the stack's own events out of the filter and states
/// nothing, so a program would wait for ever.
func setEventFilter(
  of socket: Descriptor, _ subject: String, _ choose: (inout hci_filter) -> Void
) throws(RSSIError) {
  var wanted = hci_filter()
  hci_filter_clear(&wanted)
  hci_filter_set_ptype(HCI_EVENT_PKT, &wanted)
  choose(&wanted)
  var size = socklen_t(MemoryLayout<hci_filter>.size)
  guard setsockopt(socket.number, SOL_HCI, HCI_FILTER, &wanted, size) == 0 else {
    throw socketError(errno, "\(subject) cannot be chosen")
  }
  var granted = hci_filter()
  guard getsockopt(socket.number, SOL_HCI, HCI_FILTER, &granted, &size) == 0 else {
    throw socketError(errno, "\(subject) cannot be chosen")
  }
  guard granted.type_mask == wanted.type_mask, granted.event_mask == wanted.event_mask else {
    throw permissionError("\(subject) cannot be received")
  }
}
