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

/// The rows that a Python reference reads: levels, distances, positions.
func rows(_ readings: [Reading]) -> [[Double]] {
  [readings.map(\.rssi), readings.map(\.distance), readings.map { Double($0.position) }]
}
