import Filtering
import RealModule

/// What a filter makes of levels that are known exactly, at the times of real sightings.
///
/// Lag and noise reduction are properties of a filter and of when sightings come, not of the levels
/// that happened to be received; so they are measured with levels made for it.
struct SyntheticLevels {
  private let table: LevelTable
  private let settling: Int

  init(_ table: LevelTable, settling: Int) {
    self.table = table
    self.settling = settling
  }

  /// Seconds by which a filter follows a level that falls for a minute and rises for a minute by
  /// 1 dB a second, from -30 to -90 dBm: the median over the second half of each flank, or over the
  /// second half of a link that is shorter. Negative = ahead, NaN = no such sighting.
  func lag(of candidate: FilterCandidate) -> Double {
    let starts = table.rowsOfLink.map { $0.first.map { table.time[$0] } ?? 0 }
    let ends = table.rowsOfLink.map { $0.last.map { table.time[$0] } ?? 0 }
    func phase(_ link: Int, _ time: Int64) -> Double {
      (Double(time - starts[link]) * 1e-9).truncatingRemainder(dividingBy: 120)
    }
    let ramp = table.with { link, time in
      let phase = phase(link, time)
      return phase < 60 ? -30 - phase : phase - 150
    }
    let run = FilterRun(candidate, over: ramp)
    var lags: [Double] = []
    for row in 0..<table.count where !run.rssi[row].isNaN {
      let link = Int(table.link[row])
      let phase = phase(link, table.time[row])
      let onFlank = phase.truncatingRemainder(dividingBy: 60)
      let flank = min(60, Double(ends[link] - starts[link]) * 1e-9)
      guard onFlank >= flank / 2 else { continue }
      let behind = run.rssi[row] - ramp.rssi[row]
      lags.append(phase < 60 ? behind : -behind)
    }
    guard !lags.isEmpty else { return .nan }
    lags.sort()
    return lags[lags.count / 2]
  }

  /// The variance of independent Gaussian noise of 3 dB about -60 dBm, before over after a filter.
  func noiseReduction(of candidate: FilterCandidate) -> Double {
    var random = SplitMix64(seed: 1)
    let noisy = table.with { _, _ in -60 + 3 * random.gaussian() }
    let run = FilterRun(candidate, over: noisy)
    let isSettled = table.settled(after: settling)
    var before = 0.0
    var after = 0.0
    for row in 0..<table.count where isSettled[row] && !run.rssi[row].isNaN {
      before += (noisy.rssi[row] + 60) * (noisy.rssi[row] + 60)
      after += (run.rssi[row] + 60) * (run.rssi[row] + 60)
    }
    return before / after
  }
}

extension SplitMix64 {
  /// A standard Gaussian number: Box and Muller, 1958, one of the pair.
  mutating func gaussian() -> Double {
    let radius = (-2 * Double.log(1 - Double(next() >> 11) * 0x1p-53)).squareRoot()
    return radius * Double.cos(2 * .pi * Double(next() >> 11) * 0x1p-53)
  }
}
