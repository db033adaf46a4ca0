import PathLoss
import Testing

@testable import TracePipelines

@Suite struct GroupingTests {
  @Test(arguments: [
    ("pooled", "pooled"), ("receiver,beacon", "link"), ("link", "link"),
    ("beacon,series", "series,beacon"), ("series,link", "series,beacon,receiver"),
  ])
  func `groups are read and written in one form`(text: String, canonical: String) {
    #expect(Grouping(text)?.description == canonical)
  }

  @Test(arguments: ["", "room", "beacon,", "Beacon"])
  func `an unknown group, or none, is refused`(text: String) { #expect(Grouping(text) == nil) }

  @Test func `stations are split in order of the keys`() {
    let stations = [("b", "2"), ("a", "2"), ("b", "1"), ("a", "2")].map { beacon, series in
      Station(beacon: beacon, receiver: "r", series: series, position: 1, distance: 1)
    }
    let groups = Grouping([.beacon, .series]).split(stations)
    #expect(groups.map(\.key) == ["1/b", "2/a", "2/b"])
    #expect(groups.map(\.stations.count) == [1, 2, 1])
    #expect(Grouping().split(stations).isEmpty)
  }
}
