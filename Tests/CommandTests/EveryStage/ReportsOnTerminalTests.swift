import Foundation
import TestSupport
import Testing

/// Reports on a terminal, which has 80 columns because its size is unknown, and in a pipe.
@Suite("Reports on a terminal") struct ReportsOnTerminalTests {
  private let folder: TemporaryDirectory
  private let walks: String
  private let calibration: String

  init() throws {
    folder = try TemporaryDirectory()
    walks = folder.path("walks.h5")
    let example = repositoryRoot.appending(path: "notebooks-data/example").path
    // Without names, reports show identities, which are wide.
    let table = try String(contentsOfFile: "\(example)/nodes.csv", encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
      .map { $0.dropLast().joined(separator: ",") }.joined(separator: "\n")
    let nodes = try folder.write(table + "\n", to: "nodes.csv")
    let made = try rssi(
      "import", "\(example)/walk-1.btsnoop", "\(example)/walk-2.btsnoop", "--receiver", "phone",
      "--nodes", nodes, "--truth", "\(example)/truth.csv", "-o", walks)
    try #require(made.exitCode == 0, "\(made.error)")
    calibration = folder.path("calibration.json")
    let fitted = try rssi("fit", "\(example)/distances.csv", "-o", calibration)
    try #require(fitted.exitCode == 0, "\(fitted.error)")
  }

  private func shown(_ arguments: [String], _ environment: String...) throws -> [String] {
    let result = try onTerminal(
      arguments, environment: ["-u", "NO_COLOR", "LC_ALL=C.UTF-8", "TERM=xterm"] + environment)
    #expect(result.exitCode == 0, "\(result.output)")
    return lastShown(result.output)
  }

  private var stages: [[String]] {
    let distances = repositoryRoot.appending(path: "notebooks-data/example/distances.csv").path
    return [
      ["filter", walks, "-o", walks], ["filter", walks, "--compare", "kalman,rts,median+ewma"],
      ["info", walks], ["fit", distances, "--by", "link", "--distance-at", "-75"],
      ["eval", walks, "--calibration", calibration, "--algorithms", "kalman,epta,power-center"],
    ]
  }

  @Test func `keep the width and have bold headings`() throws {
    for stage in stages {
      let lines = try shown(stage)
      for line in lines {
        let text = line.replacing("\u{1B}[1m", with: "").replacing("\u{1B}[0m", with: "")
        #expect(text.count <= 80 && !text.contains("\u{1B}"), "\(stage[0]): \(text)")
      }
      #expect(lines.contains { $0.hasPrefix("\u{1B}[1m") }, "\(stage[0])")
    }
  }

  @Test func `are whole in a pipe`() throws {
    let piped = try rssi("filter", walks, "-o", walks).output
    #expect(piped.contains("whiteness p") && !piped.contains("too wide"))
    #expect(!piped.contains("\u{1B}") && piped.contains("ibeacon:5E1F0A3C-7B42-4D96-A8E1-"))
    let narrow = try shown(["filter", walks, "-o", walks]).joined(separator: "\n")
    #expect(narrow.contains("too wide for this terminal: samples, whiteness p; the JSON report"))
  }

  @Test(arguments: ["NO_COLOR=1", "TERM=dumb"])
  func `are not bold where that is not wanted`(_ variable: String) throws {
    let lines = try shown(["info", walks], variable)
    #expect(lines.contains(walks) && !lines.contains { $0.contains("\u{1B}") })
  }
}
