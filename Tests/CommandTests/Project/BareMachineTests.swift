import Foundation
import TestSupport
import Testing

/// A machine without packages, on which only stand-ins answer for the system's programs.
private struct BareMachine {
  private let folder: TemporaryDirectory

  /// - Parameters:
  ///   - programs: The text of each stand-in, by its name.
  init(_ programs: [String: String]) throws {
    folder = try TemporaryDirectory()
    let packages = ["dpkg-query": "exit 1", "apt-cache": "exit 1", "id": "echo 1000"]
    for (name, text) in packages.merging(programs, uniquingKeysWith: { $1 }) {
      _ = try folder.write("#!/bin/sh\n\(text)\n", to: name, permissions: 0o755)
    }
    for name in [
      "bash", "cut", "dirname", "env", "grep", "head", "mkdir", "realpath", "sort", "tail",
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(name), withDestinationPath: "/usr/bin/\(name)")
    }
  }

  func run(_ script: String, _ arguments: String...) throws -> ProgramResult {
    try runProgram(
      repositoryRoot.appending(path: script).path, arguments,
      environment: ["PATH": folder.path("."), "CALLS": folder.path("calls")])
  }

  /// The output folder of `scripts/demo`.
  var output: String { folder.path("output") }

  /// The calls of apt-get.
  var calls: String { (try? String(contentsOfFile: folder.path("calls"), encoding: .utf8)) ?? "" }
}

private let swift = "echo 'Swift version 6.2 (swift-6.2-RELEASE)'"
private let apt = #"echo "$*" >>"$CALLS""#

@Suite("A machine on which nothing is installed") struct BareMachineTests {
  @Test(arguments: ["scripts/bootstrap", "scripts/demo"])
  func `without sudo tells the user what to install`(script: String) throws {
    let machine = try BareMachine(["apt-get": apt])
    let result =
      script.hasSuffix("demo") ? try machine.run(script, machine.output) : try machine.run(script)
    #expect(result.exitCode == 69)
    #expect(result.error.contains("no sudo; run as root:\n    apt-get install "))
    #expect(result.error.contains(" libhdf5-dev "))
    #expect(result.error.contains("expected Swift 6.2 or later on the PATH, found none"))
    #expect(machine.calls.isEmpty)
  }

  @Test(arguments: [["sudo": #"exec "$@""#], ["id": "echo 0"]])
  func `with sudo, and as root, gets its packages`(user: [String: String]) throws {
    let machine = try BareMachine(
      ["apt-get": apt, "swift": swift].merging(user, uniquingKeysWith: { $1 }))
    let result = try machine.run("scripts/bootstrap")
    #expect(result.exitCode == 0, "\(result.error)")
    let calls = machine.calls.split(separator: "\n")
    #expect(calls.first == "update -q")
    #expect(calls.last?.hasPrefix("install -q -y --no-install-recommends lib") == true)
  }

  @Test func `names the packages if apt fails`() throws {
    let machine = try BareMachine(["apt-get": "[ $1 = update ]", "id": "echo 0", "swift": swift])
    let result = try machine.run("scripts/bootstrap")
    #expect(result.exitCode == 69)
    #expect(result.error.contains("apt-get install failed; run as root:\n    apt-get install "))
  }

  @Test func `asks for the names that the distribution has`() throws {
    let ubuntu = "case $3 in chromium | bluez-test-tools) exit 1 ;; esac"
    let machine = try BareMachine(["apt-get": apt, "apt-cache": ubuntu, "id": "echo 0"])
    #expect(try machine.run("scripts/bootstrap", "system").exitCode == 69)
    let names = try #require(machine.calls.split(separator: "\n").last).split(separator: " ")
    #expect(names.contains("chromium-browser") && names.contains("bluez-tests"))
    #expect(!names.contains("chromium") && !names.contains("bluez-test-tools"))
  }

  @Test func `refuses an old toolchain`() throws {
    let old = "echo 'Swift version 6.0.3 (swift-6.0.3-RELEASE)'"
    let machine = try BareMachine(["dpkg-query": "echo install ok installed", "swift": old])
    let result = try machine.run("scripts/bootstrap")
    #expect(result.exitCode == 69)
    #expect(result.error.contains("expected Swift 6.2 or later on the PATH, found 6.0:"))
  }
}
