public import Foundation

/// What a program printed and how it ended.
public struct ProgramResult: Sendable {
  public var exitCode: Int32
  public var output: String
  public var error: String
}

/// Runs a program to its end and returns what it printed.
///
/// It knows no registry of beacons unless the environment names one: that of the machine is not part
/// of a test.
///
/// - Parameters:
///   - path: the executable.
///   - arguments: its arguments.
///   - input: what it reads on standard input; nothing unless given.
///   - directory: where it runs; the current directory unless given.
public func runProgram(
  _ path: String, _ arguments: [String], input: Data = Data(), directory: URL? = nil,
  environment: [String: String] = [:]
) throws -> ProgramResult {
  let scratch = try TemporaryDirectory()
  let inputPath = scratch.path("stdin")
  try input.write(to: URL(filePath: inputPath))
  // Files, not pipes: a pipe that nobody drains would stop a program with much to say.
  for name in ["stdout", "stderr"] {
    _ = FileManager.default.createFile(atPath: scratch.path(name), contents: nil)
  }
  let process = Process()
  process.executableURL = URL(filePath: path)
  process.arguments = arguments
  process.currentDirectoryURL = directory
  process.environment = ProcessInfo.processInfo.environment
    .merging(["RSSI_REGISTRY": "none"]) { $1 }.merging(environment) { $1 }
  process.standardInput = try FileHandle(forReadingFrom: URL(filePath: inputPath))
  process.standardOutput = try FileHandle(forWritingTo: URL(filePath: scratch.path("stdout")))
  process.standardError = try FileHandle(forWritingTo: URL(filePath: scratch.path("stderr")))
  try process.run()
  process.waitUntilExit()
  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: scratch.path(name))), as: UTF8.self)
  }
  return ProgramResult(
    exitCode: process.terminationStatus, output: try text("stdout"), error: try text("stderr"))
}

/// Runs Python with the packages that `scripts/bootstrap` installs, as an independent judge.
///
/// - Parameters:
///   - script: the program's text.
///   - arguments: `sys.argv[1:]`.
public func runPython(_ script: String, _ arguments: [String] = []) throws -> ProgramResult {
  // Many tests run at once: numpy with threads of its own in each would wait for itself.
  try runProgram(
    pythonPath, ["-c", script] + arguments,
    environment: ["OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"])
}

/// The Python of the repository's own environment, or `RSSI_PYTHON`.
public var pythonPath: String {
  ProcessInfo.processInfo.environment["RSSI_PYTHON"]
    ?? repositoryRoot.appending(path: ".build/python/bin/python").path
}
