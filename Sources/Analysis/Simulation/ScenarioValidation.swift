import Geometry
import Support

extension Scenario {
  /// Refuses the first parameter that has no meaning.
  func validate() throws(RSSIError) {
    try require("room.width", room.width, in: 1...10_000)
    try require("room.depth", room.depth, in: 1...10_000)
    try require("room.beaconCount", Double(room.beaconCount), in: 1...65_535)
    try require("room.beaconHeight", room.beaconHeight, in: -1000...1000)
    try require("room.receiverHeight", room.receiverHeight, in: -1000...1000)
    try require("walks.count", Double(walks.count), in: 0...1_000_000)
    try require("walks.duration", walks.duration, in: 0.001...1e8)
    try require("walks.speed", walks.speed, in: 0...100)
    try require("walks.pause", walks.pause, in: 0...1e8)
    let total = Double(walks.count) * (walks.duration + walks.pause)
    try require("walks.count × (duration + pause)", total, in: 0...1e9)
    try require("propagation.measuredPower", propagation.measuredPower, in: -200...200)
    try require("propagation.exponent", propagation.exponent, in: 0...20)
    for (name, deviation) in [
      ("measuredPowerDeviation", propagation.measuredPowerDeviation),
      ("shadowingDeviation", propagation.shadowingDeviation),
      ("fadingDeviation", propagation.fadingDeviation),
      ("noiseDeviation", propagation.noiseDeviation),
    ] {
      try require("propagation.\(name)", deviation, in: 0...100)
    }
    try require("propagation.shadowingDistance", propagation.shadowingDistance, in: 1e-6...1e6)
    try require("propagation.fadingDistance", propagation.fadingDistance, in: 1e-6...1e6)
    try require("reception.advertisingInterval", reception.advertisingInterval, in: 0.001...1e6)
    try require("reception.advertisingDelay", reception.advertisingDelay, in: 0...1e6)
    try require("reception.scanInterval", reception.scanInterval, in: 0.001...1e6)
    try require("reception.scanOn", reception.scanOn, in: 0.001...1e6)
    try require("reception.scanOff", reception.scanOff, in: 0...1e6)
    try require("reception.lossProbability", reception.lossProbability, in: 0...1)
    try require("reception.sensitivity", reception.sensitivity, in: -1000...1000)
  }
}

/// Refuses a parameter outside its range; NaN is outside every range.
func require(
  _ parameter: String, _ value: Double, in range: ClosedRange<Double>
) throws(RSSIError) {
  guard range.contains(value) else {
    throw RSSIError(
      .usage, "the simulation cannot use \(plain(value))", in: parameter,
      advice: "choose a value from \(plain(range.lowerBound)) to \(plain(range.upperBound))")
  }
}
