import Evaluation
import Geometry
import TestSupport
import Testing

struct EpochScheduleTests {
  private func walk(step: Int64, window: Int64? = nil) -> EpochSchedule {
    .walk(100...150, step: step, window: window ?? step)
  }

  private func all<Value>(
    _ schedule: EpochSchedule, _ value: (EpochSchedule) -> (Int) -> Value
  ) -> [Value] {
    schedule.numbers.map(value(schedule))
  }

  @Test func `comes every step, from one step after the first mark up to the last`() {
    #expect(all(walk(step: 20), EpochSchedule.instant) == [120, 140])
    #expect(all(walk(step: 20), EpochSchedule.start) == [100, 120])
    #expect(all(walk(step: 25), EpochSchedule.instant) == [125, 150])
    #expect(walk(step: 51).numbers.isEmpty)
  }

  @Test func `windows do not reach back before the first mark`() {
    let schedule = walk(step: 10, window: 25)
    #expect(all(schedule, EpochSchedule.instant) == [110, 120, 130, 140, 150])
    #expect(all(schedule, EpochSchedule.start) == [99, 99, 105, 115, 125])
    #expect(schedule.numbers(holding: 99).isEmpty)
    #expect(schedule.numbers(holding: 100) == 1..<3)
  }

  @Test func `may be measured against the middle of the window`() {
    let schedule = walk(step: 10, window: 30)
    #expect(
      schedule.numbers.map { schedule.asked($0, truth: .windowMiddle) } == [
        105, 110, 115, 125, 135,
      ])
    #expect(
      schedule.numbers.map { schedule.asked($0, truth: .epoch) } == [110, 120, 130, 140, 150])
  }

  @Test func `is the whole of a stop, both ends included`() {
    let schedule = EpochSchedule.stops([10...30, 30...60])
    #expect(all(schedule, EpochSchedule.instant) == [30, 60])
    #expect(all(schedule, EpochSchedule.start) == [9, 29])
    #expect(
      [9, 10, 30, 31, 61].map(schedule.numbers(holding:)) == [0..<0, 0..<1, 0..<2, 1..<2, 2..<2])
    #expect(schedule.bins == 0 && schedule.bin(of: 20) == nil)
  }

  @Test func `the instants of a clock are whole multiples of the step, before 1970 too`() {
    let schedule = EpochSchedule.always(step: 10, window: 25)
    #expect(schedule.numbers(holding: -11) == -1..<2)
    #expect(schedule.numbers(holding: 0) == 0..<3)
    #expect(EpochSchedule.always(step: 10, window: 4).numbers(holding: 5).isEmpty)
  }

  @Test(arguments: 0..<200)
  func `a window has a time if and only if its numbers do, and bins tile each step`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let second: Int64 = 1_000_000_000
    let step = Int64.random(in: 1...3 * second, using: &generator)
    let window = Int64.random(in: 1...4 * step, using: &generator)
    let origin = Int64.random(in: -10 * second...10 * second, using: &generator)
    let span = origin...origin + 20 * step + Int64.random(in: 0..<step, using: &generator)
    let schedule: EpochSchedule =
      Bool.random(using: &generator)
      ? .walk(span, step: step, window: window) : .always(step: step, window: window)
    let far = Int(10 * second / step) + 60
    let near = schedule.numbers.clamped(to: -far..<far)
    for _ in 0..<20 {
      // Ends of windows are as likely as times within.
      let end = schedule.instant(near.randomElement(using: &generator)!)
      let other = end + Int64.random(in: -step...step, using: &generator)
      let times: [Int64] = [end, end - window, end - step, other]
      let time = times[Int.random(in: 0..<4, using: &generator)]
      let numbers = schedule.numbers(holding: time)
      let searched = (near.lowerBound - 30..<near.upperBound + 30).clamped(to: schedule.numbers)
        .filter { schedule.start($0) < time && time <= schedule.instant($0) }
      #expect(Array(numbers) == searched)
      guard let (number, _) = schedule.bin(of: time) else {
        #expect(!(near.dropFirst()).contains { schedule.instant($0) == time })
        continue
      }
      let start = schedule.instant(number) - step
      #expect(start < time && time <= schedule.instant(number))
    }
  }

  private static let day: Int64 = 86_400_000_000_000

  /// The ends of a step's bins, in numbers that do not overflow.
  private func ends(_ start: Int64, step: Int64) -> [Int64] {
    let count = Int64((Double(step) / 5e8).rounded(.up))
    return (1...count).map { Int64(Int128(start) + Int128(step) * Int128($0) / Int128(count)) }
  }

  @Test(
    arguments: [10_000_000, 500_000_000, 500_000_001, 1_300_000_000, day * 19 / 24, day] as [Int64])
  func `bins end where exact arithmetic has them, whatever the step`(step: Int64) {
    for number in [-9_000_000_000_000_000_000 / step, -1, 0, 1, 1_704_067_200_123_456_789 / step] {
      let instant = number * step
      let origin = instant - 3 * step
      for schedule in [
        EpochSchedule.always(step: step, window: step),
        .walk(origin...instant + step, step: step, window: step),
      ] {
        for (bin, end) in ends(instant - step, step: step).enumerated() {
          #expect(schedule.bin(of: end)?.bin == bin)
          if step > schedule.bins { #expect(schedule.bin(of: end - 1)?.bin == bin) }
        }
        #expect(schedule.bin(of: instant - step + 1)?.bin == 0)
      }
    }
  }
}
