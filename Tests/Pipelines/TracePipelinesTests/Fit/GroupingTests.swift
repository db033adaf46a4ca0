import PathLoss
import Testing

@testable import TracePipelines

@Suite struct GroupingTests {
  @Test(
    "groups are read and written in one form",
    arguments: [
      ("pooled", "pooled"), ("receiver,beacon", "link"), ("link", "link"),
      ("beacon,series", "series,beacon"), ("series,link", "series,beacon,receiver"),
    ])
  func form(text: String, canonical: String) {
    #expect(Grouping(text)?.description == canonical)
  }

  @Test("an unknown group, or none, is refused", arguments: ["", "room", "beacon,", "Beacon"])
  func unknown(text: String) { #expect(Grouping(text) == nil) }

  @Test("stations are split in order of the keys")
  func split() {
    let stations = [("b", "2"), ("a", "2"), ("b", "1"), ("a", "2")].map { beacon, series in
      Station(beacon: beacon, receiver: "r", series: series, position: 1, distance: 1)
    }
    let groups = Grouping([.beacon, .series]).split(stations)
    #expect(groups.map(\.key) == ["1/b", "2/a", "2/b"])
    #expect(groups.map(\.stations.count) == [1, 2, 1])
    #expect(Grouping().split(stations).isEmpty)
  }
}
