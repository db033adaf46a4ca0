import Foundation
import Support
import TestSupport
import Testing

@Suite struct NumbersTests {
  /// The digits are those of Foundation's format, but that no zero is negative.
  @Test func `decimals are those that foundation writes`() {
    var random = SeededGenerator(seed: 0x4E55)
    for _ in 0..<5000 {
      let places = Int.random(in: 0...9, using: &random)
      let any = Double(bitPattern: random.next())
      // Halves of the last place, which are rounded to even where they are exact.
      let half = Double(Int.random(in: -4000...4000, using: &random)) / 8
      for value in [any, half, Double.random(in: -200...200, using: &random)] where value.isFinite {
        let expected = String(format: "%.\(places)f", value)
        let own = decimal(value, places)
        #expect(own == expected || "-" + own == expected && Double(own) == 0)
      }
    }
    #expect(decimal(nil, 2) == "–" && decimal(.nan, 2) == "–" && decimal(-.infinity, 2) == "–")
    #expect(decimal(-0.004, 2) == "0.00" && decimal(.greatestFiniteMagnitude, 3).count == 313)
  }

  @Test func `the environment is that of foundation`() {
    #expect(processEnvironment() == ProcessInfo.processInfo.environment)
    #expect(hostName() == ProcessInfo.processInfo.hostName)
  }
}
