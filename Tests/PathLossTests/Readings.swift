import Foundation
import PathLoss
import TestSupport

/// One reading of a simulated calibration.
struct Reading {
  var rssi: Double
  var distance: Double
  var position: UInt64
}

/// Readings at positions from 1 m to 20 m, evenly apart in log distance, of a beacon with -59 dBm and
/// exponent 2.2: each position has an offset of its own, each packet another.
func readings(
  positions: Int = 20, packets: Int = 20, positionDeviation: Double = 4,
  packetDeviation: Double = 3, _ generator: inout SeededGenerator
) -> [Reading] {
  (0..<positions).flatMap { position -> [Reading] in
    let distance = pow(20, Double(position) / Double(positions - 1))
    let offset = positionDeviation * generator.gaussian()
    return (0..<packets).map { _ in
      Reading(
        rssi: -59 - 22 * log10(distance) + offset + packetDeviation * generator.gaussian(),
        distance: distance, position: UInt64(position))
    }
  }
}

func fitted(_ readings: [Reading], key: String = "k") -> PathLossGroup {
  let fit = LogDistanceFit()
  for one in readings { fit.add(rssi: one.rssi, distance: one.distance, position: one.position) }
  return fit.result(key: key)
}

/// The rows that a Python reference reads: levels, distances, positions.
func rows(_ readings: [Reading]) -> [[Double]] {
  [readings.map(\.rssi), readings.map(\.distance), readings.map { Double($0.position) }]
}
