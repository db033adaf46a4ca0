import Foundation
import TestSupport
import Testing

@Suite("What tests start") struct LeftoversTests {
  @Test
  func `ends with the test process and its folders go, though the process is killed`() async throws
  {
    let end = await #expect(
      processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]
    ) {
      let folder = try TemporaryDirectory()
      let program = try RunningProgram("/bin/sh", ["-c", "sleep 1000 & echo $!; wait"])
      #expect(program.waits { program.output.contains("\n") })
      print(
        "started", program.number, program.output.trimmingCharacters(in: .newlines), folder.url.path
      )
      fflush(nil)
      kill(getpid(), SIGKILL)
    }
    let output = String(decoding: try #require(end).standardOutputContent, as: UTF8.self)
    let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("started") })
    let words = line.split(separator: " ").map(String.init)
    for left in ["/proc/\(words[1])", "/proc/\(words[2])", words[3]] {
      #expect(eventually { !FileManager.default.fileExists(atPath: left) }, "\(left)")
    }
  }

  @Test func `ends with what holds it, and takes its group along`() throws {
    var program: RunningProgram? = try RunningProgram(
      "/bin/sh", ["-c", "sleep 1000 & echo $!; wait"])
    #expect(program?.waits { program?.output.contains("\n") == true } == true)
    let child = try #require(program?.output.trimmingCharacters(in: .newlines))
    program = nil
    #expect(eventually { !FileManager.default.fileExists(atPath: "/proc/\(child)") })
  }

  @Test func `has no signal blocked, and no file but its own three`() throws {
    let status = try runProgram("/bin/cat", ["/proc/self/status"]).output.split(separator: "\n")
    #expect(status.contains("SigBlk:\t0000000000000000"), "\(status)")
    // A fourth is the one that ls reads the folder with.
    let files = try runProgram("/bin/ls", ["/proc/self/fd"]).output.split(separator: "\n")
    #expect(files == ["0", "1", "2", "3"])
  }

  @Test func `has an exit code as in a shell where a signal ends it`() throws {
    #expect(try runProgram("/bin/sh", ["-c", "kill -TERM $$"]).exitCode == 128 + SIGTERM)
    #expect(try runProgram("/bin/sh", ["-c", "exit 3"]).exitCode == 3)
  }
}
