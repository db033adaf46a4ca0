import Foundation
import NumericalMethods
import PathLoss
import TestSupport

/// One reading of a simulated calibration.
struct Reading {
  var rssi: Double
  var distance: Double
  var position: UInt64
}

/// Readings at positions from 1 m to 20 m, evenly apart in log distance, of a beacon with -59 dBm
/// and exponent 2.2: each position has an offset of its own, each packet another.
func readings(
  positions: Int = 20, packets: Int = 20, positionDeviation: Double = 4,
  packetDeviation: Double = 3, farthest: Double = 20, _ generator: inout SeededGenerator
) -> [Reading] {
  (0..<positions).flatMap { position -> [Reading] in
    let distance = pow(farthest, Double(position) / Double(positions - 1))
    let offset = positionDeviation * generator.gaussian()
    return (0..<packets).map { _ in
      Reading(
        rssi: -59 - 22 * log10(distance) + offset + packetDeviation * generator.gaussian(),
        distance: distance, position: UInt64(position))
    }
  }
}

extension Interval {
  /// Both limits, the lower one first.
  var limits: [Double] { [lower, upper] }
}

/// The readings as stations: one for each position and distance.
func stations(_ readings: [Reading]) -> [Station] {
  struct Place: Hashable {
    var position: UInt64
    var distance: Double
  }
  return Dictionary(grouping: readings) { Place(position: $0.position, distance: $0.distance) }
    .map { place, here in
      let levels = Dictionary(grouping: here, by: \.rssi).mapValues(\.count).sorted {
        $0.key < $1.key
      }
      return Station(
        beacon: "beacon", receiver: "receiver", series: "series", position: place.position,
        distance: place.distance,
        levels: levels.map { LevelCount(level: $0.key, count: $0.value) })
    }
}

func fitted(
  _ readings: [Reading], key: String = "k", with fit: PathLossFit = PathLossFit()
) -> PathLossGroup {
  fit.group(key: key, stations(readings))
}

/// Variance components by the means of positions (Paule and Mandel, 1982) in Python: `Z` has a
/// column for each position, `e` are residuals, `X` is the design.
let componentsByMeans = """
  from scipy.optimize import brentq
  def components(Z, e, X):
      n = Z.sum(0)
      mean, rows = Z.T @ e / n, Z.T @ X / n[:, None]
      packet = ((e - Z @ mean) ** 2).sum() / (len(e) - len(n))
      def excess(p):
          root = np.sqrt(1 / (p + packet / n))
          line = np.linalg.lstsq(root[:, None] * rows, root * mean, rcond=None)[0]
          return ((root * (mean - rows @ line)) ** 2).sum() - (len(n) - X.shape[1])
      return (brentq(excess, 0, 1e6, xtol=1e-12) if excess(0) > 0 else 0), packet

  """

/// The rows that a Python reference reads: levels, distances, positions.
func rows(_ readings: [Reading]) -> [[Double]] {
  [readings.map(\.rssi), readings.map(\.distance), readings.map { Double($0.position) }]
}
