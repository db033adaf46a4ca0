import LivePipelines
import TestSupport
import Testing

@Suite("The session's time") struct SessionClockTests {
  /// A network whose two ways take differently long, and differ from message to message.
  @Test(arguments: 0..<50)
  func `is within the claimed uncertainty`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let truth = Int64.random(
      in: -2_000_000_000_000_000_000...2_000_000_000_000_000_000, using: &random)
    // Parts in a thousand million, as far as two crystals may part.
    let drift = Int64.random(in: -90_000...90_000, using: &random)
    let slowest = (
      there: Int64.random(in: 10_000...200_000_000, using: &random),
      back: Int64.random(in: 10_000...200_000_000, using: &random)
    )
    var clock = SessionClock()
    var now: Int64 = 5_000_000_000
    func offset(at local: Int64) -> Int64 { truth + local / 1000 * drift / 1_000_000 }
    for _ in 0..<60 {
      let asked = now
      now += .random(in: 10_000...slowest.there, using: &random)
      let arrived = now + offset(at: now)
      now += .random(in: 0...5_000_000, using: &random)
      let answered = now + offset(at: now)
      now += .random(in: 10_000...slowest.back, using: &random)
      let exchange = ClockExchange(
        asked: asked, arrived: arrived, answered: answered, returned: now)
      let single = try #require(exchange.offset)
      // Half the way there and back, and what the clocks part meanwhile.
      #expect(abs(single.offset - offset(at: now)) <= single.uncertainty + (now - asked) / 10_000)
      clock.take(exchange)
      now += .random(in: 0...1_000_000_000, using: &random)
      let estimate = try #require(clock.estimate(at: now))
      #expect(abs(estimate.offset - offset(at: now)) <= estimate.uncertainty + 40_000)
    }
  }

  @Test func `is that of the shortest way`() throws {
    var clock = SessionClock()
    clock.take(ClockExchange(asked: 0, arrived: 1_090, answered: 1_090, returned: 100))
    clock.take(ClockExchange(asked: 200, arrived: 1_205, answered: 1_205, returned: 210))
    clock.take(ClockExchange(asked: 300, arrived: 1_310, answered: 1_310, returned: 400))
    let estimate = try #require(clock.estimate(at: 400))
    #expect(estimate.offset == 1_000)
    #expect(estimate.uncertainty <= 7)
  }

  @Test func `impossible exchanges have no offset`() {
    for exchange in [
      ClockExchange(asked: 10, arrived: 0, answered: 0, returned: 9),
      ClockExchange(asked: 0, arrived: 10, answered: 9, returned: 10),
      ClockExchange(asked: 0, arrived: 0, answered: 11, returned: 10),
      ClockExchange(asked: 0, arrived: .min, answered: .max, returned: 10),
      ClockExchange(asked: .min, arrived: 0, answered: 0, returned: .max),
      ClockExchange(asked: 0, arrived: 0, answered: 0, returned: 1, answerUncertainty: -1),
    ] { #expect(exchange.offset == nil) }
  }
}
