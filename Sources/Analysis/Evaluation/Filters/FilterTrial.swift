import Filtering
import NumericalMethods

/// Filters side by side on the same levels.
///
/// Where the true levels are known, what a filter states at a sighting is compared with the truth
/// then. Where they are not, one sighting in ten is held back, and compared with what the filter
/// stated last before it; a filter that needs later sightings anyway is asked on both sides of it.
public struct FilterTrial: Sendable {
  /// What filters are given: all levels, or those that are not held back.
  package let table: TrialLevels
  /// What they are compared with, dBm; NaN where there is nothing.
  private let reference: [Double]
  private let isHeldBack: [Bool]
  private let holdsBack: Bool
  private let settling: Int
  private let isSettled: [Bool]

  /// - Parameters:
  ///   - table: the levels.
  ///   - truth: row by row the true level, dBm, NaN where it is not known; nil = hold back.
  ///   - settling: levels of each link in each trace that are not scored.
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

  /// The number of levels beyond the settling ones that have a reference.
  public var comparable: Int {
    if holdsBack { return isHeldBack.indices.count { isHeldBack[$0] && !reference[$0].isNaN } }
    return reference.indices.count { isSettled[$0] && !reference[$0].isNaN }
  }

  /// Runs a filter over the levels, over a ramp and over noise.
  package func sums(_ candidate: FilterCandidate) -> FilterSums {
    let run = FilterRun(candidate, over: table)
    var sums = holdsBack ? prediction(run, candidate) : agreement(run)
    let synthetic = SyntheticLevels(table, isSettled: isSettled)
    sums.add(lags: synthetic.lags(of: candidate), noise: synthetic.noise(of: candidate))
    return sums
  }

  /// Returns the score of a chain of filters.
  public func score(_ candidate: FilterCandidate) -> FilterScore { sums(candidate).score }

  /// Returns the level of a filter in each row, in dBm, with its variance in dB².
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
      // Rows held back since the last one that was not.
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
