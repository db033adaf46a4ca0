import Filtering
import TestSupport

/// How the packets of a link come: their times in nanoseconds.
enum Reception: String, CaseIterable {
  case dense = "10 Hz, 50 % lost"
  case sparse = "1 Hz, 30 % lost"
  case dutyCycled = "10 Hz, 1 s in 6 s"

  func times(_ count: Int, _ generator: inout SeededGenerator) -> [Int64] {
    let (interval, loss): (Int64, Double) =
      switch self {
      case .dense: (100_000_000, 0.5)
      case .sparse: (1_000_000_000, 0.3)
      case .dutyCycled: (100_000_000, 0)
      }
    var times: [Int64] = []
    var time: Int64 = 1_700_000_000_000_000_000
    while times.count < count {
      // The random delay of an advertiser, 0 to 10 ms.
      time += interval + Int64.random(in: 0...10_000_000, using: &generator)
      if self == .dutyCycled, time % 6_000_000_000 >= 1_000_000_000 { continue }
      if Double.random(in: 0..<1, using: &generator) >= loss { times.append(time) }
    }
    return times
  }
}

/// Levels of a random walk with process noise `q` (dB²/s), heard with noise `r` (dB²).
func levels(
  at times: [Int64], q: Double, r: Double, _ generator: inout SeededGenerator
) -> NoiseEstimate.Link {
  var link = NoiseEstimate.Link()
  var level = -60.0
  var last = times.first ?? 0
  for time in times {
    level += (q * Double(time - last) * 1e-9).squareRoot() * generator.gaussian()
    last = time
    link.times.append(time)
    link.levels.append(Float(level + r.squareRoot() * generator.gaussian()))
  }
  return link
}
