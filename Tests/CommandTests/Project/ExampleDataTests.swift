import Foundation
import TestSupport
import Testing

struct ExampleDataTests {
  @Test func `the bundled example is what the program makes`() throws {
    let made = try TemporaryDirectory()
    let result = try runProgram(
      repositoryRoot.appending(path: "scripts/docs/example-data").path, [made.url.path],
      environment: ["RSSI_PROGRAM": builtProgram])
    try #require(result.exitCode == 0, "\(result.error)")

    let bundled = repositoryRoot.appending(path: "notebooks-data/example")
    let names = try FileManager.default.contentsOfDirectory(atPath: bundled.path).sorted()
    #expect(try made.names() == names)
    for name in names {
      let expected = try Data(contentsOf: bundled.appending(path: name))
      let actual = try Data(contentsOf: made.url.appending(path: name))
      #expect(
        actual == expected, "\(name) changed: if it should have, run scripts/docs/example-data")
    }
  }

  @Test func `the walks of the bundled example cross no wall`() throws {
    let bundled = repositoryRoot.appending(path: "notebooks-data/example")
    func numbers(_ text: Substring) -> [Double] {
      text.matches(of: /-?\d+(\.\d+)?/).compactMap { Double($0.0) }
    }
    let site = try String(contentsOf: bundled.appending(path: "site.toml"), encoding: .utf8)
    let walls = site.components(separatedBy: "[[walls]]").dropFirst().flatMap { wall in
      let lines = wall.components(separatedBy: "[[")[0].split(separator: "\n")
      return lines.filter { $0.hasPrefix("from") || $0.hasPrefix("to") }.map(numbers)
    }
    try #require(walls.count == 6)
    let corners = try String(contentsOf: bundled.appending(path: "truth.csv"), encoding: .utf8)
      .split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
    var throughDoors = 0
    for (start, end) in zip(corners, corners.dropFirst()) where start[0] == end[0] {
      let (a, b) = (
        start.dropFirst(3).compactMap { Double($0) }, end.dropFirst(3).compactMap { Double($0) }
      )
      // All walls of the partition are at one x.
      let x = walls[0][0]
      guard (a[0] - x) * (b[0] - x) < 0 else { continue }
      throughDoors += 1
      let y = a[1] + (x - a[0]) / (b[0] - a[0]) * (b[1] - a[1])
      for index in stride(from: 0, to: walls.count, by: 2) {
        #expect(!(walls[index][1]...walls[index + 1][1]).contains(y), "\(start) \(end)")
      }
    }
    #expect(throughDoors > 5)
  }

  @Test func `refuses a program that is not there`() throws {
    let made = try TemporaryDirectory()
    let result = try runProgram(
      repositoryRoot.appending(path: "scripts/docs/example-data").path, [made.path("example")],
      environment: ["RSSI_PROGRAM": made.path("absent")])
    #expect(result.exitCode == 66)
    #expect(try made.names().isEmpty)
  }
}
