import Foundation
import TestSupport
import Testing

/// The sources on arm64, of which this machine has the headers only.
@Suite("On arm64") struct Arm64Tests {
  #if arch(x86_64)
    private static let isComparable = true
  #else
    private static let isComparable = false
  #endif

  @Test(
    .enabled(if: isComparable, "needs an x86-64 machine"),
    .needs(program: "/usr/aarch64-linux-gnu"))
  func `C sources compile, and structures and constants are those of x86-64`() throws {
    let script = repositoryRoot.appending(path: "Tests/CommandTests/Scripts/arm64.py").path
    let result = try runProgram(
      "/usr/bin/env", ["python3", script, "clang"], directory: repositoryRoot)
    #expect(result.exitCode == 0, "\(result.error)")
  }

  /// `CChar` is signed on some machines and unsigned on others, and Float80 is of x86 only.
  @Test func `sources name no type or value of one processor`() throws {
    let names =
      #"Float80|CChar\(bitPattern|UInt8\(bitPattern: \$0\)|\barch\(|immintrin|__(x86_64|aarch64)|"#
      + #"\bsyscall\("#
    let files = ["swift", "h", "c", "cpp"].map { "--include=*.\($0)" }
    let result = try runProgram(
      "/usr/bin/grep",
      ["-rnE"] + files + [names, repositoryRoot.appending(path: "Sources").path])
    #expect(result.exitCode == 1, "\(result.output)")
  }
}
