import Evaluation
import Positioning
import TestSupport
import Testing

struct EpochBuilderTests {
  private struct Heard { var time: Int64, anchor: Int, level: Double, channel: UInt8 = 255 }

  private func seconds(_ seconds: Double) -> Int64 { Int64((seconds * 1e9).rounded()) }

  private func always(_ step: Double, window: Double? = nil) -> EpochSchedule {
    .always(step: seconds(step), window: seconds(window ?? step))
  }

  private func close(_ builder: inout EpochBuilder) throws -> HeardEpoch {
    let epoch = builder.close()
    return try #require(epoch)
  }

  @Test func `a window has its end but not its start`() {
    var builder = EpochBuilder(.walk(0...20, step: 10, window: 10))
    for time in [Int64(0), 1, 10, 11, 20, 21] {
      builder.add(time: time, anchor: 0, level: Double(time), raw: .nan)
    }
    #expect(builder.epochs.map { $0.levels.map(\.rssi) } == [[5.5], [15.5]])
    #expect(builder.epochs.map { $0.levels.map(\.packets) } == [[2], [2]])
  }

  @Test func `anchors that were not heard, and levels that are not numbers, are left out`() {
    var builder = EpochBuilder(.stops([1...10]))
    builder.add(time: 5, anchor: 0, level: .nan, raw: -60)
    builder.add(time: 5, anchor: 2, level: -70, raw: -60)
    #expect(builder.epochs.map { $0.levels.map(\.anchor) } == [[2]])
    #expect(builder.epochs[0].readings.isEmpty)
    #expect(EpochBuilder(.stops([])).epochs.isEmpty)
  }

  @Test(arguments: [3, 10, 35])
  func `agrees with a search of every window, in any order of sightings`(window: Int64) {
    var generator = SeededGenerator(seed: UInt64(window))
    let walk = EpochSchedule.walk(0...200, step: 10, window: window)
    let heard = (0..<600).map { _ in
      Heard(
        time: Int64.random(in: -20..<230, using: &generator),
        anchor: Int.random(in: 0..<4, using: &generator),
        level: Double.random(in: -90 ..< -40, using: &generator))
    }
    for schedule in [walk, .stops([0...9, 20...150, 150...150, 180...230])] {
      for rule in [EpochBuilder.LevelRule.mean, .last] {
        var builder = EpochBuilder(schedule, rule)
        for one in heard {
          builder.add(time: one.time, anchor: one.anchor, level: one.level, raw: .nan)
        }
        #expect(builder.epochs.count == schedule.numbers.count)
        for (number, epoch) in zip(schedule.numbers, builder.epochs) {
          #expect(epoch.instant == schedule.instant(number))
          #expect(epoch.levels.map(\.anchor) == epoch.levels.map(\.anchor).sorted())
          for anchor in 0..<4 {
            let inside = heard.filter {
              $0.anchor == anchor && $0.time > epoch.start && $0.time <= epoch.instant
            }
            let level = epoch.levels.first { $0.anchor == anchor }
            #expect((level?.packets ?? 0) == inside.count)
            guard let level else { continue }
            #expect(level.time == inside.map(\.time).max())
            switch rule {
            case .mean:
              #expect(isClose(level.rssi, inside.map(\.level).reduce(0, +) / Double(inside.count)))
            case .last: #expect(level.rssi == inside.last { $0.time == level.time }?.level)
            }
          }
        }
      }
    }
  }

  @Test func `trackers hear each level once, in bins of half a second`() throws {
    var builder = EpochBuilder(always(1, window: 3))
    for (time, level) in [(9.5, -50.0), (9.500_000_001, -60), (9.9, -64), (10, -70)] {
      builder.add(time: seconds(time), anchor: 2, level: level, raw: level)
    }
    builder.add(time: seconds(9.7), anchor: 1, level: -80, raw: -80)
    let epoch = try close(&builder)
    #expect(epoch.instant == seconds(10) && epoch.start == seconds(7))
    #expect(epoch.readings.map(\.anchor) == [2, 1, 2])
    #expect(epoch.readings.map(\.packets) == [1, 1, 3])
    #expect(abs(epoch.readings[2].rssi + (60 + 64 + 70) / 3) < 1e-9)
    #expect(builder.close()?.readings.isEmpty == true)
  }

  @Test func `a window longer than the step keeps what it shares with the next one`() {
    var builder = EpochBuilder(always(1, window: 2))
    builder.add(time: seconds(10), anchor: 0, level: -60, raw: -60)
    #expect((0..<3).map { _ in builder.close()?.levels.count } == [1, 1, 0])
  }

