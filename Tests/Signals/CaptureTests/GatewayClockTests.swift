import Sightings
import Support
import Testing

@testable import Capture

@Suite("A gateway's clock is judged by how late its messages arrive")
struct GatewayClockTests {
  private let start = 1_790_000_000 * Timestamp.second

  /// Messages that arrive at some seconds and are late by some seconds.
  ///
  /// - Returns: whether the time of arrival is used for each.
  private func judged(_ messages: [(arrival: Double, lateness: Double)]) -> [Bool] {
    var clock = GatewayClock()
    return messages.map { message in
      let lateness = Int64(message.lateness * 1e9)
      clock.note(lateness, arrival: start + Int64(message.arrival * 1e9))
      return clock.isWrong(for: lateness)
    }
  }

  /// A message each second, late by a constant time and up to a second more, as whole seconds are.
  private func live(_ lateness: Double, count: Int = 10) -> [(arrival: Double, lateness: Double)] {
    (0..<count).map { (Double($0), lateness + Double($0 * 37 % 100) / 100) }
  }

  @Test(
    arguments: [
      1, 2, 5, 5.5, 5.75, 9.5, 12.75, 14,
    ] as [Double])
  func `a time zone is known from the first message on`(hours: Double) {
    #expect(judged(live(hours * 3600)).allSatisfy { $0 })
    #expect(judged([(0, hours * 3600 + 0.4)]) == [true])
  }

  @Test(
    arguments: [
      61.5, 137, 11_300, 93_677, 596_160,
    ] as [Double])
  func `any other constant lateness is known from the fourth message on`(seconds: Double) {
    let wrong = judged(live(seconds))
    #expect(Array(wrong.prefix(3)) == [false, false, false])
    #expect(wrong.dropFirst(3).allSatisfy { $0 })
  }

  @Test func `a clock within a minute is right`() {
    for lateness in [-59, -1, 0, 2.5, 30, 58] as [Double] {
      #expect(judged(live(lateness)).allSatisfy { !$0 })
    }
  }

  @Test func `a clock ahead, of 1970, or a counter is wrong in each message`() {
    for lateness in [-61, -7200, 691_200, 1_790_000_000, 1_789_990_000] as [Double] {
      #expect(judged(live(lateness)).allSatisfy { $0 })
    }
    var clock = GatewayClock()
    clock.note(.max, arrival: start)
    #expect(clock.isWrong(for: .max))
    #expect(GatewayClock.lateness(of: .min, arrival: start) == .max)
  }

  @Test(arguments: [1.5, 2, 10, 500] as [Double])
  func `messages that were held back keep their own times`(
    speed: Double
  ) {
    // An hour of outage, whose messages, one per second, are sent faster than they were heard.
    var messages: [(arrival: Double, lateness: Double)] = []
    for index in 0..<4000 {
      let arrival = 3600 + Double(index) / speed
      messages.append((arrival, arrival - Double(index)))
    }
    let wrong = judged(messages.filter { $0.lateness > 60 })
    #expect(wrong.count(where: { $0 }) <= wrong.count / 100, "\(wrong.count(where: { $0 }))")
  }

  @Test func `one message that was held back keeps its time`() {
    #expect(judged([(0, 600), (1, 0.2), (2, 0.3)]) == [false, false, false])
    #expect(judged([(0, 0.2), (1, 1234), (2, 0.3), (3, 1300)]).allSatisfy { !$0 })
  }

  @Test func `a clock that is set right meanwhile is used again`() {
    let wrong = judged(live(18_000) + live(0.2).map { ($0.arrival + 10, $0.lateness) })
    #expect(wrong.prefix(10).allSatisfy { $0 } && wrong.dropFirst(10).allSatisfy { !$0 })
  }

  @Test func `the offset has a description`() {
    for (lateness, text) in [
      (18_000.4, "5 h behind, a time zone?"), (-7199.6, "2 h ahead, a time zone?"),
      (20_700, "5 h 45 min behind, a time zone?"), (-90, "90 s ahead"),
      (1_790_000_000, "57 years behind"),
    ] as [(Double, String)] {
      var clock = GatewayClock()
      clock.note(Int64(lateness * 1e9), arrival: start)
      #expect(clock.offsetText == text)
    }
  }
}
