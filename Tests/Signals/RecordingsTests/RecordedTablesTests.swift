import Foundation
import Recordings
import Sightings
import TestSupport
import Testing

@Suite(.needs(data: "flat-walks")) struct RecordedTablesTests {
  @Test(arguments: ["rssi.csv", "distances.csv", "one-metre.csv"])
  func `every line is a row`(_ name: String) throws {
    let path = try #require(sharedData("flat-walks/\(name)")).path
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let lines = text.split(separator: "\n").dropFirst()
    let reading = try Reading([]) { _, builder in _ = try SightingCSV.read(path, into: &builder) }
    #expect(reading.refused.isEmpty)
    #expect(reading.all(\.time).count == lines.count)
    // The tables of this set have no quotes: a plain cut is a second opinion.
    let fields = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(reading.traces == fields.map { String($0[0]) })
    #expect(reading.receivers == fields.map { String($0[2]) })
    #expect(reading.beacons == fields.map { String($0[3]) })
  }

  @Test func `the site and the truth are read whole`() throws {
    let folder = try #require(sharedData("flat-walks"))
    let reading = try Reading([]) { _, builder in
      _ = try SightingCSV.read(folder.appending(path: "rssi.csv").path, into: &builder)
      try NodeCSV.read(folder.appending(path: "nodes.csv").path, into: &builder)
      try TruthCSV.read(folder.appending(path: "truth.csv").path, into: &builder)
    }
    let nodes = try String(contentsOf: folder.appending(path: "nodes.csv"), encoding: .utf8)
    let anchors = nodes.split(separator: "\n").filter { $0.contains(",beacon,") }
    #expect(reading.catalogue.beacons.filter(\.isAnchor).count == anchors.count)
    #expect(!reading.catalogue.truth.isEmpty)
  }
}
