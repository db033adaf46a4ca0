import Foundation
import NumericalMethods
import PathLoss
import TestSupport
import Testing

struct TooLittleToFitTests {
  private func hasNoErrors(_ group: PathLossGroup) -> Bool {
    group.powerError == nil && group.exponentError == nil && group.powerInterval == nil
      && group.exponentInterval == nil && group.errorBasis == nil
  }

  private func at(_ distances: [Double], positions: [UInt64]? = nil) -> PathLossGroup {
    fitted(
      distances.enumerated().map { index, distance in
        Reading(
          rssi: -60 - Double(index * index % 5) - 3 * distance, distance: distance,
          position: positions?[index] ?? UInt64(index))
      })
  }

  @Test(arguments: [0, 1])
  func `fewer than two readings determine nothing`(count: Int) {
    let group = at(Array(repeating: 2, count: count))
    #expect(group.measuredPower == nil && group.exponent == nil && group.sigma == nil)
    #expect(hasNoErrors(group))
    #expect(group.samples == count && group.positions == count)
    #expect(group.diagnostics.map(\.code) == ["too-few-samples"])
  }

  @Test(
    arguments: [0.3, 1, 1.5, 10, 42],
    [2, 3, 500])
  func `one distance does not determine power and exponent`(distance: Double, count: Int) {
    let group = at(Array(repeating: distance, count: count))
    #expect(group.measuredPower == nil && group.exponent == nil && group.sigma == nil)
    #expect(hasNoErrors(group))
    #expect(group.diagnostics.map(\.code) == ["one-distance"])
  }

  @Test(arguments: [1, 50])
  func `an exact line of whole decibels is known to the error of rounding`(packets: Int) throws {
    let group = fitted(
      (0..<4).flatMap { position in
        Array(
          repeating: Reading(
            rssi: -60 - 20 * Double(position), distance: pow(10, Double(position)),
            position: UInt64(position)),
          count: packets)
      })
    let rounding = (1.0 / 12).squareRoot()
    #expect(isClose(group.sigma ?? .nan, rounding, relative: 1e-9))
    // Four rows 10 apart: the squares about their mean sum up to 500.
    #expect(isClose(group.exponentError ?? .nan, rounding / 500.0.squareRoot(), relative: 1e-6))
    let interval = try #require(group.sigmaInterval)
    #expect(interval.contains(rounding) && interval.upper < 2)
    // Levels with fractions are not rounded.
    let exact = fitted(
      (0..<4).map {
        Reading(
          rssi: -60.25 - 20 * Double($0), distance: pow(10, Double($0)), position: UInt64($0))
      })
    #expect((exact.exponentError ?? .nan) < 1e-9)
  }

  @Test func `two readings give constants without errors`() {
    let group = fitted([
      Reading(rssi: -60, distance: 1, position: 1), Reading(rssi: -80, distance: 10, position: 2),
    ])
    #expect(isClose(group.measuredPower ?? .nan, -60))
    #expect(isClose(group.exponent ?? .nan, 2))
    #expect(group.sigma == nil && hasNoErrors(group))
    #expect(group.diagnostics.map(\.code) == ["too-few-distances", "too-few-samples"])
    #expect(group.warnings.last?.hasPrefix("two samples") == true)
  }

  @Test(
    arguments: [
      ([0, 0, 0, 0], "1 position only"),
      ([0, 0, 1, 1], "2 positions only"),
    ] as [([UInt64], String)])
  func `fewer than three positions give constants and sigma without errors`(
    positions: [UInt64], warning: String
  ) {
    let group = at([1, 2, 10, 20], positions: positions)
    #expect(group.measuredPower != nil && group.exponent != nil)
    #expect(group.sigma ?? .nan > 0)
    #expect(hasNoErrors(group))
    #expect(group.diagnostics.contains { $0.code == "too-few-positions" })
    #expect(group.warnings.contains { $0.hasPrefix(warning) })
  }

  @Test func `warns below one decade of distance, and only there`() {
    func isShort(_ distances: [Double]) -> Bool {
      at(distances).diagnostics.contains { $0.code == "under-one-decade" }
    }
    #expect(isShort([1, 2, 9.99]) && !isShort([1, 2, 10]) && !isShort([0.5, 2, 5]))
    #expect(at([1, 2, 9.99]).warnings.contains { $0.contains("1.0 to 9.99 m") })
  }

  @Test(arguments: [
    (0.99, true), (1.01, false), (2, false), (5.99, false), (6.01, true), (-2, true),
  ])
  func `warns of exponents that no room has`(exponent: Double, warns: Bool) {
    let group = fitted([
      Reading(rssi: -60, distance: 1, position: 1),
      Reading(rssi: -60 - 10 * exponent, distance: 10, position: 2),
      Reading(rssi: -60 - 20 * exponent, distance: 100, position: 3),
    ])
    #expect(isClose(group.exponent ?? .nan, exponent, relative: 1e-9))
    #expect(group.diagnostics.map(\.code) == (warns ? ["exponent-out-of-range"] : []))
  }

  @Test(arguments: 1...200)
  func `never returns NaN, whatever is missing`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...6, using: &generator)
    let group = fitted(
      (0..<count).map { _ in
        let choices = [1, 1, 2, 2 + 1e-15, 10, 1e-3]
        return Reading(
          rssi: -60 - Double(Int.random(in: 0...1, using: &generator)),
          distance: choices.randomElement(using: &generator) ?? 1,
          position: UInt64.random(in: 0...2, using: &generator))
      })
    let values =
      [group.measuredPower, group.exponent, group.sigma, group.powerError, group.exponentError]
      .compactMap(\.self) + (group.powerInterval?.limits ?? [])
      + (group.exponentInterval?.limits ?? [])
    #expect(values.allSatisfy { $0.isFinite }, "\(group)")
    #expect(!group.warnings.isEmpty || group.exponentInterval != nil, "\(group)")
  }
}
