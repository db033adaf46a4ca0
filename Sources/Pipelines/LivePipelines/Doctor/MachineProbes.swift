public import Capture
import Glibc
import NumericalMethods
import Sightings
public import Support
import TraceStore

/// The probes that read the state of a machine; tests replace them.
public struct MachineProbes: Sendable {
  /// The folder that contains `sys` and `proc`; empty for those of the machine.
  public var root = ""
  /// The number of this process, which does not count as another program.
  public var process: Int32 = getpid()
  /// The probe that lists the Bluetooth adapters.
  public var adapters: @Sendable () throws(RSSIError) -> [Adapter] = Capture.adapters
  /// The release of the kernel, such as `6.1.0-18-amd64`.
  public var kernel: @Sendable () -> String = kernelRelease
  /// The first line of output of a shell command; nil if it writes none in time.
  public var answer: @Sendable (String) -> String? = firstLine
  /// The clock that measures the delay of a broker.
  public var clock = MachineClock.system
  /// Returns true if a time service synchronises the clock of the machine.
  public var isSynchronised: @Sendable () -> Bool = {
    MachineClock.system.reading.isSynchronised
  }
  /// Returns the path of a program that draws pictures, by its name.
  public var drawingProgram: @Sendable (_ name: String) throws(RSSIError) -> String
  /// The libraries whose version matters to files and figures.
  public var libraries = ["HDF5 \(hdf5Version)", "GSL \(gslVersion)"]
  /// The bytes that may be written in the current folder; nil if they are not known.
  public var freeSpace: @Sendable () -> UInt64? = currentFreeSpace

  /// Creates the probes of this machine, with a given probe for the program that draws pictures.
  public init(drawingProgram: @escaping @Sendable (String) throws(RSSIError) -> String) {
    self.drawingProgram = drawingProgram
  }

  /// Returns a file of the system as text; nil if it cannot be read.
  func text(_ path: String) -> String? {
    let bytes = try? contents(ofFile: root + path, atMost: 1 << 20)
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }
}

@Sendable private func kernelRelease() -> String {
  var names = utsname()
  guard uname(&names) == 0 else { return "" }
  return withUnsafeBytes(of: names.release) {
    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
  }
}

@Sendable private func firstLine(of command: String) -> String? {
  // The question is an empty line: output before the first question counts as a fault.
  let program = try? ChildProgram("read -r _; exec \(command) 2>/dev/null")
  let line = try? program?.ask([], within: 2000)
  return line.map { String(decoding: $0, as: UTF8.self) }
}

@Sendable private func currentFreeSpace() -> UInt64? {
  var status = statvfs()
  guard statvfs(".", &status) == 0 else { return nil }
  return UInt64(status.f_bavail) * UInt64(status.f_frsize)
}

/// The checks of the path between this program and a Bluetooth adapter.
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
      advice: isDown ? "a capture brings it up and takes it down again" : nil)
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
    else { return MachineCheck("capabilities", .unknown, "not listed in /proc/self/status") }
    let missing = [("CAP_NET_RAW", 13), ("CAP_NET_ADMIN", 12)].filter { mask >> $0.1 & 1 == 0 }
      .map(\.0)
    guard !missing.isEmpty else {
      return MachineCheck("capabilities", .ok, "CAP_NET_RAW, CAP_NET_ADMIN")
    }
    // An adapter that is up can be used without the second one.
    return MachineCheck(
      "capabilities", missing == ["CAP_NET_ADMIN"] ? .warning : .problem,
      "without \(missing.joined(separator: " and "))", advice: permissionError("").advice)
  }

  var kernelCheck: MachineCheck {
    let release = kernel()
    let numbers = release.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
    guard numbers.count == 2 else {
      return MachineCheck("kernel", .unknown, "unknown release: \(release)")
    }
    guard !numbers.lexicographicallyPrecedes([4, 12]) else {
      return MachineCheck(
        "kernel", .warning, "Linux \(release) does not count dropped advertisements",
        advice: "use 4.12 or later")
    }
    return MachineCheck("kernel", .ok, "Linux \(release)")
  }

  var bluez: MachineCheck {
    // A long option would look like an option of this program.
    let version = answer("bluetoothctl -v")?.split(separator: " ").last
    guard let version, version.first?.isNumber == true else {
      return MachineCheck("bluez", .ok, "not installed, and not needed")
    }
    return MachineCheck("bluez", .ok, "BlueZ \(version)")
  }
}

/// The checks of requirements of recordings and reports besides a radio.
extension MachineProbes {
  var clockCheck: MachineCheck {
    isSynchronised()
      ? MachineCheck("clock", .ok, "synchronised by a time service")
      : MachineCheck(
        "clock", .warning, "not synchronised by a time service (NTP)",
        advice: "run `sudo timedatectl set-ntp true`: receivers and truth are matched by time")
  }

  var pictures: [MachineCheck] {
    [
      ("gnuplot", "only pictures need it"),
      ("rsvg-convert", "only PNG and PDF of floor plans need it"),
    ]
    .map { name, advice in
      do throws(RSSIError) {
        return MachineCheck(name, .ok, try drawingProgram(name))
      } catch {
        return MachineCheck(name, error, state: .warning, advice: advice)
      }
    }
  }

  var libraryVersions: MachineCheck {
    MachineCheck("libraries", .ok, libraries.joined(separator: ", "))
  }

  /// The free disk space; an hour of dense advertisements takes about 100 MB before it is packed.
  var diskSpace: MachineCheck {
    guard let bytes = freeSpace() else {
      return MachineCheck("disk", .unknown, "free space of the current folder is unknown")
    }
    let finding = "\(bytes / 1_000_000) MB free in the current folder"
    switch bytes {
    case ..<10_000_000:
      return MachineCheck("disk", .problem, finding, advice: "free some space, or use another disk")
    case ..<1_000_000_000:
      return MachineCheck("disk", .warning, finding, advice: "free some space for long captures")
    default: return MachineCheck("disk", .ok, finding)
    }
  }
}
