import Support
import Testing

@Suite("Programs that answer lines")
struct ChildProgramTests {
  private let question = Array("question".utf8)

  @Test func `answers one line for each`() throws {
    let program = try ChildProgram("while read line; do echo \"re: $line\"; done")
    for text in ["a", "b"] {
      let answer = try program.ask(Array(text.utf8), within: 60_000)
      #expect(String(decoding: answer, as: UTF8.self) == "re: \(text)")
    }
    #expect(program.finish(within: 60_000) == 0)
  }

  @Test(arguments: [("exit 3", .ended), ("yes", .malformed)] as [(String, ChildProgram.Failure)])
  func `a missing answer has a reason`(command: String, reason: ChildProgram.Failure) throws {
    let program = try ChildProgram(command)
    // It has written, or ended, as soon as a first question fails.
    #expect(throws: reason) {
      while true { _ = try program.ask(question, within: 60_000) }
    }
  }

  @Test func `times out`() throws {
    let program = try ChildProgram("exec sleep 600")
    #expect(throws: ChildProgram.Failure.timedOut) { try program.ask(question, within: 1) }
  }

  @Test func `exit status is that of a shell`() throws {
    #expect(try ChildProgram("exit 3").finish(within: 60_000) == 3)
    #expect(try ChildProgram("kill -KILL $$").finish(within: 60_000) == 128 + 9)
  }

  @Test func `unwanted output is discarded`() throws {
    let program = try ChildProgram("yes | head -c 1000000", answers: false)
    #expect(program.finish(within: 60_000) == 0)
  }
}
