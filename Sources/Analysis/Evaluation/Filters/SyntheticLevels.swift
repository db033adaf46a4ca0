import Filtering
import NumericalMethods

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

  /// Seconds by which a filter follows a level that rises by 1 dB a second on each link, in the second
  /// half of links of 5 s and more, when it has settled. Negative = ahead.
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
