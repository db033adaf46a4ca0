import Foundation
import TestSupport
import Testing

@Suite("A name or a time that does not match is named as the cause")
struct NamedCausesTests {
  private let folder: TemporaryDirectory
  private let room: String
  private let calibration: String

  init() throws {
    folder = try TemporaryDirectory()
    room = try simulatedRoom(in: folder)
    calibration = folder.path("c.json")
    let result = try rssi("fit", room + "/distances.csv", "-o", calibration)
    guard result.exitCode == 0 else { throw CocoaError(.featureUnsupported) }
  }

  /// A table of the room after a change to its text.
  private func changed(_ name: String, _ change: (String) -> String) throws -> String {
    let text = try String(contentsOfFile: room + "/" + name, encoding: .utf8)
    return try folder.write(change(text), to: "changed-" + name)
  }

  private func imported(nodes: String, truth: String) throws -> (trace: String, warnings: String) {
    let trace = folder.path("t.h5")
    let result = try rssi(
      "import", room + "/rssi.csv", "--nodes", nodes, "--truth", truth, "-o", trace)
    #expect(result.exitCode == 0, "\(result.error)")
    return (trace, result.error)
  }

  @Test func `a typo in the identities of nodes.csv`() throws {
    let nodes = try changed("nodes.csv") { $0.replacing("ibeacon:5E1F", with: "ibeacon:5E1E") }
    let (trace, warnings) = try imported(nodes: nodes, truth: room + "/truth.csv")
    #expect(warnings.contains("none of the 8") && warnings.contains("heard: ibeacon:5E1F"))
    #expect(warnings.contains(nodes))
    let scored = try rssi("eval", trace, "--calibration", calibration, "--algorithms", "centroid")
    #expect(scored.exitCode == 65)
    #expect(
      scored.error.contains("ibeacon:5E1E"))
    #expect(scored.error.contains("heard: ibeacon:5E1F"), "\(scored.error)")
    let located = try rssi(
      "locate", trace, "--calibration", calibration, "-o", folder.path("p.csv"))
    #expect(located.error.contains("beacons ibeacon:5E1F"), "\(located.error)")
    // The right table warns of nothing.
    #expect(try imported(nodes: room + "/nodes.csv", truth: room + "/truth.csv").warnings.isEmpty)
  }

  @Test func `a site whose anchors have other names`() throws {
    let site = try folder.write(
      "[[anchors]]\nnode = \"absent\"\nrole = \"beacon\"\nx_m = 1\ny_m = 2\n", to: "site.toml")
    let result = try rssi("fit", room + "/distances.csv", "--site", site)
    #expect(result.exitCode == 0)
    #expect(
      result.error.contains("heard: ibeacon:…:1:1"))
  }

  @Test func `truth of another time zone`() throws {
    let truth = try changed("truth.csv") { text in
      let lines = text.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
      let time = lines[0].firstIndex(of: "time_s") ?? 0
      return lines.enumerated().map { number, fields in
        var fields = fields
        if number > 0 { fields[time] = "\((Double(fields[time]) ?? 0) - 7200)" }
        return fields.joined(separator: ",")
      }.joined(separator: "\n") + "\n"
    }
    let (trace, warnings) = try imported(nodes: room + "/nodes.csv", truth: truth)
    #expect(warnings.contains("the truth of walk-1"), "\(warnings)")
    #expect(warnings.contains("2 h apart (a time"), "\(warnings)")
    let scored = try rssi("eval", trace, "--calibration", calibration)
    #expect(scored.exitCode == 65)
    #expect(scored.error.contains("2 h apart (a time"), "\(scored.error)")
    #expect(!scored.error.contains("epoch"))
  }

  @Test func `a list that is cut is marked`() throws {
    let truth = try changed("truth.csv") { text in
      let row = text.split(separator: "\n")[1].split(separator: ",", maxSplits: 1)[1]
      return text + (1...6).map { "other-\($0),\(row)\n" }.joined()
    }
    let warnings = try imported(nodes: room + "/nodes.csv", truth: truth).warnings
    #expect(warnings.contains("other-4, … (6)"), "\(warnings)")
  }
}
