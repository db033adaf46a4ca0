package import Filtering
import NumericalMethods

/// The levels of many links, in the order in which they came, and what is known of the truth.
package struct TrialLevels: Sendable {
  /// By number of the link, where it belongs. A link of two traces is two links here.
  package private(set) var places: [LinkPlace] = []
  /// By number of the link, its rows: in order of time once they are sorted.
  private(set) var rowsOfLink: [[Int]] = []
  package private(set) var link: [Int32] = []
  /// Nanoseconds.
  package private(set) var time: [Int64] = []
  /// dBm; NaN where the sighting has no level.
  package private(set) var rssi: [Double] = []
  /// 37 to 39; 255 where it is not known.
  package private(set) var channel: [UInt8] = []

  package init() {}

  package var count: Int { time.count }

  /// Makes room for a link and returns its number, counted from 0.
  package mutating func addLink(_ place: LinkPlace) -> Int {
    places.append(place)
    rowsOfLink.append([])
    return places.count - 1
  }

  package mutating func append(link: Int, time: Int64, rssi: Double, channel: UInt8) {
    rowsOfLink[link].append(count)
    self.link.append(Int32(truncatingIfNeeded: link))
    self.time.append(time)
    self.rssi.append(rssi)
    self.channel.append(channel)
  }

  /// Puts the rows of each link into order of time; equal times keep theirs.
  mutating func sortLinks() {
    for link in rowsOfLink.indices {
      rowsOfLink[link].sort { (time[$0], $0) < (time[$1], $1) }
    }
  }

  /// Replaces the levels of rows by nothing, so that no filter sees them.
  mutating func hide(_ isHidden: [Bool]) {
    for row in rssi.indices where isHidden[row] { rssi[row] = .nan }
  }

  /// The same sightings with other levels; those without a level stay without.
  func with(levels: (_ link: Int, _ time: Int64) -> Double) -> TrialLevels {
    var copy = self
    for rows in rowsOfLink {
      for row in rows where !rssi[row].isNaN { copy.rssi[row] = levels(Int(link[row]), time[row]) }
    }
    return copy
  }

  /// The rows at which a filter has seen so many levels of the link before, in its trace.
  func settled(after settling: Int) -> [Bool] {
    var isSettled = Array(repeating: false, count: count)
    for rows in rowsOfLink {
      var seen = 0
      for row in rows where !rssi[row].isNaN {
        isSettled[row] = seen >= settling
        seen += 1
      }
    }
    return isSettled
  }
}

/// What a filter makes of levels that are known exactly, at the times of real sightings.
///
/// Lag and noise reduction are properties of a filter and of when sightings come, not of the levels
/// that happened to be received; so they are measured with levels made for it.
struct SyntheticLevels {
  private let table: TrialLevels
  /// Row by row, whether it counts.
  private let isSettled: [Bool]

  init(_ table: TrialLevels, isSettled: [Bool]) {
    self.table = table
    self.isSettled = isSettled
  }

  /// Seconds by which a filter follows a level that rises by 1 dB a second on each link, in the
  /// second half of links of 5 s and more, when it has settled. Negative = ahead.
  func lags(of candidate: FilterCandidate) -> [Double] {
    let starts = table.rowsOfLink.map { $0.first.map { table.time[$0] } ?? 0 }
    let lengths = zip(table.rowsOfLink, starts).map { rows, start in
      secondsLater(rows.last.map { table.time[$0] } ?? start, than: start)
    }
    let ramp = table.with { link, time in -60 + secondsLater(time, than: starts[link]) }
    let run = FilterRun(candidate, over: ramp)
    var lags: [Double] = []
    for row in 0..<table.count where isSettled[row] && !run.rssi[row].isNaN {
      let link = Int(table.link[row])
      guard lengths[link] >= 5, ramp.rssi[row] + 60 >= lengths[link] / 2 else { continue }
      lags.append(ramp.rssi[row] - run.rssi[row])
    }
    return lags
  }

  /// The squares of independent Gaussian noise of 3 dB about -60 dBm, summed before and after a
  /// filter.
  func noise(of candidate: FilterCandidate) -> (before: Double, after: Double) {
    var random = RandomStream(SplitMix64(seed: 1))
    let noisy = table.with { _, _ in -60 + 3 * random.gaussianPair().0 }
    let run = FilterRun(candidate, over: noisy)
    var before = 0.0
    var after = 0.0
    for row in 0..<table.count where isSettled[row] && !run.rssi[row].isNaN {
      before += (noisy.rssi[row] + 60) * (noisy.rssi[row] + 60)
      after += (run.rssi[row] + 60) * (run.rssi[row] + 60)
    }
    return (before, after)
  }
}
