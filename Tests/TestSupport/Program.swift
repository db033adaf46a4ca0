public import Foundation

/// The output and the exit status of a program.
public struct ProgramResult: Sendable {
  public var exitCode: Int32
  public var output: String
  public var error: String
}

/// Runs a program to its end, as `RunningProgram` does, and returns what it printed.
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
  try RunningProgram(
    path, arguments, input: input, directory: directory, environment: environment
  ).wait()
}

/// Runs Python with the packages that `scripts/bootstrap` installs, as an independent judge.
///
/// - Parameters:
///   - script: the program's text.
///   - arguments: `sys.argv[1:]`.
public func runPython(_ script: String, _ arguments: [String] = []) throws -> ProgramResult {
  try PythonServer.shared.get().run(script, arguments)
}

/// The Python of the repository's own environment, or `RSSI_PYTHON`.
public var pythonPath: String {
  ProcessInfo.processInfo.environment["RSSI_PYTHON"]
    ?? repositoryRoot.appending(path: ".build/python/bin/python").path
}
