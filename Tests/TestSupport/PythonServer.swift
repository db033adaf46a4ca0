import Foundation
import Glibc
import Synchronization

/// A Python that has loaded the packages of the scripts, and forks a process for each script.
///
/// Loading scipy or pandas takes more processor time than most scripts do.
final class PythonServer: Sendable {
  static let shared = Result { try PythonServer() }

  /// Reads a job from each line of its standard input.
  private static let program = """
    import ast, importlib, json, os, signal, sys, types

    running = {}

    def reap(*_):
        for process in list(running):
            # Not of any process: loading a package may start one, too.
            try:
                ended, status = os.waitpid(process, os.WNOHANG)
            except ChildProcessError:
                # Another signal came while this one was handled.
                continue
            if ended == 0:
                continue
            path = running.pop(process)
            with open(path + ".new", "w") as file:
                file.write(str(os.waitstatus_to_exitcode(status)))
            os.rename(path + ".new", path)

    def load(script):
        names = []
        try:
            for node in ast.walk(ast.parse(script)):
                if isinstance(node, ast.Import):
                    names += [name.name for name in node.names]
                elif isinstance(node, ast.ImportFrom) and node.module:
                    names += [node.module] + [f"{node.module}.{name.name}" for name in node.names]
        except SyntaxError:
            return
        for name in names:
            # Not what starts threads, which a fork does not take along.
            if name.split(".")[0] in ("numpy", "scipy", "pandas", "h5py"):
                try:
                    importlib.import_module(name)
                except ImportError:
                    pass

    signal.signal(signal.SIGCHLD, reap)
    for line in sys.stdin:
        job = json.loads(line)
        load(job["script"])
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        process = os.fork()
        if process == 0:
            break
        running[process] = job["status"]
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    else:
        sys.exit()

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdin = open(0)
    for number, name in (1, "output"), (2, "error"):
        os.dup2(os.open(job[name], os.O_WRONLY | os.O_CREAT, 0o600), number)
    sys.argv = ["-c", *job["arguments"]]
    os.environ["TMPDIR"] = job["folder"]
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    exec(compile(job["script"], "<string>", "exec"), main.__dict__)
    """

  private let process: pid_t
  /// Ends with this process, and the server then ends, too.
  private let jobs: Mutex<Int32>

  private init() throws {
    var ends: [Int32] = [-1, -1]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
    // Many tests run at once: numpy with threads of its own in each would wait for itself.
    let settings = ["OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "RSSI_REGISTRY": "none"]
    process = try spawn(
      pythonPath, ["-c", Self.program],
      environment: ProcessInfo.processInfo.environment.merging(settings) { $1 },
      files: [ends[0], STDOUT_FILENO, STDERR_FILENO])
    close(ends[0])
    jobs = Mutex(ends[1])
    Leftovers.add("\(process)")
    // The processor time of its scripts is that of the tests only once it has been waited for.
    atexit {
      guard let server = try? PythonServer.shared.get() else { return }
      kill(server.process, SIGKILL)
      waitpid(server.process, nil, 0)
    }
  }

  /// Runs a script to its end.
  func run(_ script: String, _ arguments: [String]) throws -> ProgramResult {
    let scratch = try TemporaryDirectory()
    let status = scratch.path("status")
    let job: [String: Any] = [
      "script": script, "arguments": arguments, "folder": scratch.url.path, "status": status,
      "output": scratch.path("output"), "error": scratch.path("error"),
    ]
    try send(JSONSerialization.data(withJSONObject: job) + Data("\n".utf8))
    while !FileManager.default.fileExists(atPath: status) {
      guard isRunning else { throw CocoaError(.executableLoad) }
      usleep(5_000)
    }
    func text(_ name: String) throws -> String {
      try String(decoding: Data(contentsOf: scratch.url.appending(path: name)), as: UTF8.self)
    }
    let code = try Int32(text("status")) ?? -1
    return ProgramResult(
      exitCode: code < 0 ? 128 - code : code, output: try text("output"), error: try text("error"))
  }

  private func send(_ line: Data) throws {
    try jobs.withLock { socket in
      var rest = line[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 || errno == EINTR else { throw CocoaError(.fileWriteUnknown) }
        rest = rest.dropFirst(max(0, count))
      }
    }
  }

  private var isRunning: Bool {
    var information = siginfo_t()
    waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT | WNOHANG)
    return information.si_signo != SIGCHLD
  }
}
