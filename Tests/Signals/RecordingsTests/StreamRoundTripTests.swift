import Recordings
import Sightings
import TestSupport
import Testing

@Suite struct StreamRoundTripTests {
  /// What one stage writes the next one reads, down to the nanosecond, whatever the names are.
  @Test func `what is written is read back`() throws {
    var random = SeededGenerator(seed: 8)
    let names = ["b", "a\"b\\", "é📡", "\u{1}\n\t", "{\"x\":[", "a/b, c", "\u{7F}\u{2028}"]
    var builder = TraceBuilder(into: RowCollector())
    for _ in 0..<2000 {
      func name() -> String { names.randomElement(using: &random) ?? "b" }
      var sighting = Sighting(
        time: .random(
          in: -Timestamp.limit * Timestamp.second...Timestamp.limit * Timestamp.second,
          using: &random),
        beacon: try builder.add(name(), role: .beacon),
        receiver: UInt16(try builder.add(name(), role: .receiver)),
        trace: try builder.trace(named: name()),
        rssi: Bool.random(using: &random) ? .nan : .random(in: -127...20, using: &random))
      sighting.channel = .random(in: 0...255, using: &random)
      if Bool.random(using: &random) {
        let distance = Double.random(in: 0...100, using: &random)
        sighting.stay = builder.stay(of: sighting, distance: distance)
      }
      try builder.append(sighting)
    }
    let catalogue = try builder.complete()
    let rows = try #require(builder.sink.blocks.first)
    let text = rows.time.indices.map {
      SightingLine(rows, $0, catalogue, level: rows.rssi[$0], variance: 2).text
    }
    let reading = try readStream(text.joined())
    #expect(reading.refused.isEmpty)
    #expect(reading.all(\.time) == rows.time)
    #expect(reading.beacons == rows.beacon.map { catalogue.beacons[Int($0)].id })
    #expect(reading.receivers == rows.receiver.map { catalogue.receivers[Int($0)].id })
    #expect(reading.traces == rows.trace.map { catalogue.traces[Int($0)] })
    #expect(reading.all(\.rssi).map { "\($0)" } == rows.rssi.map { "\($0)" })
    #expect(reading.all(\.channel) == rows.channel)
    func distances(_ stays: [UInt32], _ catalogue: Catalogue) -> [Double?] {
      stays.map { $0 == Sighting.none ? nil : catalogue.stays[Int($0)].distance }
    }
    #expect(
      distances(reading.all(\.stay), reading.catalogue) == distances(rows.stay, catalogue))
  }
}
