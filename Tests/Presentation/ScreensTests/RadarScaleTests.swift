import Foundation
import Proximity
import Testing

@testable import Screens

struct RadarScaleTests {
  @Test func `rings are the borders and then decades`() {
    let borders = ZoneBorders()
    #expect(RadarScale(borders: borders, distances: []).rings == [0.5, 3, 10])
    #expect(RadarScale(borders: borders, distances: [2, 42]).rings == [0.5, 3, 10, 30, 100])
    #expect(RadarScale(borders: borders, distances: [1e9]).rings.last == 30_000)
  }

  @Test func `distances go by their logarithm`() {
    let scale = RadarScale(borders: ZoneBorders(), distances: [5])
    let innermost = 0.5 / 3
    #expect(abs(scale.share(of: 3) - log(3 / innermost) / log(10 / innermost)) < 1e-12)
    #expect(scale.share(of: 10) == 1)
    #expect(scale.share(of: 1e6) == 1)
    #expect(scale.share(of: 0) == 0)
    #expect(scale.share(of: .infinity) == 1)
  }

  @Test func `a beacon is where its distance puts it`() {
    var screen = sampleScreen()
    screen.beacons = [beacon(0, "a", .near, 3, nil, -60)]
    let size = ScreenSize(columns: 110, rows: 40)
    let lines = screen.canvas(size.columns, size.rows).lines.map(Array.init)
    // Right of the list: its middle, and the beacon.
    func place(_ character: Character) -> (row: Int, column: Int)? {
      for (row, line) in lines.enumerated() {
        if let column = line.indices.last(where: { $0 > 50 && line[$0] == character }) {
          return (row, column)
        }
      }
      return nil
    }
    guard let middle = place("◉"), let mark = place("A") else {
      Issue.record("no radar")
      return
    }
    // A character is twice as high as wide; the last ring, at 10 m, has the radius of the radar.
    let across = Double(mark.column - middle.column)
    let down = Double(mark.row - middle.row) * 2
    let radius = 21.5
    let expected = log(3 / (0.5 / 3)) / log(10 / (0.5 / 3)) * radius
    #expect(abs((across * across + down * down).squareRoot() - expected) < 2)
  }
}
