import Foundation
import TestSupport
import Testing

/// Whether systemd's own tools are here to judge by.
private let analyser: String? = ["/usr/bin/systemd-analyze", "/bin/systemd-analyze"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}

/// The unit in packaging/, judged by systemd.
@Suite(.enabled(if: analyser != nil, "needs systemd-analyze"))
struct ServiceUnitTests {
  /// The unit as an instance for `hci0`, with the program that was built.
  private func instance(in folder: TemporaryDirectory) throws -> String {
    let unit = repositoryRoot.appending(path: "packaging/rssi-capture@.service")
    let text = try String(contentsOf: unit, encoding: .utf8)
    return try folder.write(
      text.replacing("/usr/local/bin/rssi", with: builtProgram), to: "rssi-capture@hci0.service")
  }

  @Test func systemdUnderstandsEveryLine() throws {
    let folder = try TemporaryDirectory()
    let result = try runProgram(try #require(analyser), ["verify", instance(in: folder)])
    #expect(result.exitCode == 0)
    #expect(!result.error.contains("rssi-capture"), "\(result.error)")
  }

  /// Its command is one that the program accepts, up to the adapter that is not here.
  @Test func theProgramUnderstandsItsCommand() throws {
    let folder = try TemporaryDirectory()
    let text = try String(contentsOfFile: instance(in: folder), encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
    var words = line.dropFirst("ExecStart=".count).split(separator: " ").map(String.init)
    #expect(words.removeFirst() == builtProgram)
    words = words.map {
      $0.replacing("%i", with: "hci77").replacing("/var/lib/rssi", with: folder.path(""))
    }
    let result = try runProgram(builtProgram, words)
    #expect(result.exitCode == 69)
    #expect(try folder.names() == ["rssi-capture@hci0.service"])
  }
}
