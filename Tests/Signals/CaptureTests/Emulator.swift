import Foundation
import Glibc
import TestSupport
import Testing

@testable import Capture

/// The scripted controller of Tests/Rig/emu as a program of its own that serves H4.
final class Emulator {
  let address: String
  private let program: RunningProgram
  private let scratch: TemporaryDirectory

  /// How it is reached.
  enum Way: CaseIterable {
    case tcp, unix, line
  }

  /// Starts it and waits until it can be connected to.
  ///
  /// - Parameter scenario: the text of a scenario; see the head of vhci_beacons.c.
  init(_ scenario: String, way: Way, options: [String] = []) throws {
    scratch = try TemporaryDirectory()
    let path = try scratch.write(scenario, to: "scenario")
    var arguments = options
    switch way {
    case .tcp:
      let port = try UInt16(reservedPort())
      address = "tcp:127.0.0.1:\(port)"
      arguments += ["-t", "\(port)"]
    case .unix:
      address = "unix:\(scratch.path("hci"))"
      arguments += ["-p", scratch.path("hci")]
    case .line:
      address = scratch.path("tty")
      arguments += ["-P", scratch.path("tty")]
    }
    program = try RunningProgram(try builtEmulator.get(), arguments + [path])
    let program = program
    try #require(program.waits { program.error.contains("serving") }, "\(program.error)")
  }

  /// What it printed so far.
  var messages: String { program.error }

  /// A scenario of the rig.
  static func scenario(_ name: String) throws -> String {
    try String(
      contentsOf: repositoryRoot.appending(path: "Tests/Rig/scenarios/\(name).txt"),
      encoding: .utf8)
  }
}

/// The emulator, compiled once a run beside the tests' executable.
let builtEmulator = Result { () throws -> String in
  let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  let source = repositoryRoot.appending(path: "Tests/Rig/emu/vhci_beacons.c").path
  let program = folder.appending(path: "vhci_beacons").path
  // Renamed when it is whole, since another run may use or make it as well.
  let draft = program + ".\(ProcessInfo.processInfo.processIdentifier)"
  let result = try runProgram("/usr/bin/gcc", ["-O2", "-w", "-o", draft, source, "-lutil"])
  try #require(result.exitCode == 0, "\(result.error)")
  try #require(rename(draft, program) == 0)
  return program
}