  @Test func `a filter's level is its latest, and levels that no link has do not count`() throws {
    var builder = EpochBuilder(always(1), .last)
    builder.add(time: seconds(9.4), anchor: 0, level: -60, raw: -50)
    builder.add(time: seconds(9.8), anchor: 0, level: -62, raw: .nan)
    builder.add(time: seconds(9.9), anchor: 1, level: .nan, raw: -55)
    let epoch = try close(&builder)
    #expect(epoch.levels.map(\.anchor) == [0] && epoch.levels[0].rssi == -62)
    #expect(epoch.readings.map(\.rssi) == [-50, -55])
  }

  @Test func `instants count from the first position of the truth`() throws {
    let origin = seconds(100.3)
    let end = origin + seconds(4)
    var builder = EpochBuilder(.walk(origin...end, step: seconds(2), window: seconds(3)))
    for time in [origin - 1, origin, origin + seconds(2), end + 1] {
      builder.add(time: time, anchor: 0, level: -60, raw: -60)
    }
    let first = try close(&builder)
    #expect(first.instant == origin + seconds(2) && first.start == origin - 1)
    #expect(first.levels.map(\.packets) == [2])
    let second = try close(&builder)
    #expect(second.start == origin + seconds(1) && second.levels.map(\.packets) == [1])
    #expect(builder.next == nil && builder.close() == nil)
  }

  @Test func `a sighting after the end of a track begins another one`() {
    var builder = EpochBuilder(always(1))
    builder.add(time: seconds(10), anchor: 0, level: -60, raw: -60)
    for _ in 0..<4 { _ = builder.close() }
    #expect(builder.next == seconds(14) && builder.isLost(after: seconds(3)))
    #expect(builder.successor() == nil)
    builder.add(time: seconds(20.5), anchor: 0, level: -60, raw: -60)
    #expect(builder.isLost(after: seconds(3)))
    #expect(builder.successor()?.next == seconds(21))
  }

  @Test(arguments: 0..<20)
  func `closed one by one, epochs are those of all sightings at once`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let window = seconds(Double.random(in: 0.5...4, using: &generator))
    let times = (0..<300).map { _ in Int64.random(in: 0...seconds(60), using: &generator) }.sorted()
    let schedule = EpochSchedule.walk(0...seconds(60), step: seconds(1), window: window)
    var (live, whole) = (EpochBuilder(schedule), EpochBuilder(schedule))
    var closed: [HeardEpoch] = []
    for time in times {
      while let next = live.next, next < time { closed += [live.close()].compactMap(\.self) }
      let (anchor, level) = (
        Int.random(in: 0..<5, using: &generator), Double.random(in: -90 ..< -40, using: &generator)
      )
      live.add(time: time, anchor: anchor, level: level, raw: level)
      whole.add(time: time, anchor: anchor, level: level, raw: level)
    }
    while let epoch = live.close() { closed.append(epoch) }
    #expect(closed == whole.epochs)
  }

  @Test(arguments: [1, 2, 3])
  func `offsets of channels are removed as if they had been removed from each level`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let schedule = EpochSchedule.walk(0...seconds(20), step: seconds(2), window: seconds(3))
    func offset(_ anchor: Int, _ channel: UInt8) -> Double {
      channel == 255 ? 0 : Double(channel) - 38 + Double(anchor) / 8
    }
    var kept = EpochBuilder(schedule, keepsChannels: true)
    var (corrected, plain) = (EpochBuilder(schedule), EpochBuilder(schedule))
    for _ in 0..<500 {
      let heard = Heard(
        time: Int64.random(in: 0...seconds(20), using: &generator),
        anchor: Int.random(in: 0..<3, using: &generator),
        level: Double.random(in: -90 ..< -40, using: &generator),
        channel: [37, 38, 39, 255].randomElement(using: &generator)!)
      let level = heard.level - offset(heard.anchor, heard.channel)
      kept.add(
        time: heard.time, anchor: heard.anchor, level: heard.level, raw: heard.level,
        channel: heard.channel)
      corrected.add(time: heard.time, anchor: heard.anchor, level: level, raw: level)
      plain.add(time: heard.time, anchor: heard.anchor, level: heard.level, raw: heard.level)
    }
    func expectSame(_ ours: [HeardEpoch], _ others: [HeardEpoch]) {
      for (one, other) in zip(ours, others) {
        for (own, theirs) in [(one.levels, other.levels), (one.readings, other.readings)] {
          #expect(own.map(\.anchor) == theirs.map(\.anchor))
          #expect(own.map(\.packets) == theirs.map(\.packets))
          #expect(own.map(\.time) == theirs.map(\.time))
          for (a, b) in zip(own, theirs) { #expect(isClose(a.rssi, b.rssi)) }
        }
      }
    }
    expectSame(kept.epochs, plain.epochs)
    expectSame(kept.epochs.map { $0.removing(offset) }, corrected.epochs)
  }
}
