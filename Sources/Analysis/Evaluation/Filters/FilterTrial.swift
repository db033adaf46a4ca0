import Filtering
import NumericalMethods

/// A comparison of filters on the same levels.
///
/// If the true levels are known, the output of a filter at a sighting is compared with the truth at
/// its time. Otherwise, one sighting in ten is held out and compared with the filter's latest
/// output before it; a filter that needs later sightings anyway is interpolated from both sides.
public struct FilterTrial: Sendable {
  /// The input of the filters: all levels, or those that are not held out.
  package let table: TrialLevels
  /// The reference levels in dBm; NaN for none.
  private let reference: [Double]
  private let isHeldBack: [Bool]
  private let holdsBack: Bool
  private let settling: Int
  private let isSettled: [Bool]

  /// - Parameters:
  ///   - table: The levels.
  ///   - truth: The true levels in dBm, row by row, NaN if unknown; `nil` to hold levels out.
  ///   - settling: The number of levels at the start of each link in each trace that are not
  ///     scored.
  package init(_ table: TrialLevels, truth: [Double]?, settling: Int) {
    self.settling = settling
    holdsBack = truth == nil
    var table = table
    table.sortLinks()
    if let truth {
      self.table = table
      reference = truth
      isHeldBack = []
      isSettled = table.settled(after: settling)
      return
    }
    var random = SplitMix64(seed: 1)
    let isHeldBack = table.rssi.map { _ in random.next(below: 10) == 0 }
    reference = table.rssi
    var rest = table
    rest.hide(isHeldBack)
    self.table = rest
    self.isHeldBack = isHeldBack
    isSettled = rest.settled(after: settling)
  }

  /// The number of levels after settling that have a reference.
  public var comparable: Int {
    if holdsBack { return isHeldBack.indices.count { isHeldBack[$0] && !reference[$0].isNaN } }
    return reference.indices.count { isSettled[$0] && !reference[$0].isNaN }
  }

  /// Runs a filter over the levels, a ramp and noise.
  package func sums(_ candidate: FilterCandidate) -> FilterSums {
    let run = FilterRun(candidate, over: table)
    var sums = holdsBack ? prediction(run, candidate) : agreement(run)
    let synthetic = SyntheticLevels(table, isSettled: isSettled)
    sums.add(lags: synthetic.lags(of: candidate), noise: synthetic.noise(of: candidate))
    return sums
  }

  /// Returns the score of a chain of filters.
  public func score(_ candidate: FilterCandidate) -> FilterScore { sums(candidate).score }

  /// Returns the output of a filter in each row, in dBm, with its variance in dB².
  public func levels(_ candidate: FilterCandidate) -> (rssi: [Double], variance: [Double]) {
    let run = FilterRun(candidate, over: table)
    return (run.rssi, run.variance)
  }

  private func agreement(_ run: FilterRun) -> FilterSums {
    FilterSums(
      reference.indices.lazy.filter { isSettled[$0] }.map {
        (run.rssi[$0], run.variance[$0], reference[$0])
      })
  }

  private func prediction(_ run: FilterRun, _ candidate: FilterCandidate) -> FilterSums {
    var predictions: [(said: Double, variance: Double, truth: Double)] = []
    for rows in table.rowsOfLink {
      var last: Int?
      var seen = 0
      // The held-out rows since the last one that was not.
      var open: [Int] = []
      for row in rows {
        if isHeldBack[row] {
          guard let last, seen >= settling else { continue }
          if candidate.isCausal {
            predictions.append((run.rssi[last], .nan, reference[row]))
          } else {
            open.append(row)
          }
        } else if !table.rssi[row].isNaN {
          for held in open {
            guard let last else { continue }
            let said = between(last, row, at: table.time[held], run)
            predictions.append((said, .nan, reference[held]))
          }
          open.removeAll()
          last = row
          seen += 1
        }
      }
    }
    return FilterSums(predictions)
  }

  private func between(_ before: Int, _ after: Int, at time: Int64, _ run: FilterRun) -> Double {
    let whole = secondsLater(table.time[after], than: table.time[before])
    let share = whole > 0 ? secondsLater(time, than: table.time[before]) / whole : 0
    return run.rssi[before] + share * (run.rssi[after] - run.rssi[before])
  }
}
