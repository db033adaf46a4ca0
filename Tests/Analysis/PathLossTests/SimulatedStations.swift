import Foundation
import PathLoss
import TestSupport

/// A simulated calibration as stations, in whole dBm, as controllers report them.
struct SimulatedStations {
  var distances = (0..<20).map { pow(20, Double($0) / 19) }
  var packets = 100
  var power = -59.0
  var exponent = 2.2
  /// dB.
  var positionDeviation = 4.0
  var packetDeviation = 3.0
  /// Weaker packets are lost, dBm.
  var sensitivity = -Double.infinity
  /// The scale of the logistic edge at the sensitivity, dB; 0 is a step.
  var sensitivityScale = 0.0
  /// The share of packets that are lost at any level.
  var lostShare = 0.0
  /// Seconds between packets.
  var interval = 0.1

  /// One station per distance, each a position of its own.
  func draw(_ generator: inout SeededGenerator) -> [Station] {
    distances.enumerated().map { index, distance in
      let mean =
        power - 10 * exponent * log10(distance) + positionDeviation * generator.gaussian()
      var counts: [Double: Int] = [:]
      // From the first to the last packet that is heard.
      var heard: [Int] = []
      for packet in 0..<packets {
        let level = (mean + packetDeviation * generator.gaussian()).rounded()
        guard isReceived(level, &generator) else { continue }
        counts[level, default: 0] += 1
        heard.append(packet)
      }
      func time(_ packet: Int?) -> Int64 { Int64((Double(packet ?? 0) * interval * 1e9).rounded()) }
      return Station(
        beacon: "beacon", receiver: "receiver", series: "series", position: UInt64(index),
        distance: distance, span: time(heard.first)...time(heard.last),
        levels: counts.sorted { $0.key < $1.key }.map { LevelCount(level: $0.key, count: $0.value) }
      )
    }
    .filter { !$0.levels.isEmpty }
  }

  private func isReceived(_ level: Double, _ generator: inout SeededGenerator) -> Bool {
    if lostShare > 0, Double.random(in: 0..<1, using: &generator) < lostShare { return false }
    guard sensitivityScale > 0 else { return level >= sensitivity }
    let share = 1 / (1 + exp((sensitivity - level) / sensitivityScale))
    return Double.random(in: 0..<1, using: &generator) < share
  }
}

/// The counted levels that a Python reference reads: levels, counts, distances, positions.
func countRows(_ stations: [Station]) -> [[Double]] {
  let cells = stations.flatMap { station in station.levels.map { (station, $0) } }
  return [
    cells.map(\.1.level), cells.map { Double($0.1.count) }, cells.map(\.0.distance),
    cells.map { Double($0.0.position) },
  ]
}
