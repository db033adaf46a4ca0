import TestSupport
import Testing

@testable import Capture

@Suite struct GatewayFuzzTests {
  /// Damaged copies of every dialect's messages are read by every dialect: whatever comes out has a
  /// name and a possible level, and the next whole message is read as if nothing had been.
  @Test(arguments: Dialect.allCases)
  func noMessageBringsItDown(_ dialect: Dialect) {
    var generator = SeededGenerator(seed: 0x6D71_7474)
    var forced = GatewayReadings(dialect: dialect)
    var told = GatewayReadings()
    for sample in GatewaySamples.all {
      for _ in 0..<400 {
        let payload = mutated(Array(sample.text.utf8), &generator)
        let topic = String(
          decoding: mutated(Array(sample.topic.utf8), &generator), as: UTF8.self)
        for reading in forced.read(payload, topic: topic) + told.read(payload, topic: topic) {
          #expect(!reading.gateway.isEmpty && !reading.beacon.isEmpty)
          #expect(reading.gateway.utf8.count <= 128)
          #expect(reading.rssi.isNaN || reading.rssi >= -127 && reading.rssi < 0)
        }
      }
    }
    var fresh = GatewayReadings(dialect: dialect)
    for sample in GatewaySamples.all where sample.dialect == dialect {
      if dialect != .roomAssistant { #expect(forced.read(sample) == fresh.read(sample)) }
    }
  }

  @Test func deepNestingIsRefusedWithoutRecursion() {
    for opener in ["[", #"{"a":"#, #"[{"a":"#] {
      var readings = GatewayReadings()
      let text = String(repeating: opener, count: 300_000 / opener.utf8.count)
      #expect(readings.read(Array(text.utf8), topic: "x").isEmpty)
      #expect(readings.rejected == ["bad-json"])
    }
  }

  /// Replaces, removes, repeats or inserts a few bytes, or swaps a value for one of another kind.
  private func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 0...4, using: &generator) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      let end = min(bytes.count, place + Int.random(in: 0...12, using: &generator))
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 3: bytes = Array(bytes.prefix(place))
      default:
        let values = ["null", "[]", "{}", "-1e999", "1e18", "\"\"", "true", "\\u0000", "-0", "99999"]
        bytes.replaceSubrange(place..<end, with: values.randomElement(using: &generator)!.utf8)
      }
    }
    return bytes
  }
}
