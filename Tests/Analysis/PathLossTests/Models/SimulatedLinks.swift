import Foundation
import PathLoss
import TestSupport

/// One packet of a simulated calibration of several beacons and receivers.
struct Packet {
  var beacon: Int
  var receiver: Int
  var position: Int
  var x: Double
  var level: Double
}

/// How links of a simulated calibration differ.
struct SimulatedLinks {
  var beacons = 6
  var receivers = 3
  /// Of each link, or of each beacon where all receivers share its positions.
  var positions = 4
  var packets = 5
  var sharesPositions = false
  var power = -59.0
  var exponent = 2.2
  var beaconDeviation = 2.0
  var receiverDeviation = 1.5
  var positionDeviation = 4.0
  var packetDeviation = 3.0

  /// Distances are from 1 m to 20 m; counts of packets vary about `packets`.
  func packets(_ generator: inout SeededGenerator) -> [Packet] {
    let receivers = (0..<receivers).map { _ in receiverDeviation * generator.gaussian() }
    var packets: [Packet] = []
    var position = 0
    for beacon in 0..<beacons {
      let own = beaconDeviation * generator.gaussian()
      var places: [(x: Double, offset: Double, position: Int)] = []
      for (receiver, other) in receivers.enumerated() {
        if places.isEmpty || !sharesPositions {
          places = (0..<positions).map { _ in
            defer { position += 1 }
            let distance = pow(20, Double.random(in: 0..<1, using: &generator))
            return (-10 * log10(distance), positionDeviation * generator.gaussian(), position)
          }
        }
        for place in places {
          for _ in 0..<Int.random(in: 1..<2 * self.packets, using: &generator) {
            packets.append(
              Packet(
                beacon: beacon, receiver: receiver, position: place.position, x: place.x,
                level: power + exponent * place.x + own + other + place.offset
                  + packetDeviation * generator.gaussian()))
          }
        }
      }
    }
    return packets
  }
}

/// What a hierarchical fit takes of packets: a row for each link at each position.
func sums(_ packets: [Packet]) -> [PositionSums] {
  var rows: [[Int]: Int] = [:]
  var sums: [PositionSums] = []
  for one in packets {
    let key = [one.beacon, one.receiver, one.position]
    let row = rows[key] ?? sums.count
    if row == sums.count {
      rows[key] = row
      sums.append(
        PositionSums(
          beacon: one.beacon, receiver: one.receiver, position: one.position, n: 0, x: 0, xx: 0,
          y: 0, xy: 0, yy: 0))
    }
    sums[row].n += 1
    sums[row].x += one.x
    sums[row].xx += one.x * one.x
    sums[row].y += one.level
    sums[row].xy += one.x * one.level
    sums[row].yy += one.level * one.level
  }
  return sums
}

/// The rows that a Python reference reads: beacons, receivers, positions, x, levels.
func rows(_ packets: [Packet]) -> [[Double]] {
  [
    packets.map { Double($0.beacon) }, packets.map { Double($0.receiver) },
    packets.map { Double($0.position) }, packets.map(\.x), packets.map(\.level),
  ]
}
