import Support

/// The state of a kernel switch (rfkill) that can disable a radio.
package enum RadioSwitch: Int, Comparable, Sendable {
  case open
  /// Blocked by software: `rfkill unblock bluetooth` lifts it.
  case soft
  /// Blocked by a hardware switch or key of the machine.
  case hard

  package static func < (one: RadioSwitch, other: RadioSwitch) -> Bool {
    one.rawValue < other.rawValue
  }

  /// - Parameter name: the adapter's name, such as `hci0`.
  init(ofAdapter name: String) {
    let folder = "/sys/class/bluetooth/\(name)"
    self =
      entries(ofFolder: folder).filter { $0.hasPrefix("rfkill") }
      .map { RadioSwitch(folder: "\(folder)/\($0)") }.max() ?? .open
  }

  /// - Parameter folder: the sysfs folder of one switch.
  private init(folder: String) {
    func isSet(_ name: String) -> Bool {
      (try? contents(ofFile: "\(folder)/\(name)", atMost: 1)) == [UInt8(ascii: "1")]
    }
    self = isSet("hard") ? .hard : isSet("soft") ? .soft : .open
  }

  /// Returns the switches of Bluetooth radios by name, including those that leave the bus while
  /// they are blocked; nil if the system has no such switches.
  ///
  /// - Parameter folder: `/sys/class/rfkill`, or a substitute.
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

/// Returns the error for an adapter that is off and that this program does not switch on.
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
