package import PathLoss

/// A limited number of single readings with their times, for a picture: every k-th, where k doubles
/// at the limit. The result does not depend on anything but the readings.
package struct ThinnedReadings {
  package static let limit = 20_000

  /// The times in nanoseconds since the Unix epoch.
  package private(set) var times: [Int64] = []
  /// The levels in dBm.
  package private(set) var levels: [Float] = []
  /// The stations, by the tally's numbers.
  package private(set) var slots: [Int32] = []
  /// The number of readings for each one that is kept.
  package private(set) var step = 1
  private var seen = 0

  package init() {}

  /// Takes a block of readings; those that no fit uses are skipped.
  package mutating func add(levels block: [Float], times blockTimes: [Int64], slots places: [Int32])
  {
    for row in block.indices where places[row] >= 0 && block[row] < 0 {
      if seen % step == 0, times.count == Self.limit { halve() }
      if seen % step == 0 {
        times.append(blockTimes[row])
        levels.append(block[row])
        slots.append(places[row])
      }
      seen += 1
    }
  }

  private mutating func halve() {
    let kept = stride(from: 0, to: times.count, by: 2)
    times = kept.map { times[$0] }
    levels = kept.map { levels[$0] }
    slots = kept.map { slots[$0] }
    step *= 2
  }
}

/// A limited number of readings of several files with their times, for a picture: every k-th of
/// each file, with one k for all.
package struct TimedReadings: Sendable {
  package private(set) var readings: [TimedReading] = []
  private var step = 1

  init() {}

  /// - Parameter tally: the stations of the readings.
  init(_ thinned: ThinnedReadings, _ tally: StationTally) {
    step = thinned.step
    readings = thinned.times.indices.map { index in
      TimedReading(
        time: thinned.times[index], level: Double(thinned.levels[index]),
        station: tally.station(ofSlot: thinned.slots[index]))
    }
  }

  /// Adds the readings of another file.
  mutating func merge(_ other: TimedReadings) {
    let whole = max(step, other.step)
    readings = every(whole / step) + other.every(whole / other.step)
    step = whole
    while readings.count > ThinnedReadings.limit {
      readings = every(2)
      step *= 2
    }
  }

  private func every(_ number: Int) -> [TimedReading] {
    number == 1 ? readings : stride(from: 0, to: readings.count, by: number).map { readings[$0] }
  }
}

/// A reading at a known distance with its time.
package struct TimedReading: Sendable {
  /// The time in nanoseconds since the Unix epoch.
  package var time: Int64
  /// The level in dBm.
  package var level: Double
  /// The station of the reading, without its levels.
  package var station: Station

  package init(time: Int64, level: Double, station: Station) {
    (self.time, self.level, self.station) = (time, level, station)
  }
}
