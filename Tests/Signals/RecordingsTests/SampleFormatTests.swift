import Advertising
import Foundation
import Recordings
import TestSupport
import Testing

/// Six reports of three beacons, written in every format, and what a test rig recorded of them.
@Suite(.needs(program: tsharkPath), .needs(data: "../rig/samples"))
struct SampleFormatTests {
  /// Address, RSSI and data of each; NaN where the controller could not measure.
  private struct Heard: Equatable {
    var address: String
    var rssi: String
    var eventType: UInt16
    var payload: [UInt8]
  }

  private func decode(
    _ name: String
  ) throws -> (collector: ReportCollector, counts: DecodingCounts) {
    let path = try #require(sharedData("../rig/samples/" + name)).path
    var collector = ReportCollector()
    let counts: DecodingCounts
    if name.hasSuffix(".pklg") {
      var reader = try PacketLoggerReader(path: path)
      counts = try reader.decode(into: &collector)
    } else if name.hasSuffix(".btsnoop") {
      var reader = try BTSnoopReader(path: path)
      counts = try reader.decode(into: &collector)
    } else {
      var reader = try PcapReader(path: path)
      counts = try reader.decode(into: &collector)
    }
    return (collector, counts)
  }

  private func heard(_ collector: ReportCollector) -> [Heard] {
    zip(collector.reports, collector.payloads).map {
      Heard(
        address: $0.address.description, rssi: "\($0.rssi)", eventType: $0.eventType, payload: $1)
    }
  }

  @Test(arguments: [
    "h4_187.pcap", "ll_251.pcap", "llphdr_256.pcap", "nordic_272.pcap", "packetlogger_be.pklg",
    "packetlogger_le.pklg",
  ])
  func `every format holds the same`(name: String) throws {
    let truth = try decode("hci_1001.btsnoop")
    let (collector, counts) = try decode(name)
    #expect(counts.rejections.total == 0)
    #expect(collector.reports.map(\.time) == truth.collector.reports.map(\.time))
    var expected = heard(truth.collector)
    #expect(expected.count == 6)
    // Without a header there is no RSSI; the nRF Sniffer has no number for "not measured" and wrote
    // 0.
    for index in expected.indices {
      if name.hasPrefix("ll_251") { expected[index].rssi = "nan" }
      if name.hasPrefix("nordic"), expected[index].rssi == "nan" { expected[index].rssi = "0.0" }
    }
    #expect(heard(collector) == expected)
  }

  /// One session of an adapter, recorded by two programs in three ways.
  @Test func `what an adapter told is the same`() throws {
    let truth = try decode("hcidump.btsnoop")
    #expect(truth.collector.reports.count == 12)
    for name in ["bt0_201.pcap", "mon_254.pcap", "monitor2001.btsnoop"] {
      let (collector, counts) = try decode(name)
      #expect(counts.rejections.total == 0)
      #expect(heard(collector) == heard(truth.collector), "\(name)")
      #expect(collector.reports.map(\.time) == truth.collector.reports.map(\.time), "\(name)")
    }
  }

  @Test(arguments: [
    "h4_187.pcap", "bt0_201.pcap", "mon_254.pcap", "ll_251.pcap", "llphdr_256.pcap",
    "nordic_272.pcap", "packetlogger_be.pklg", "packetlogger_le.pklg",
  ])
  func `Wireshark reads the same`(name: String) throws {
    let rows = try tshark(
      try #require(sharedData("../rig/samples/" + name)).path,
      [
        "frame.time_epoch", "bthci_evt.bd_addr", "bthci_evt.rssi", "btle.advertising_address",
        "btle_rf.signal_dbm", "nordic_ble.rssi",
      ], filter: "bthci_evt.rssi || btle.advertising_address")
    let (collector, _) = try decode(name)
    #expect(collector.reports.count == rows.count)
    for (report, row) in zip(collector.reports, rows) {
      #expect(try report.time == nanoseconds(row[0]))
      #expect(report.address.description.lowercased() == row[1] + row[3])
      let rssi = Float(row[2] + row[4] + row[5])
      #expect(rssi.map { $0 == report.rssi || $0 == 127 } ?? report.rssi.isNaN)
    }
  }
}
