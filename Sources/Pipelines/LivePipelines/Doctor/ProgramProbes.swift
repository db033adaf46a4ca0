import Glibc
import Support

/// The programs that use Bluetooth adapters now.
extension MachineProbes {
  private struct Program {
    var name: String
    var process: Int32
    var onlyListens: Bool
  }

  /// Programs that only listen and do not disturb a scan.
  private static let listeners = ["btmon", "hcidump"]
  /// Programs that are known to scan, by the names that the kernel has.
  private static let scanners = ["bluetoothd", "bluetoothctl", "btmgmt", "hcitool"]

  var otherPrograms: MachineCheck {
    let found = programs
    guard !found.isEmpty else {
      let isVisible = text("/proc/self/status") != nil
      return isVisible
        ? MachineCheck("scanners", .ok, "no other program uses Bluetooth")
        : MachineCheck("scanners", .unknown, "/proc cannot be read")
    }
    let words = found.map { "\($0.name) (\($0.process))" }.joined(separator: ", ")
    guard found.contains(where: { !$0.onlyListens }) else {
      return MachineCheck("scanners", .ok, "\(words), which only listens")
    }
    let isService = found.contains { $0.name == "bluetoothd" }
    return MachineCheck(
      "scanners", .warning, "\(words): a scan by another program disturbs a capture",
      advice: (isService ? "`systemctl stop bluetooth`" : "stop it")
        + ", or capture from user:0 instead of hci0")
  }

  /// The programs in the order of their process numbers.
  private var programs: [Program] {
    let sockets = hciSockets
    let numbers = entries(ofFolder: root + "/proc").compactMap { Int32($0) }.sorted()
    return numbers.compactMap { number in
      guard number != process, let line = text("/proc/\(number)/comm")?.dropLast() else {
        return nil
      }
      let name = String(line)
      // Most processes of this program read files or a broker, so its name alone shows nothing.
      let source = name == "rssi" ? radioSource(number) : nil
      guard
        (Self.listeners + Self.scanners).contains(name) || source != nil || uses(sockets, number)
      else { return nil }
      return Program(
        name: name, process: number,
        onlyListens: Self.listeners.contains(name) || source == .monitor)
    }
  }

  /// The radio that a process of this program listens or sends with, by its command line; nil if it
  /// reads files, a stream or gateways.
  private func radioSource(_ process: Int32) -> SourceName? {
    let words = text("/proc/\(process)/cmdline")?.split(separator: "\0").map(String.init) ?? []
    return ProgramCall.radio(of: Array(words.dropFirst()))
  }

  /// The inodes of all HCI sockets.
  private var hciSockets: Set<String> {
    let rows = text("/proc/net/hci")?.split(separator: "\n").dropFirst() ?? []
    return Set(
      rows.compactMap { row in
        let fields = row.split(separator: " ")
        return fields.count > 5 ? "socket:[\(fields[5])]" : nil
      })
  }

  /// Returns true if a process has one of several sockets open; false also for a process of another
  /// user.
  private func uses(_ sockets: Set<String>, _ process: Int32) -> Bool {
    guard !sockets.isEmpty else { return false }
    let folder = "\(root)/proc/\(process)/fd"
    return entries(ofFolder: folder).contains { name in
      linkTarget("\(folder)/\(name)").map(sockets.contains) ?? false
    }
  }
}

/// A call of this program, by its command line.
private enum ProgramCall {
  /// Commands that listen to a source or send with it; true if they use the first adapter by
  /// default.
  private static let listening: [String: Bool] = [
    "capture": true, "watch": true, "calibrate": true, "advertise": true, "session": true,
    "serve": false, "locate": false,
  ]
  /// Options whose values look like a source or a recording without being the input.
  private static let valued = [
    "receiver", "node", "trace", "name", "broker", "publish", "o", "output", "survey", "radio-map",
  ]
  private static let recordings = ["h5", "btsnoop", "pcap", "pcapng", "ndjson"]

  /// Returns the radio that a call uses; nil if it uses none.
  ///
  /// - Parameter words: its command line, without the program.
  static func radio(of words: [String]) -> SourceName? {
    guard let command = words.first, let hasDefault = listening[command],
      command != "session" || ["start", "join"].contains(words.dropFirst().first),
      !words.contains(where: { isOption($0, of: ["print"]) })
    else { return nil }
    let words = Array(words.dropFirst(command == "session" ? 2 : 1))
    let pairs = zip([""] + words, words).filter { before, _ in
      !isOption(before, of: valued)
    }
    if let source = pairs.lazy.compactMap({ _, word in try? SourceName(word) }).first {
      return source.kind.origin == .radio ? source : nil
    }
    let inputs = pairs.filter { before, word in
      word == "-" || !word.hasPrefix("-") && (!before.hasPrefix("-") || isRecording(word))
    }
    // The identity to advertise, or the lobby, comes before the source.
    guard hasDefault, inputs.count <= (["advertise", "session"].contains(command) ? 1 : 0)
    else { return nil }
    return .adapter(nil)
  }

  static func isOption(_ word: String, of names: [String]) -> Bool {
    word.hasPrefix("-") && names.contains(String(word.drop { $0 == "-" }))
  }

  static func isRecording(_ word: String) -> Bool {
    recordings.contains { word.hasSuffix(".\($0)") }
  }
}
