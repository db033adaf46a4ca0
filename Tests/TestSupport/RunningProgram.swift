import Foundation

/// A program that runs beside the test.
public final class RunningProgram {
  private let process = Process()
  private let scratch: TemporaryDirectory

  /// Starts a program, with nothing on its standard input.
  public init(
    _ path: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws {
    scratch = try TemporaryDirectory()
    for name in ["stdout", "stderr"] {
      _ = FileManager.default.createFile(atPath: scratch.path(name), contents: nil)
    }
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(["RSSI_REGISTRY": "none"]) { $1 }.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: scratch.path("stdout")))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: scratch.path("stderr")))
    try process.run()
  }

  public var isRunning: Bool { process.isRunning }

  /// What it has printed so far.
  public var output: String { text("stdout") }
  public var error: String { text("stderr") }

  public func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits for its end.
  public func wait() -> ProgramResult {
    process.waitUntilExit()
    return ProgramResult(exitCode: process.terminationStatus, output: output, error: error)
  }

  /// Waits until something holds; false after a minute, or when the program has ended before.
  public func waits(until condition: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<6_000 {
      if try condition() { return true }
      guard isRunning else { return try condition() }
      usleep(10_000)
    }
    return false
  }

  private func text(_ name: String) -> String {
    String(decoding: (try? Data(contentsOf: URL(filePath: scratch.path(name)))) ?? Data(), as: UTF8.self)
  }

  deinit {
    if process.isRunning { send(SIGKILL) }
  }
}
