import Support
import Synchronization
import Testing

@testable import Serving

@Suite("Answers that clients share") struct SharedAnswersTests {
  /// A clock that a test sets.
  private final class Clock: Sendable {
    let time = Atomic<Int64>(0)
    func advance(seconds: Double) { time.add(Int64(seconds * 1e9), ordering: .relaxed) }
  }

  private let clock = Clock()
  private let answers: SharedAnswers

  init() {
    let clock = clock
    answers = SharedAnswers(mostBytes: 1000) { clock.time.load(ordering: .relaxed) }
  }

  private func content(_ answer: WebAnswer) -> SharedAnswers.Content? {
    if case .shared(let content) = answer.content { content } else { nil }
  }

  @Test func `the same question about the same version is made once`() throws {
    var made = 0
    let some = (0..<250).map { _ in
      content(
        answers.answer("history", version: 7) {
          made += 1
          return "{}"
        })
    }
    #expect(made == 1 && answers.bytes == 2)
    #expect(some.allSatisfy { $0 === some[0] && $0?.bytes == Array("{}".utf8) })
    _ = answers.answer("history", version: 8) {
      made += 1
      return "{}"
    }
    #expect(made == 2)
  }

  @Test func `bytes that are being sent are bounded, and given back when they are sent`() throws {
    let text = String(repeating: "a", count: 400)
    var sent = (0..<5).map { answers.answer("\($0)", version: 0) { text } }
    #expect(sent.map(\.status) == [200, 200, 200, 503, 503])
    #expect(sent[4].headers["Retry-After"] == "1")
    // One that is known already takes no more.
    #expect(answers.answer("1", version: 0) { text }.status == 200)
    // Another version is not made: the one that is known is given.
    #expect(content(answers.answer("1", version: 9) { "new" }) === content(sent[1]))
    sent.removeAll()
    clock.advance(seconds: 2)
    #expect(answers.answer("other", version: 0) { text }.status == 200)
    #expect(answers.bytes == 400)
  }

  @Test func `clients with slow questions leave time for others`() {
    var made = 0
    func ask(_ question: Int) -> Int {
      answers.answer("\(question)", version: 0) {
        made += 1
        clock.advance(seconds: 0.3)
        return ""
      }.status
    }
    #expect((0..<100).count { ask($0) == 200 } == 3)
    clock.advance(seconds: 10)
    #expect((100..<200).count { ask($0) == 200 } == 3)
    #expect(made == 6)
  }
}

@Suite("Connections that make progress stay") struct ConnectionProgressTests {
  private let second: Int64 = 1_000_000_000

  @Test func `a request has five seconds, however many bytes come`() {
    let progress = ConnectionProgress(began: 0)
    #expect(!progress.isOver(at: 5 * second - 1, isCrowded: false))
    #expect(progress.isOver(at: 5 * second, isCrowded: false))
  }

  @Test(arguments: [(300_000, true), (20_000, true), (1000, true), (500, false), (0, false)])
  func `an answer goes on as long as its client receives some of it`(
    bytesPerSecond: Int, goesOn: Bool
  ) {
    var progress = ConnectionProgress(began: 0)
    progress.answers(isStream: false, at: 0)
    progress.given = 10_000_000
    var isOver = false
    for time in 1...30 where !isOver {
      progress.look(waiting: 10_000_000 - bytesPerSecond * time, at: Int64(time) * second)
      isOver = progress.isOver(at: Int64(time) * second, isCrowded: false)
    }
    #expect(isOver != goesOn)
  }

  @Test func `a stream without news stays, one that is not read ends`() {
    var progress = ConnectionProgress(began: 0)
    progress.answers(isStream: true, at: 0)
    progress.given = 100
    for time in 1...100 { progress.look(waiting: 0, at: Int64(time) * second) }
    #expect(!progress.isOver(at: 100 * second, isCrowded: true))
    progress.given = 200
    for time in 101...105 { progress.look(waiting: 100, at: Int64(time) * second) }
    #expect(progress.isOver(at: 105 * second, isCrowded: false))
  }

  @Test func `in a crowd half a second without progress is enough, and ten seconds in all`() {
    var progress = ConnectionProgress(began: 0)
    progress.answers(isStream: false, at: 0)
    #expect(progress.isOver(at: second / 2, isCrowded: true))
    progress.given = 1 << 30
    var ends: Int64?
    for time in 1...200 where ends == nil {
      let now = Int64(time) * second / 10
      progress.look(waiting: 1 << 30 - time * 10_000, at: now)
      if progress.isOver(at: now, isCrowded: true) { ends = now }
    }
    #expect(ends == 10 * second)
  }
}
