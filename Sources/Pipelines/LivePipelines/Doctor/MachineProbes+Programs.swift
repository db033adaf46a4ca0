import Glibc
import Support

/// Programs that use Bluetooth adapters now.
extension MachineProbes {
  private struct Program {
    var name: String
    var process: Int32
  }

  /// Programs that only listen: a scan is not disturbed by them.
  private static let listeners = ["btmon", "hcidump"]
  /// Programs that are known to scan, by the names that the kernel has.
  private static let scanners = ["bluetoothd", "bluetoothctl", "btmgmt", "hcitool", "rssi"]

  var otherPrograms: MachineCheck {
    let found = programs
    guard !found.isEmpty else {
      let isVisible = text("/proc/self/status") != nil
      return isVisible
        ? MachineCheck("scanners", .ok, "no other program uses Bluetooth")
        : MachineCheck("scanners", .unknown, "/proc cannot be read")
    }
    let words = found.map { "\($0.name) (\($0.process))" }.joined(separator: ", ")
    guard found.contains(where: { !Self.listeners.contains($0.name) }) else {
      return MachineCheck("scanners", .ok, "\(words), which only listens")
    }
    let isService = found.contains { $0.name == "bluetoothd" }
    return MachineCheck(
      "scanners", .warning, "\(words): a scan of another program disturbs a capture",
      advice: (isService ? "`systemctl stop bluetooth`" : "end it")
        + ", or capture from user:0 instead of hci0")
  }

  /// In the order of their process numbers.
  private var programs: [Program] {
    let sockets = hciSockets
    let numbers = entries(ofFolder: root + "/proc").compactMap { Int32($0) }.sorted()
    return numbers.compactMap { number in
      guard number != process, let name = text("/proc/\(number)/comm")?.dropLast() else {
        return nil
      }
      let known = Self.listeners + Self.scanners
      guard known.contains(String(name)) || uses(sockets, number) else { return nil }
      return Program(name: String(name), process: number)
    }
  }

  /// The inodes of all HCI sockets, in the column that the kernel calls so.
  private var hciSockets: Set<String> {
    let rows = text("/proc/net/hci")?.split(separator: "\n").dropFirst() ?? []
    return Set(
      rows.compactMap { row in
        let fields = row.split(separator: " ")
        return fields.count > 5 ? "socket:[\(fields[5])]" : nil
      })
  }

  /// Whether a process has one of several sockets open; false also for one of another user.
  private func uses(_ sockets: Set<String>, _ process: Int32) -> Bool {
    guard !sockets.isEmpty else { return false }
    let folder = "\(root)/proc/\(process)/fd"
    return entries(ofFolder: folder).contains { name in
      var target = [CChar](repeating: 0, count: 64)
      let length = readlink("\(folder)/\(name)", &target, target.count)
      guard length > 0 else { return false }
      return sockets.contains(
        String(decoding: target[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
  }
}
