package import Filtering
import NumericalMethods

/// The levels of many links in order of arrival.
package struct TrialLevels: Sendable {
  /// The trace and nodes of each link, by its number. A link of two traces counts as two.
  package private(set) var places: [LinkPlace] = []
  /// The rows of each link, by its number, in order of time after sorting.
  private(set) var rowsOfLink: [[Int]] = []
  package private(set) var link: [Int32] = []
  /// The times in nanoseconds.
  package private(set) var time: [Int64] = []
  /// The levels in dBm; NaN for a sighting without a level.
  package private(set) var rssi: [Double] = []
  /// The channels from 37 to 39; 255 if unknown.
  package private(set) var channel: [UInt8] = []

  package init() {}

  package var count: Int { time.count }

  /// Adds a link and returns its number, counted from 0.
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

  /// Sorts the rows of each link by time; equal times keep their order.
  mutating func sortLinks() {
    for link in rowsOfLink.indices {
      rowsOfLink[link].sort { (time[$0], $0) < (time[$1], $1) }
    }
  }

  /// Removes the levels of rows, so that no filter uses them.
  mutating func hide(_ isHidden: [Bool]) {
    for row in rssi.indices where isHidden[row] { rssi[row] = .nan }
  }

  /// Returns the same sightings with other levels; those without a level stay without.
  func with(levels: (_ link: Int, _ time: Int64) -> Double) -> TrialLevels {
    var copy = self
    for rows in rowsOfLink {
      for row in rows where !rssi[row].isNaN { copy.rssi[row] = levels(Int(link[row]), time[row]) }
    }
    return copy
  }

  /// Returns a Boolean value per row that is true if the filter has processed enough earlier levels
  /// of the link in its trace.
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

/// The output of a filter for synthetic levels at the times of real sightings.
///
/// Lag and noise reduction are properties of a filter and of the times of sightings, not of the
/// received levels, so they are measured with synthetic ones.
struct SyntheticLevels {
  private let table: TrialLevels
  /// A Boolean value per row that is true if the row is scored.
  private let isSettled: [Bool]

  init(_ table: TrialLevels, isSettled: [Bool]) {
    self.table = table
    self.isSettled = isSettled
  }

  /// Returns the delays in seconds of a filter behind a level that rises by 1 dB per second on each
  /// link, in the second half of links of at least 5 s, when it has settled. Negative values are
  /// ahead.
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

  /// Returns the sums of squares of independent Gaussian noise of 3 dB about -60 dBm before and
  /// after a filter.
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
