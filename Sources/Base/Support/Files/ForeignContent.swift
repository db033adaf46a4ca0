/// A file of a kind that no stage reads, recognised by its first bytes, with the remedy.
package struct ForeignContent {
  package let name: String
  package let advice: String

  /// Returns `nil` for content of any other kind.
  package init?(_ head: [UInt8]) {
    if let form = Compression(head) {
      name = "this file is compressed with \(form.rawValue)"
      advice =
        "convert the recording in it with `rssi import`, or unpack a trace with \(form.program)"
      return
    }
    let text = String(decoding: head, as: UTF8.self)
    let start = text.prefix(32).lowercased()
    if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") {
      name = "this is a web page"
      advice = "download the recording or the table itself"
    } else if let printed = PrintedLog.all.first(where: { $0.matches(text) }) {
      name = "this is the text that \(printed.program) prints, not a recording"
      advice = printed.advice
    } else {
      return nil
    }
  }
}

/// The text that a program prints while it scans, recognised by its first lines.
private struct PrintedLog {
  let program: String
  let advice: String
  /// The beginnings of lines, of which one of the first has one.
  let beginnings: [String]

  func matches(_ text: String) -> Bool {
    text.split(whereSeparator: \.isNewline).prefix(4).contains { line in
      let plain = Self.withoutColours(line)
      return beginnings.contains { plain.hasPrefix($0) }
    }
  }

  /// Returns a line without the sequences by which a program colours it on a terminal.
  private static func withoutColours(_ line: Substring) -> String {
    let parts = line.split(separator: "\u{1B}", omittingEmptySubsequences: false)
    let rest = parts.dropFirst().map { part in
      part.drop { !$0.isLetter }.dropFirst()
    }
    return ([parts[0]] + rest).joined().trimmingPrefix { $0 == "\r" || $0 == " " }.description
  }

  static let all = [
    PrintedLog(
      program: "hcidump", advice: "record with `btmon -w FILE` or `hcidump -w FILE`",
      beginnings: ["HCI sniffer - Bluetooth packet analyzer", "> 04 3E "]),
    PrintedLog(
      program: "bluetoothctl",
      advice: "record with `rssi capture`, or with `btmon -w FILE` while bluetoothctl scans",
      beginnings: [
        "Discovery started", "SetDiscoveryFilter success", "Agent registered", "[bluetooth]",
        "[NEW] ", "[CHG] ", "[DEL] ",
      ]),
    PrintedLog(
      program: "hcitool", advice: "record with `btmon -w FILE` while hcitool scans",
      beginnings: ["LE Scan ..."]),
  ]
}
