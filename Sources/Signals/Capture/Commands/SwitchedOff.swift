import Glibc
import Support

/// What to do about an adapter that is off and that this program will not switch on.
func switchedOff(_ adapter: Adapter) -> RSSIError {
  let name = adapter.name
  let words =
    switch RadioSwitch(of: name) {
    case .open:
      "\(name) is off; switch it on: `sudo hciconfig \(name) up` or `bluetoothctl power on`"
    case .soft:
      "\(name) is off, blocked by rfkill; run `rfkill unblock bluetooth`, then `sudo hciconfig "
        + "\(name) up`"
    case .hard:
      "\(name) is off, by a switch or key of the machine; switch that on, then `sudo hciconfig "
        + "\(name) up`"
    }
  return RSSIError(.unavailable, words)
}

/// Whether a switch of the system (rfkill) holds an adapter off.
private enum RadioSwitch {
  case open, soft, hard

  /// - Parameter name: the adapter's, such as `hci0`.
  init(of name: String) {
    self = .open
    let folder = "/sys/class/bluetooth/\(name)"
    for entry in entries(ofFolder: folder) where entry.hasPrefix("rfkill") {
      if Self.isSet("\(folder)/\(entry)/hard") {
        self = .hard
      } else if Self.isSet("\(folder)/\(entry)/soft") {
        self = .soft
      }
    }
  }

  private static func isSet(_ path: String) -> Bool {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var digit: UInt8 = 0
    return read(file, &digit, 1) == 1 && digit == UInt8(ascii: "1")
  }
}
