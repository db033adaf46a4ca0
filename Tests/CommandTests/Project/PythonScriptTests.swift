import Foundation
import TestSupport
import Testing

/// Scripts that judge results run in one Python, each in a process that forks from it.
struct PythonScriptTests {
  @Test func `a script prints, fails and ends as a program of its own`() throws {
    let fine = try runPython("import sys\nprint(sys.argv[1:], sys.stdin.read())", ["a b"])
    #expect(fine.exitCode == 0 && fine.output == "['a b'] \n" && fine.error.isEmpty)
    #expect(try runPython("raise SystemExit(3)").exitCode == 3)
    let failing = try runPython("print('before')\n1 / 0")
    #expect(failing.exitCode == 1 && failing.output == "before\n")
    #expect(failing.error.hasSuffix("division by zero\n"))
    let ended = try runPython("import os, signal\nos.kill(os.getpid(), signal.SIGTERM)")
    #expect(ended.exitCode == 128 + SIGTERM)
    #expect(try runPython("def f(:").error.contains("SyntaxError"))
  }

  @Test func `no script sees what another one changed`() throws {
    #expect(try runPython("import numpy\nnumpy.mark = 1").exitCode == 0)
    #expect(try runPython("import numpy\nprint(hasattr(numpy, 'mark'))").output == "False\n")
  }

  @Test func `a script may start programs`() throws {
    let result = try runPython("import subprocess\nsubprocess.run(['echo', 'x'], check=True)")
    #expect(result.exitCode == 0 && result.output == "x\n")
  }
}
