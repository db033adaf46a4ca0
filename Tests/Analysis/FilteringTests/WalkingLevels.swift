import Filtering
import TestSupport
import Testing

/// Sightings of one link with everything that makes them irregular.
struct WalkingLevels {
  /// Nanoseconds; some equal, some after gaps.
  var times: [Int64] = []
  /// dBm, whole.
  var levels: [Double] = []
  /// Some unknown.
  var channels: [UInt8] = []

  /// - Parameter longestGap: seconds.
  init(_ count: Int, longestGap: Double = 30, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var time: Int64 = 1_700_000_000_000_000_000
    var level = -65.0
    for k in 0..<count {
      let most =
        switch Int.random(in: 0..<8, using: &generator) {
        case 0 where k > 0: 0.0
        case 1: longestGap
        default: 1.0
        }
      if k > 0 { time += Int64(Double.random(in: 0...most, using: &generator) * 1e9) }
      level += 2 * generator.gaussian()
      times.append(time)
      levels.append((level + 4 * generator.gaussian()).rounded())
      channels.append([37, 38, 39, 255].randomElement(using: &generator) ?? 255)
    }
  }

  /// Since the first sighting, rows for a judge.
  var seconds: [Double] { times.map { Double($0 - times[0]) * 1e-9 } }

  /// What a filter says of each.
  func said(by filter: some LevelFilter) -> [FilteredLevel] {
    var filter = filter
    return times.indices.map {
      filter.update(time: times[$0], rssi: levels[$0], channel: channels[$0])
    }
  }

  /// What a smoother says of each.
  func said(by smoother: some LevelSmoother) -> [FilteredLevel] {
    var smoother = smoother
    var said: [FilteredLevel] = []
    for k in times.indices {
      smoother.update(time: times[k], rssi: levels[k], channel: channels[k], into: &said)
    }
    smoother.finish(into: &said)
    return said
  }

  func shifted(seconds: Int64 = 0, decibels: Double = 0) -> WalkingLevels {
    var copy = self
    for k in times.indices {
      copy.times[k] += seconds * 1_000_000_000
      copy.levels[k] += decibels
    }
    return copy
  }
}

/// Whether two filters say the same but for rounding, the levels of the second so many dB higher.
func agree(
  _ some: [FilteredLevel], _ others: [FilteredLevel], decibels: Double = 0,
  tolerance: Double = 1e-9
) -> Bool {
  some.count == others.count
    && zip(some, others).allSatisfy { one, other in
      isClose(one.rssi, other.rssi - decibels, absolute: tolerance)
        && isClose(one.variance, other.variance, absolute: tolerance, relative: tolerance)
    }
}

/// Expects what is true of every filter with a model: finite levels, positive variances, no origin
/// of time, none of levels, and levels that stay finite over the longest gap there is.
///
/// - Parameter make: a filter of levels that are all higher by so many dB.
func expectSoundness(
  seed: UInt64, _ make: (_ decibels: Double) -> some LevelFilter,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let heard = WalkingLevels(200, longestGap: 300, seed: seed)
  let said = heard.said(by: make(0))
  #expect(
    said.allSatisfy { $0.rssi.isFinite && $0.variance.isFinite && $0.variance > 0 },
    sourceLocation: sourceLocation)
  let later = heard.shifted(seconds: -1_700_000_123).said(by: make(0))
  #expect(bits(said) == bits(later), sourceLocation: sourceLocation)
  let louder = heard.shifted(decibels: 17).said(by: make(17))
  #expect(agree(said, louder, decibels: 17, tolerance: 1e-8), sourceLocation: sourceLocation)

  var filter = make(0)
  for (time, rssi) in [(Int64.min, -60.0), (.max, -80), (.max, -70), (.max, -75)] {
    let said = filter.update(time: time, rssi: rssi, channel: 37)
    #expect((-100 ... -40).contains(said.rssi), sourceLocation: sourceLocation)
    #expect(said.variance > 0 && said.variance.isFinite, sourceLocation: sourceLocation)
  }
}
