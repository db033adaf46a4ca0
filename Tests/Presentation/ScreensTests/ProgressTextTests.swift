import Testing

@testable import Screens

@Suite("How far work is, and how long it will still take")
struct ProgressTextTests {
  @Test func `work of constant speed ends at its first estimate`() throws {
    for (total, each) in [(4, 1.5), (100, 0.25), (7, 60.0)] {
      for done in 1...total where Double(done) * each >= 2 {
        let elapsed = Duration.seconds(Double(done) * each)
        let left = try #require(timeLeft(done: done, of: total, elapsed: elapsed))
        #expect(abs((elapsed + left) / .seconds(1) - Double(total) * each) < 1e-9)
      }
    }
  }

  @Test func `there is no estimate before two seconds and before anything is done`() {
    #expect(timeLeft(done: 50, of: 100, elapsed: .milliseconds(1999)) == nil)
    #expect(timeLeft(done: 0, of: 100, elapsed: .seconds(60)) == nil)
    #expect(timeLeft(done: 120, of: 100, elapsed: .seconds(60)) == .zero)
  }

  @Test func `lines show percent, then the time left, rounded up`() {
    var text = ProgressText("eval", total: 100)
    #expect(text.next(0, elapsed: .zero) == "eval 0 %")
    #expect(text.next(10, elapsed: .seconds(1)) == "eval 10 %")
    #expect(text.next(34, elapsed: .seconds(6)) == "eval 34 %, 12 s left")
    #expect(text.next(50, elapsed: .seconds(150)) == "eval 50 %, 3 min left")
    #expect(text.next(50, elapsed: .seconds(7201)) == "eval 50 %, 2 h 1 min left")
    #expect(text.next(130, elapsed: .seconds(7202)) == "eval 100 %, 0 s left")
  }

  @Test func `lines are a tenth of a second apart or more`() {
    var text = ProgressText("import", total: 1000)
    let times = (0..<1000).compactMap { step in
      text.next(step, elapsed: .milliseconds(step)).map { _ in step }
    }
    #expect(times == Array(stride(from: 0, to: 1000, by: 100)))
  }

  @Test func `work without units is whole, not a division by zero`() {
    var text = ProgressText("export", total: 0)
    #expect(text.next(0, elapsed: .zero) == "export 0 %")
  }
}
