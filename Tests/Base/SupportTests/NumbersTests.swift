import Foundation
import Support
import TestSupport
import Testing

@Suite struct NumbersTests {
  /// The decimal arithmetic of Foundation rounds the same digits, half away from zero.
  @Test func `decimals are those of decimal arithmetic`() throws {
    var random = SeededGenerator(seed: 0x4E55)
    for _ in 0..<5000 {
      let places = Int.random(in: 0...12, using: &random)
      let any = Double(bitPattern: random.next())
      // Exact halves of the last place, and halves that no binary number has exactly.
      let half = Double(Int.random(in: -4000...4000, using: &random)) / 8
      let inexact = Double("\(Int.random(in: -9999...9999, using: &random))5e-\(places + 1)")
      for value in [any, half, inexact ?? 0, Double.random(in: -200...200, using: &random)]
      where value.isFinite && value.magnitude < 0x1p54 {
        var exact = value.magnitude < 1e-20 ? 0 : try #require(Decimal(string: "\(value)"))
        var rounded = Decimal()
        NSDecimalRound(&rounded, &exact, places, .plain)
        let own = decimal(value, places)
        #expect(Decimal(string: own) == rounded, "\(value) with \(places)")
        #expect(own.split(separator: ".").dropFirst().first?.count ?? 0 == places)
        #expect(own.hasPrefix("-") == (rounded < 0))
      }
    }
  }

  @Test(arguments: [
    (-60.125, 2, "-60.13"), (60.125, 2, "60.13"), (1.005, 2, "1.01"), (2.675, 2, "2.68"),
    (-0.5, 0, "-1"), (-0.004, 2, "0.00"), (9.995, 2, "10.00"), (999.5, 0, "1000"),
    (5e-10, 9, "0.000000001"), (1e-300, 3, "0.000"), (0x1p53, 2, "9007199254740992.00"),
    (123_456_789_012, 9, "123456789012.000000000"), (0x1p60, 2, "1.152921504606847e+18"),
    (.nan, 2, "–"), (-.infinity, 2, "–"),
  ])
  func `decimals are rounded half away from zero as they are written`(
    value: Double, places: Int, text: String
  ) {
    #expect(decimal(value, places) == text)
  }

  @Test func `the environment is that of foundation`() {
    #expect(processEnvironment() == ProcessInfo.processInfo.environment)
    #expect(hostName() == ProcessInfo.processInfo.hostName)
  }
}
