import Capture
import Support

/// What stands between this program and a Bluetooth adapter.
extension MachineProbes {
  var adapter: MachineCheck {
    let found: [Adapter]
    do {
      found = try adapters()
    } catch {
      return MachineCheck("adapter", error)
    }
    guard !found.isEmpty else {
      return MachineCheck(
        "adapter", .problem, "no Bluetooth adapter",
        advice: "plug one in (`lsusb`, `dmesg | grep -i bluetooth`), or use h4:…, mqtt:… or "
          + "replay:…")
    }
    let isDown = found.allSatisfy { !$0.isUp }
    return MachineCheck(
      "adapter", .ok, found.map(\.description).joined(separator: ", "),
      advice: isDown ? "a capture brings it up, and leaves it down again" : nil)
  }

  var rfkill: MachineCheck {
    guard let switches = RadioSwitch.ofBluetooth(in: root + "/sys/class/rfkill") else {
      return MachineCheck("rfkill", .unknown, "the system has no radio switches")
    }
    func names(_ state: RadioSwitch) -> String {
      switches.filter { $0.value == state }.keys.sorted().joined(separator: ", ")
    }
    switch switches.values.max() {
    case .hard:
      return MachineCheck(
        "rfkill", .problem, "blocked by a switch or key of the machine: \(names(.hard))",
        advice: "switch it on there")
    case .soft:
      return MachineCheck(
        "rfkill", .problem, "blocked: \(names(.soft))", advice: "run `rfkill unblock bluetooth`")
    case .open: return MachineCheck("rfkill", .ok, "not blocked: \(names(.open))")
    case nil: return MachineCheck("rfkill", .ok, "no switch of a Bluetooth radio")
    }
  }

  /// CAP_NET_RAW and CAP_NET_ADMIN among the effective capabilities.
  var capabilities: MachineCheck {
    let line = text("/proc/self/status")?.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
    guard let digits = line?.split(separator: "\t").last, let mask = UInt64(digits, radix: 16)
    else { return MachineCheck("capabilities", .unknown, "/proc/self/status does not have them") }
    let missing = [("CAP_NET_RAW", 13), ("CAP_NET_ADMIN", 12)].filter { mask >> $0.1 & 1 == 0 }
      .map(\.0)
    guard !missing.isEmpty else {
      return MachineCheck("capabilities", .ok, "CAP_NET_RAW, CAP_NET_ADMIN")
    }
    // Without the second, an adapter that is up can still be received.
    return MachineCheck(
      "capabilities", missing == ["CAP_NET_ADMIN"] ? .warning : .problem,
      "without \(missing.joined(separator: " and "))", advice: permissionError("").advice)
  }

  var kernelCheck: MachineCheck {
    let release = kernel()
    let numbers = release.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
    guard numbers.count == 2 else {
      return MachineCheck("kernel", .unknown, "its release is not known: \(release)")
    }
    guard !numbers.lexicographicallyPrecedes([4, 12]) else {
      return MachineCheck(
        "kernel", .warning, "Linux \(release) does not count dropped advertisements",
        advice: "use 4.12 or later")
    }
    return MachineCheck("kernel", .ok, "Linux \(release)")
  }

  var bluez: MachineCheck {
    // Its short option: a long one looks like an option of this program.
    let version = answer("bluetoothctl -v")?.split(separator: " ").last
    guard let version, version.first?.isNumber == true else {
      return MachineCheck("bluez", .ok, "not installed, and not needed")
    }
    return MachineCheck("bluez", .ok, "BlueZ \(version)")
  }
}
