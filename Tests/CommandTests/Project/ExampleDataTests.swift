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

  @Test func `refuses a program that is not there`() throws {
    let made = try TemporaryDirectory()
    let result = try runProgram(
      repositoryRoot.appending(path: "scripts/docs/example-data").path, [made.path("example")],
      environment: ["RSSI_PROGRAM": made.path("absent")])
    #expect(result.exitCode == 66)
    #expect(try made.names().isEmpty)
  }
}
