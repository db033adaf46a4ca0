import Foundation
import TestSupport
import Testing

/// The path of systemd's own analyser, if installed.
private let analyser: String? = ["/usr/bin/systemd-analyze", "/bin/systemd-analyze"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}

/// The units in packaging/, judged by systemd.
@Suite(.enabled(if: analyser != nil, "needs systemd-analyze"))
struct ServiceUnitTests {
  /// A unit, and an instance of it for something that is not here.
  struct Unit: CustomTestStringConvertible {
    var name: String
    var instance: String
    var environment: [String: String] = [:]
    /// Its folder below /var/lib.
    var folder: String
    var testDescription: String { name }

    static let capture = Unit(name: "rssi-capture", instance: "hci77", folder: "rssi")
    static let stream = Unit(
      name: "rssi-stream", instance: "part.0", environment: ["STREAM": "nats://127.0.0.1:1/SITE"],
      folder: "rssi-stream")
  }

  /// The text of a unit with the program that was built.
  private func text(_ unit: Unit) throws -> String {
    let file = repositoryRoot.appending(path: "packaging/\(unit.name)@.service")
    return try String(contentsOf: file, encoding: .utf8)
      .replacing("/usr/local/bin/rssi", with: builtProgram)
  }

  @Test(arguments: [Unit.capture, .stream])
  func `systemd understands every line`(_ unit: Unit) throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(text(unit), to: "\(unit.name)@\(unit.instance).service")
    let result = try runProgram(try #require(analyser), ["verify", path])
    #expect(result.exitCode == 0)
    #expect(!result.error.contains(unit.name), "\(result.error)")
  }

  /// Its command is one that the program accepts, up to the adapter or server that is not here.
  @Test(arguments: [Unit.capture, .stream])
  func `the program understands its command`(_ unit: Unit) throws {
    let folder = try TemporaryDirectory()
    let line = try #require(text(unit).split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
    var words = line.dropFirst("ExecStart=".count).split(separator: " ").map(String.init)
    #expect(words.removeFirst() == builtProgram)
    words = words.map { word in
      unit.environment.reduce(word) { $0.replacing("${\($1.key)}", with: $1.value) }
        .replacing("%i", with: unit.instance)
        .replacing("/var/lib/\(unit.folder)", with: folder.path(""))
    }
    let result = try runProgram(builtProgram, words)
    #expect(result.exitCode == 69, "\(result.error)")
    #expect(try folder.names().isEmpty)
  }
}
