import Foundation
import TestSupport

/// Runs the built program on a terminal of its own, as a person sits at it, and answers its
/// prompts.
///
/// - Parameters:
///   - arguments: the program's.
///   - environment: variables that it has beside those of the test, such as TERM=dumb.
///   - answers: what to type at each prompt, one after the other: "\n", or "\u{3}" for Ctrl-C. The
///     last one is typed at all prompts that follow.
/// - Returns: all that appeared on the terminal, and how the program ended.
func onTerminal(
  _ arguments: [String], environment: [String] = [], answers: [String] = ["\n"]
) throws -> ProgramResult {
  let codes = answers.map { $0.unicodeScalars.map { String($0.value) }.joined(separator: "+") }
  return try runPython(
    """
    import os, pty, select, sys
    answers = [bytes(int(code) for code in word.split("+")) for word in sys.argv[1].split(",")]
    child, terminal = pty.fork()
    if child == 0:
        os.environ["SWIFT_BACKTRACE"] = "enable=no"
        os.execv(sys.argv[3], sys.argv[3:])
    seen, prompts = b"", 0
    while True:
        # A program that waits for more than the test types is stopped, and fails the test.
        ready, _, _ = select.select([terminal], [], [], float(sys.argv[2]))
        if not ready: os.kill(child, 9)
        try: seen += os.read(terminal, 65536)
        except OSError: break
        while seen.count(b"Enter begins") > prompts:
            os.write(terminal, answers[min(prompts, len(answers) - 1)])
            prompts += 1
    _, status = os.waitpid(child, 0)
    sys.stdout.buffer.write(seen)
    sys.exit(os.waitstatus_to_exitcode(status) % 256)
    """,
    [codes.joined(separator: ","), "\(patience.components.seconds)", "/usr/bin/env"] + environment
      + [builtProgram] + arguments)
}

/// Returns the final lines of a terminal, without overwritten ones.
func lastShown(_ transcript: String) -> [String] {
  transcript.split(separator: "\r\n", omittingEmptySubsequences: false).map { line in
    String(line.split(separator: "\r", omittingEmptySubsequences: false).last ?? "")
      .replacing("\u{1B}[K", with: "")
  }
}
