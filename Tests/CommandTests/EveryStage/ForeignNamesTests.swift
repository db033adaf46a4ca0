import Foundation
import TestSupport
import Testing

/// Names that steer a terminal: a title, a clipboard, colours, a forged line, text that runs from
/// right to left.
private enum Hostile {
  static let receiver = "rx\u{1B}]0;title\u{7}\u{1B}[2J"
  static let beacon = "b\u{1B}[31mRED\u{1B}[0m\u{202E}\nrssi: forged"
  static let trace = "t\u{1B}]52;c;aGFja2Vk\u{7}\u{9B}31m\u{2028}"
}

@Suite("Names from outside steer no terminal")
struct ForeignNamesTests {
  let folder: TemporaryDirectory
  let stream: String
  let trace: String

  init() throws {
    folder = try TemporaryDirectory()
    var lines = ""
    for index in 0..<24 {
      let distance = Double(1 + index % 6)
      let line: [String: Any] = [
        "time_s": 1_700_000_000 + index, "receiver": Hostile.receiver,
        "beacon": Hostile.beacon + "\(index % 3)", "trace": Hostile.trace,
        "rssi_dbm": -59 - 4 * (index % 6) - index % 2, "distance_m": distance, "x_m": distance,
        "y_m": 2,
      ]
      lines +=
        String(
          decoding: try JSONSerialization.data(withJSONObject: line), as: UTF8.self) + "\n"
    }
    stream = try folder.write(lines, to: "names\u{1B}[2J\n.ndjson")
    var nodes = "node,role,x_m,y_m,z_m\n"
    for index in 0..<3 { nodes += "\"\(Hostile.beacon)\(index)\",beacon,\(4 * index),0,1\n" }
    let table = try folder.write(nodes, to: "nodes.csv")
    trace = folder.path("trace\u{1B}[2J\n.h5")
    _ = try shown("import", stream, "--nodes", table, "-o", trace)
  }

  /// Runs a stage and checks what it prints for people.
  @discardableResult
  private func shown(_ arguments: String..., fails code: Int32 = 0) throws -> ProgramResult {
    let result = try runProgram(builtProgram, arguments)
    #expect(result.exitCode == code, "\(arguments) \(result.exitCode): \(result.error)")
    for text in [result.output, result.error] {
      #expect(!text.unicodeScalars.contains(where: steers), "\(text.debugDescription)")
      #expect(!text.split(separator: "\n").contains { $0.hasPrefix("rssi: forged") }, "\(text)")
    }
    return result
  }

  private func steers(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A, 0x09: false
    case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  @Test func `in every text of every stage`() throws {
    let calibration = folder.path("c\u{7}.json")
    let info = try shown("info", trace)
    #expect(info.output.contains("rx\\u{1b}]0;title\\u{7}\\u{1b}[2J"))
    try shown("fit", trace, "--by", "link", "-o", calibration)
    try shown("fit", stream, "--by", "receiver,beacon", "--distance-at", "-60")
    try shown("filter", trace, "-o", folder.path("f\u{1B}.h5"), "--filter", "kalman")
    try shown("filter", trace, "--compare", "kalman")
    try shown("pack", trace)
    try shown("eval", trace, "--calibration", calibration, "--in-sample")
    try shown("eval", trace, "--calibration", calibration, "--trace", "no\u{1B}such\n", fails: 65)
    try shown("locate", trace, "--calibration", calibration)
    try shown("watch", trace, "--format", "text", "--ranging")
    try shown("calibrate", trace, "--all-beacons", fails: 65)
    try shown("calibrate", trace, "--beacon", "no\u{1B}such", fails: 65)
    try shown("export", trace, "--format", "csv", "--filtered", "no\u{1B}such\n", fails: 65)
    try shown("info", folder.path("none\u{1B}\n.h5"), fails: 66)
    try shown("import", trace, "-o", folder.path("x.h5"), fails: 65)
    try shown("--no\u{1B}such", fails: 64)
  }

  /// Data are what they are.
  @Test func `data keeps their bytes`() throws {
    let exported = try rssi("export", trace, "--format", "csv").output
    #expect(exported.contains(Hostile.receiver) && exported.contains(Hostile.trace))
    let lines = try rssi("export", trace, "--format", "ndjson").output.split(separator: "\n")
    let line = try json(String(try #require(lines.first)))
    #expect(line["receiver"] as? String == Hostile.receiver)
    #expect(line["beacon"] as? String == Hostile.beacon + "0")
    let filtered = try json(
      rssi("filter", trace, "-o", folder.path("f.h5"), "--filter", "median", "--json").output)
    let links = try #require(filtered["links"] as? [[String: Any]])
    #expect(links.map { $0["beacon"] as? String }.contains(Hostile.beacon + "1"))
  }
}
