import Foundation
import TestSupport
import Testing

private let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path
private let beacon = "ibeacon:5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:7"

private let bench = [
  "calibrate", "replay:\(walk)", "--beacon", beacon, "--poses", "2", "--duration", "4s",
  "--countdown", "2s",
]

@Suite("A guided bench on a terminal")
struct CalibrateTerminalTests {
  @Test func `asks counts down shows and reports`() throws {
    let folder = try TemporaryDirectory()
    let report = folder.path("report.json")
    let result = try onTerminal(bench + ["--speed", "4", "-o", report])
    #expect(result.exitCode == 0, "\(result.output)")
    let transcript = result.output
    // In this order, and the report at the end.
    var rest = transcript[...]
    for words in [
      "1/2 pose 1 at 1 m", "put the beacon 1 m from the receiver", "Enter begins (Ctrl-C ends",
      "step back: 2 s", "step back: 1 s", "[#-----------] 4 s", "/s, mean -", ", trimmed -",
      "[##########--] 1 s", "packets, trimmed mean -", "2/2 pose 2 at 1 m",
      "turn the beacon by 180°",
      "Enter begins: ", "step back: 2 s", "so far -", "\(beacon)\r\n", "measured power  ",
      "warnings",
    ] {
      let place = try #require(rest.firstRange(of: words), "\"\(words)\" in \(rest)")
      rest = rest[place.upperBound...]
    }
    // The live line is short enough for a terminal of 80 columns, and leaves nothing behind.
    for line in transcript.split(separator: "\r") where line.contains("[#") {
      #expect(line.replacing("\u{1B}[K", with: "").count < 80, "\(line)")
    }
    #expect(!lastShown(transcript).contains { $0.contains("[#") || $0.contains("step back") })

    // A delay before Enter changes nothing.
    let unasked = folder.path("unasked.json")
    try #require(
      try runProgram(builtProgram, bench + ["--speed", "max", "--yes", "-o", unasked]).exitCode == 0
    )
    let documents = try [report, unasked].map { path in
      try json(try String(contentsOfFile: path, encoding: .utf8))["beacons"] as? NSArray
    }
    #expect(documents[0] == documents[1])
  }

  @Test func `interrupted at a prompt reports what is complete`() throws {
    for end in ["\u{3}", "\u{4}"] {
      let result = try onTerminal(bench + ["--speed", "max"], answers: ["\n", end])
      #expect(result.exitCode == 0, "\(result.output)")
      #expect(result.output.contains("from one pose"))
      #expect(result.output.contains("1 of 2 poses"))
    }
  }

  @Test func `interrupted before the first pose reports that there is nothing`() throws {
    let result = try onTerminal(bench + ["--speed", "max"], answers: ["\u{3}"])
    #expect(result.exitCode == 1)
    #expect(result.output.contains("(2 of 2 poses"))
  }

  @Test func `asks again as long as the operator answers`() throws {
    let result = try onTerminal(
      [
        "calibrate", "replay:\(walk)", "--beacon", "11:22:33:44:55:66", "--poses", "1",
        "--duration", "1s", "--countdown", "0s", "--speed", "max",
      ], answers: ["\n", "\n", "\n", "\u{3}"])
    #expect(result.exitCode == 1)
    #expect(result.output.matches(of: /too little: 0 packets/).count == 3)
    #expect(result.output.matches(of: /again; is the beacon on/).count == 3)
  }

  @Test func `quiet prints only questions`() throws {
    let asked = try onTerminal(bench + ["--speed", "max", "--quiet"])
    #expect(asked.output.contains("Enter begins") && !asked.output.contains("step back"))
    let unasked = try runProgram(builtProgram, bench + ["--speed", "max", "--quiet", "--yes"])
    #expect(unasked.exitCode == 0 && unasked.error.isEmpty)
  }
}
