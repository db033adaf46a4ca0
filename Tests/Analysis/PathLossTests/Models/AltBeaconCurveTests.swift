import Foundation
import PathLoss
import TestSupport
import Testing

struct AltBeaconCurveTests {
  /// The constants that the library publishes for the Nexus 4.
  private let nexus4 = AltBeaconCurve(a: 0.89976, b: 7.7095, c: 0.111, measuredPower: -59)

  @Test func `tells the distances that the library's published formula tells`() throws {
    let levels = stride(from: -30.0, through: -100, by: -1).map { $0 }
    let expected = try reference(
      """
      for level in rows[0]:
          ratio = level / -59
          answer(ratio ** 10 if ratio < 1 else 0.89976 * ratio ** 7.7095 + 0.111)
      """, [levels])
    for (level, row) in zip(levels, expected) {
      #expect(isClose(try #require(nexus4.distance(atLevel: level)), row[0], relative: 1e-13))
    }
    // A hand's check: (70/59)^7.7095 is 3.7361.
    #expect(
      isClose(try #require(nexus4.distance(atLevel: -70)), 3.4726, absolute: 1e-3, relative: 0))
    #expect(nexus4.distance(atLevel: 0) == nil)
    #expect(nexus4.distance(atLevel: 3) == nil)
    #expect(nexus4.distance(atLevel: .nan) == nil)
  }

  @Test func `levels and distances are each other's inverse`() throws {
    for level in stride(from: -59.5, through: -110, by: -0.5) {
      let distance = try #require(nexus4.distance(atLevel: level))
      #expect(isClose(try #require(nexus4.level(atDistance: distance)), level, relative: 1e-12))
    }
    for level in stride(from: -58.5, through: -20, by: 0.5) {
      let distance = try #require(nexus4.distance(atLevel: level))
      #expect(isClose(try #require(nexus4.level(atDistance: distance)), level, relative: 1e-12))
    }
    // From 1 m to A + C = 1.01076 m no level is told.
    #expect(nexus4.level(atDistance: 1.005) == -59)
    #expect(nexus4.level(atDistance: 0) == nil)
    #expect(nexus4.level(atDistance: -1) == nil)
    #expect(nexus4.level(atDistance: .infinity) == nil)
  }
}
