import Support

/// The state of a switch of the system (rfkill) that can hold a radio off.
package enum RadioSwitch: Int, Comparable, Sendable {
  case open
  /// Held off by software: `rfkill unblock bluetooth` lifts it.
  case soft
  /// Held off by a switch or key of the machine.
  case hard

  package static func < (one: RadioSwitch, other: RadioSwitch) -> Bool {
    one.rawValue < other.rawValue
  }

  /// - Parameter name: the adapter's, such as `hci0`.
  init(ofAdapter name: String) {
    let folder = "/sys/class/bluetooth/\(name)"
    self =
      entries(ofFolder: folder).filter { $0.hasPrefix("rfkill") }
      .map { RadioSwitch(folder: "\(folder)/\($0)") }.max() ?? .open
  }

  /// - Parameter folder: of one switch, as sysfs has it.
  private init(folder: String) {
    func isSet(_ name: String) -> Bool {
      (try? contents(ofFile: "\(folder)/\(name)", atMost: 1)) == [UInt8(ascii: "1")]
    }
    self = isSet("hard") ? .hard : isSet("soft") ? .soft : .open
  }

  /// The switches of Bluetooth radios by name, also of those that are off the bus while they are
  /// blocked; nil where the system has no such switches.
  ///
  /// - Parameter folder: `/sys/class/rfkill`, or what stands for it.
  package static func ofBluetooth(in folder: String) -> [String: RadioSwitch]? {
    let names = entries(ofFolder: folder).filter { $0.hasPrefix("rfkill") }
    guard !names.isEmpty else { return nil }
    let ours = names.filter { name in
      (try? contents(ofFile: "\(folder)/\(name)/type", atMost: 10)) == Array("bluetooth\n".utf8)
    }
    return Dictionary(
      uniqueKeysWithValues: ours.map { name in
        let label = try? contents(ofFile: "\(folder)/\(name)/name", atMost: 64)
        let text = label.map { String(decoding: $0.prefix { $0 != 10 }, as: UTF8.self) } ?? ""
        return (text.isEmpty ? name : text, RadioSwitch(folder: "\(folder)/\(name)"))
      })
  }
}

/// Returns what to do about an adapter that is off and that this program will not switch on.
func switchedOff(_ adapter: Adapter) -> RSSIError {
  let name = adapter.name
  let words =
    switch RadioSwitch(ofAdapter: name) {
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
