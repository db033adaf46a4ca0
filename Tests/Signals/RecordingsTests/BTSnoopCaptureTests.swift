import Advertising
import Foundation
import Recordings
import TestSupport
import Testing

/// Recordings of real controllers, with the counts that tshark gives for them.
@Suite(.needs(data: "captures")) struct BTSnoopCaptureTests {
  private func decode(
    _ path: String
  ) throws -> (collector: ReportCollector, counts: DecodingCounts) {
    let url = try #require(sharedData(path))
    var reader = try BTSnoopReader(path: url.path)
    var collector = ReportCollector()
    let counts = try reader.decode(into: &collector)
    return (collector, counts)
  }

  private func table(_ path: String) throws -> [[String]] {
    try String(contentsOf: #require(sharedData(path)), encoding: .utf8)
      .split(whereSeparator: \.isNewline).dropFirst().map {
        $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
  }

  @Test func `every btsnoop file has the expected counts`() throws {
    let rows = try table("captures/expected.csv").filter { $0[0].hasSuffix(".btsnoop") }
    #expect(rows.count == 5)
    for row in rows {
      let name = row[0]
      var reader = try BTSnoopReader(path: #require(sharedData("captures/" + name)).path)
      var collector = ReportCollector()
      let counts = try reader.decode(into: &collector)
      let strengths = collector.strengths.map { Double($0) }
      #expect(reader.packets == Int(row[3]), "\(name)")
      #expect(counts.sightings == Int(row[4]), "\(name)")
      #expect(counts.packetsWithSeveralReports == Int(row[5]), "\(name)")
      #expect(Set(collector.reports.map(\.address.bits)).count == Int(row[6]), "\(name)")
      #expect(strengths.min() == Double(row[7]), "\(name)")
      #expect(strengths.max() == Double(row[8]), "\(name)")
      if let mean = Double(row[9]) {
        let ours = strengths.reduce(0, +) / Double(strengths.count)
        #expect(abs(ours - mean) <= 0.005 + 1e-9, "\(name)")
      }
      let beacons = zip(collector.reports, collector.frames).filter { $1.kind == .iBeacon }
      #expect(beacons.count == Int(row[11]), "\(name)")
      #expect(Set(beacons.map(\.0.address.bits)).count == Int(row[12]), "\(name)")
      #expect(counts.rejections.total == 0, "\(name)")
      #expect(counts.joinedFragments == 0, "\(name)")
    }
  }

  /// What another project's tests assert of each event; in three the address is in the data.
  @Test func `every vector has the asserted strength and address`() throws {
    let rows = try table("captures/hci-vectors/vectors.csv")
    let (collector, counts) = try decode("captures/hci-vectors/vectors.btsnoop")
    #expect(collector.reports.count == rows.count)
    #expect(counts.rejections.total == 0)
    var (strengths, addressesInData) = (0, 0)
    for (index, row) in rows.enumerated() {
      let report = collector.reports[index]
      if let rssi = Float(row[3]) {
        #expect(report.rssi == rssi)
        strengths += 1
      }
      let digits = report.address.description.replacing(":", with: "")
      if !row[4].isEmpty && row[4] != digits { addressesInData += 1 }
    }
    #expect(strengths == 278)
    #expect(addressesInData == 3)
    let kinds = collector.frames.map(\.kind)
    // Three of them, of one maker, carry a byte more than an iBeacon has.
    #expect(kinds.filter { $0 == .iBeacon }.count == 15)
    #expect(kinds.filter { $0 == .eddystoneURL }.count == 2)
  }

  @Test(
    .needs(data: "../rig/samples"),
    arguments: [
      ("hci_1001", 6), ("hcidump", 12), ("monitor2001", 12), ("bumble_ext_1002", 12),
    ])
  func `recordings of the same three beacons`(name: String, reports: Int) throws {
    let (collector, counts) = try decode("../rig/samples/\(name).btsnoop")
    #expect(collector.reports.count == reports)
    #expect(counts.rejections.total == 0)
    #expect(collector.frames.contains { $0.kind == .iBeacon })
  }

  /// Wireshark reads the same strengths, but for the file in which it gives up three events at the
  /// advertising data, which are damaged while the events are not.
  @Test(
    .needs(program: tsharkPath), .needs(data: "../rig/samples"),
    arguments: [
      "captures/h4_1002_legacy_csacca", "captures/h4_1002_ext_darkelf",
      "captures/h4_1002_ext_mauricelam",
      "../rig/samples/hci_1001", "../rig/samples/hcidump", "../rig/samples/monitor2001",
      "../rig/samples/bumble_ext_1002",
    ])
  func `Wireshark reads the same strengths`(name: String) throws {
    let output = try runProgram(
      tsharkPath,
      [
        "-r", try #require(sharedData(name + ".btsnoop")).path, "-Y",
        "bthci_evt.le_advts_event_type || bthci_evt.le_ext_advts_event_type", "-T", "fields", "-e",
        "bthci_evt.rssi",
      ])
    let told = output.output.split { ",\n".contains($0) }.compactMap { Float($0) }
    let (collector, _) = try decode(name + ".btsnoop")
    #expect(told == collector.reports.map { $0.rssi.isNaN ? 127 : $0.rssi })
  }
}
