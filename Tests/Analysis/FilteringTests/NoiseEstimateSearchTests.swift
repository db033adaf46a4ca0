import Foundation
import TestSupport
import Testing

@testable import Filtering

struct NoiseEstimateSearchTests {
  private func search(
    _ range: ClosedRange<Double>, passes: Int? = nil, _ f: (Double) -> Double
  ) -> NoiseSearch {
    NoiseSearch(in: range, passes: passes) { places in
      #expect(zip(0..<3, 1..<4).allSatisfy { places[$0] <= places[$1] })
      return .init(f(places[0]), f(places[1]), f(places[2]), f(places[3]))
    }
  }

  @Test(arguments: [-1e-3, 1e-3])
  func `finds the higher of two peaks, whichever the scan favours`(difference: Double) {
    // Peaks between scanned places, in cells far apart.
    for shift in stride(from: 0.0, to: 1.25, by: 0.1) {
      let found = search(-20...20) { x in
        max(-(x + 9.3 - shift) * (x + 9.3 - shift), difference - (x - 7.1) * (x - 7.1))
      }
      #expect(isClose(found.place, difference > 0 ? 7.1 : shift - 9.3, absolute: 1e-5))
      #expect(isClose(found.value, max(0, difference), absolute: 1e-9))
    }
  }

  @Test(arguments: [0, 0.001, 0.02, 0.2])
  func `a peak at an end, or close to one, is not lost`(distance: Double) {
    let low = search(0...10) { -cosh($0 - distance) }
    #expect(isClose(low.place, distance, absolute: 1e-3))
    #expect(isClose(low.value, -1, absolute: 1e-6))
    let high = search(0...10) { -cosh($0 - 10 + distance) }
    #expect(isClose(high.place, 10 - distance, absolute: 1e-3))
    #expect(isClose(high.value, -1, absolute: 1e-6))
  }

  @Test func `beyond an end there is nothing: the end is the largest`() {
    #expect(search(0...3) { $0 }.place == 3)
    #expect(search(0...3) { -$0 }.place == 0)
    #expect(search(2...2) { $0 }.place == 2)
    #expect(search(0...3) { _ in 7 }.value == 7)
  }

  @Test(arguments: [0.5, 5, 33, 170])
  func `scans in steps of at most 1.25, from end to end`(width: Double) {
    let scan = search(-4 ... -4 + width) { sin($0) }.scan
    #expect(scan.first?.x == -4)
    #expect(isClose(scan.last?.x ?? .nan, -4 + width))
    for (a, b) in zip(scan, scan.dropFirst()) { #expect(b.x - a.x <= 1.25 + 1e-9 && b.x > a.x) }
  }
}
