// Record a walk through a simulated room whose truth is known.

import RSSIKit

// snippet.show
var scenario = Scenario(seed: 7)
scenario.room.beaconCount = 12
scenario.propagation.exponent = 2.4
let room = try SimulatedRoom(scenario)
var errors = [Double]()
room.forEachSighting { sighting in  // in time order, in constant memory
  errors.append(Double(sighting.rssi) - sighting.meanRSSI)
}
print(
  errors.count, "levels, rms", errors.map { $0 * $0 }.reduce(0, +) / Double(errors.count), "dB²")
print("walk 1 ends at", room.walks[0].map(\.position).last as Any)
// snippet.end
