import Testing

@testable import Screens

struct SparklineTests {
  @Test func `shows gaps as gaps on one scale`() {
    let line = Sparkline(of: [-88, -52, .nan])
    #expect(line.scale == -90...(-50))
    #expect(line.text([-90, .nan, -70, -50], width: 6, isUnicode: true) == "  ▁ ▅█")
    #expect(line.text([-90, .nan, -70, -50], width: 3, isUnicode: false) == " +@")
    #expect(line.text([-300, 300], width: 2, isUnicode: true) == "▁█")
  }

  @Test func `several rows have as many steps of a level`() {
    let line = Sparkline(of: [-90, -50])
    let levels = [-90, -70.1, -70, .nan, -50]
    #expect(
      line.rows(levels, width: 6, height: 2, isUnicode: true) == ["   ▁ █", " ▁██ █"])
    for height in 1...5 {
      let rows = line.rows(levels, width: 4, height: height, isUnicode: false)
      #expect(rows.count == height && rows.allSatisfy { $0.count == 4 })
      #expect(rows.allSatisfy { $0.hasSuffix("@") })
    }
  }

  @Test func `has a scale whatever the levels`() {
    let levels: [[Double]] = [[], [.nan], [-Double.infinity], [1e300], [-1e300], [-60, -60]]
    for levels in levels {
      let scale = Sparkline(of: levels).scale
      #expect(scale.upperBound - scale.lowerBound >= 30)
    }
  }
}
