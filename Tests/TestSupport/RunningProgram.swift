public import Foundation
import Glibc

/// A program that runs beside the test.
///
/// It and what it starts in its process group end with this value, and with the test process,
/// however that ends.
public final class RunningProgram: Sendable {
  private let process: pid_t
  private let scratch: TemporaryDirectory

  /// Starts a program, with nothing on its standard input unless given.
  ///
  /// It knows no registry of beacons unless the environment names one: that of the machine is not
  /// part of a test. Its temporary files go when it goes.
  public init(
    _ path: String, _ arguments: [String], input: Data = Data(), directory: URL? = nil,
    environment: [String: String] = [:]
  ) throws {
    scratch = try TemporaryDirectory()
    try input.write(to: scratch.url.appending(path: "stdin"))
    // Files, not pipes: a pipe that nothing drains would stop a program with much to print.
    var files = [open(scratch.path("stdin"), O_RDONLY | O_CLOEXEC)]
    for name in ["stdout", "stderr"] {
      files.append(open(scratch.path(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    }
    defer { for file in files { close(file) } }
    process = try spawn(
      path, arguments,
      environment: ProcessInfo.processInfo.environment
        .merging(["RSSI_REGISTRY": "none", "TMPDIR": scratch.url.path]) { $1 }
        .merging(environment) { $1 },
      directory: directory?.path, files: files)
    Leftovers.add("\(process)")
  }

  public var isRunning: Bool { exitCode(WNOHANG) == nil }

  /// The output so far.
  public var output: String { text("stdout") }
  public var error: String { text("stderr") }

  /// The number of the process, which is that of its group.
  public var number: Int32 { process }

  /// Waits until it has worked off what there is for it: none of its threads runs, or could run, at
  /// ten looks in a row. False where that never comes.
  public func waitsUntilIdle() -> Bool {
    var looks = 0
    return waits {
      looks = isAsleep ? looks + 1 : 0
      return looks == 10
    }
  }

  private var isAsleep: Bool {
    let tasks = "/proc/\(process)/task"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return !names.isEmpty
      && names.allSatisfy { name in
        let text = (try? String(contentsOfFile: "\(tasks)/\(name)/stat", encoding: .utf8)) ?? ""
        // The state is behind the name in brackets; a thread that is woken is R before it runs.
        return text.split(separator: ")").last?.hasPrefix(" S ") == true
      }
  }

  public func send(_ signal: Int32) { kill(process, signal) }

  /// Ends it, and its group, as a power cut would.
  public func end() {
    kill(-process, SIGKILL)
    _ = exitCode()
  }

  /// Waits for its end. A program that a signal ended has 128 more than the signal as its exit
  /// code, as in a shell.
  public func wait() -> ProgramResult {
    ProgramResult(exitCode: exitCode() ?? -1, output: output, error: error)
  }

  /// Waits until something holds; false after `patience`, or when the program has ended before.
  public func waits(until condition: () throws -> Bool) rethrows -> Bool {
    var holds = false
    _ = try eventually {
      let hasEnded = !isRunning
      holds = try condition()
      return holds || hasEnded
    }
    return holds
  }

  /// The exit code; with `WNOHANG` nil while it runs.
  ///
  /// The process is left to be collected, so that no other gets its number while this value lives.
  private func exitCode(_ options: Int32 = 0) -> Int32? {
    var information = siginfo_t()
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT | options) != 0 {
      guard errno == EINTR else { return -1 }
    }
    guard information.si_signo == SIGCHLD else { return nil }
    let status = information._sifields._sigchld.si_status
    return information.si_code == CLD_EXITED ? status : 128 + status
  }

  private func text(_ name: String) -> String {
    String(
      decoding: (try? Data(contentsOf: URL(filePath: scratch.path(name)))) ?? Data(), as: UTF8.self)
  }

  deinit {
    end()
    Leftovers.remove("\(process)")
    waitpid(process, nil, 0)
  }
}
