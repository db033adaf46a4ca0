import Geometry
import NumericalMethods
import RealModule
import Testing

@testable import Simulation

struct SimpleLinkTests {
  let beacon = SimulatedBeacon(
    index: 0, position: Point(x: 0, y: 0), height: 1, measuredPower: -59)
  let events = 60_000

  /// Hears the events of a resting link, nil where a packet is lost.
  private func hear(
    _ propagation: Propagation, _ reception: PacketReception, distance: Double = 1,
    metresPerEvent: Double = 0
  ) -> [SimulatedSighting?] {
    var link = SimpleLink(
      beacon, propagation: propagation, reception: reception,
      stream: RandomStream(seed: 1, for: .link))
    return (0..<events).map { event in
      link.advertise(
        at: Placement(distance: distance, walked: Double(event) * metresPerEvent),
        channel: 37 + UInt8(event % 3),
        time: link.nextEvent, trace: 0)
    }
  }

  /// A radio with nothing but packet noise.
  private func still(noise: Double) -> Propagation {
    var propagation = Propagation(.simple)
    propagation.shadowingDeviation = 0
    propagation.fadingDeviation = 0
    propagation.noiseDeviation = noise
    return propagation
  }

  /// Rounding to whole dB adds 1/12 dB² (Widrow); at σ = 1.5 dB the next term is below 1e-18.
  @Test func `noise and rounding add up`() {
    var reception = PacketReception(.simple)
    reception.lossProbability = 0
    let rssi = hear(still(noise: 1.5), reception).map { Double($0!.rssi) }
    let variance = 1.5 * 1.5 + 1.0 / 12
    #expect(Moments(rssi).hasMean(-59, deviation: variance.squareRoot()))
    #expect(Moments(rssi).hasGaussianVariance(variance))
  }

  @Test(arguments: [0, 0.3, 0.9, 1])
  func `loses its share`(_ probability: Double) {
    var reception = PacketReception(.simple)
    reception.lossProbability = probability
    let lost = hear(still(noise: 1), reception).filter { $0 == nil }.count
    #expect(isShare(lost, of: events, probability))
  }

  /// At a mean of -94 dBm with σ = 2 dB, the share above -95 dBm is Φ(1/2).
  @Test func `hears nothing below the sensitivity`() {
    var reception = PacketReception(.simple)
    reception.lossProbability = 0
    let distance = Double.pow(10, 35.0 / 20)
    let heard = hear(still(noise: 2), reception, distance: distance).compactMap { $0 }
    #expect(isShare(heard.count, of: events, 0.5 * Double.erfc(-0.5 / 2.0.squareRoot())))
    #expect(heard.map(\.rssi).min() == -95)
    #expect(heard.allSatisfy { abs($0.meanRSSI + 94) < 1e-9 })
  }

  /// Intervals are 100 ms and a uniform delay of 0 to 10 ms: mean 105 ms, deviation 10 / √12 ms.
  @Test func `advertises with a random delay`() {
    var reception = PacketReception(.simple)
    reception.lossProbability = 0
    let times = hear(still(noise: 1), reception).map { Double($0!.time) / 1e6 }
    let intervals = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(intervals.allSatisfy { (99.999...110.001).contains($0) })
    #expect(Moments(intervals).hasMean(105, deviation: 10 / 12.0.squareRoot()))
    #expect((0..<100).contains(times[0]))
  }

  /// Channel fading is of each channel alone: independent between them, with its own deviation.
  @Test func `channels fade independently`() {
    var propagation = still(noise: 0)
    propagation.fadingDeviation = 2.5
    propagation.fadingDistance = 0.001
    var reception = PacketReception(.simple)
    reception.lossProbability = 0
    // A metre between events: every fading level is a new one.
    let rssi = hear(propagation, reception, metresPerEvent: 1).map { Double($0!.rssi) + 59 }
    let variance = 2.5 * 2.5 + 1.0 / 12
    for channel in 0..<3 {
      let own = stride(from: channel, to: events, by: 3).map { rssi[$0] }
      #expect(Moments(own).hasGaussianVariance(variance))
    }
    let products = stride(from: 0, to: events - 1, by: 2).map { rssi[$0] * rssi[$0 + 1] }
    #expect(Moments(products).hasMean(0, deviation: variance))
  }

  @Test func `a resting receiver keeps its fading`() {
    var propagation = Propagation(.simple)
    propagation.noiseDeviation = 0
    var reception = PacketReception(.simple)
    reception.lossProbability = 0
    let heard = hear(propagation, reception).map { $0! }
    #expect(Set(heard.map(\.meanRSSI)).count == 1)
    for channel in UInt8(37)...39 {
      #expect(Set(heard.filter { $0.channel == channel }.map(\.rssi)).count == 1)
    }
  }
}
