import Foundation
import TestSupport
import Testing

/// Texts of tshark give the sightings of the recordings that it read.
@Suite struct TsharkTextTests {
  private func text(_ capture: String, _ arguments: [String]) throws -> Data {
    let result = try runProgram("/usr/bin/tshark", ["-r", capture] + arguments)
    try #require(result.exitCode == 0, "\(result.error)")
    return Data(result.output.utf8)
  }

  private static let captures = [
    "h4_1002_ext_darkelf.btsnoop", "h4_1002_ext_mauricelam.btsnoop",
    "h4_1002_legacy_csacca.btsnoop", "h4_1002_legacy_multireport.btsnoop",
    "monitor_2001_noadv_mauricelam.btsnoop", "pcap_187_from_csacca.pcap",
    "pcap_251_from_whad_btmesh.pcap", "pcap_256_whad_btmesh.pcap", "pcap_256_whad_sniffle.pcap",
    "pcapng_256_crackle_lesc.pcapng", "pcapng_256_norssi_hackrf.pcapng",
    "pcapng_256_whad_ble_discovery.pcapng",
  ]
  /// Reports in packets that tshark 4.0 dissects only in part.
  private static let lost = ["h4_1002_legacy_multireport.btsnoop": 6]

  @Test(
    .needs(program: "/usr/bin/tshark"), .needs(data: "captures"), arguments: captures,
    [["json"], ["json", "-x"], ["ek"], ["ek", "-x"]])
  func `JSON of tshark has the sightings of the recording`(
    capture: String, form: [String]
  ) throws {
    let path = try #require(sharedData("captures/" + capture)).path
    let folder = try TemporaryDirectory()
    let file = folder.path("text.json")
    try text(path, ["-T"] + form).write(to: URL(filePath: file))
    let recording = try ImportedFile(path)
    let printed = try ImportedFile(file)
    #expect(recording.number("packets") == printed.number("packets"))
    if form.count == 2 {
      #expect(recording.rows == printed.rows)
      #expect(recording.others == printed.others)
    } else {
      let lost = Self.lost[capture] ?? 0
      #expect(recording.number("sightings") == printed.number("sightings") + lost)
      if lost == 0 { #expect(recording.rows == printed.rows) }
    }
    #expect(
      printed.number("packets")
        == printed.number("packets_with_reports") + printed.others.values.reduce(0, +)
        + printed.number("rejected_packets"))
  }

  @Test(
    .needs(program: "/usr/bin/tshark"), .needs(data: "captures"),
    arguments: ["h4_1002_legacy_csacca.btsnoop", "pcap_256_whad_sniffle.pcap"],
    [["-E", "header=y"], ["-E", "header=y", "-E", "separator=;", "-E", "quote=d"]])
  func `fields of tshark have the beacons, levels and times`(
    capture: String, form: [String]
  ) throws {
    let fields = [
      "frame.time_epoch", "bthci_evt.code", "bthci_evt.le_meta_subevent", "bthci_evt.bd_addr",
      "bthci_evt.rssi", "btle.access_address", "btle.advertising_header.pdu_type",
      "btle.advertising_address", "btle_rf.signal_dbm", "btle_rf.channel",
      "btcommon.eir_ad.entry.length", "btcommon.eir_ad.entry.type",
      "btcommon.eir_ad.entry.company_id", "btcommon.eir_ad.entry.data",
      "btcommon.eir_ad.entry.uuid_16", "btcommon.eir_ad.entry.service_data",
    ]
    let path = try #require(sharedData("captures/" + capture)).path
    let folder = try TemporaryDirectory()
    let file = folder.path("text.tsv")
    try text(path, ["-T", "fields"] + form + fields.flatMap { ["-e", $0] }).write(
      to: URL(filePath: file))
    let recording = try ImportedFile(path)
    let printed = try ImportedFile(file)
    #expect(recording.number("packets") == printed.number("packets"))
    #expect(recording.rows == printed.rows)
  }

  @Test func `a few lines without the program`() throws {
    let folder = try TemporaryDirectory()
    let file = folder.path("text.tsv")
    try """
    frame.time_epoch\tbtle.advertising_address\tnordic_ble.rssi\tnordic_ble.channel\tnordic_ble.crcok
    1588358358.742955000\t05:dc:d7:1b:09:49\t-90\t37\t1
    1588358358.752955000\t05:dc:d7:1b:09:49\t-91\t38\t0
    1588358358.762955000\t\t-60\t39\t1
    1588358358.772955000\t05:dc:d7:1b:09:4A\t-56\t39\t1\tmore
    """.write(toFile: file, atomically: true, encoding: .utf8)
    let printed = try ImportedFile(file)
    #expect(printed.number("packets") == 4)
    #expect(printed.number("sightings") == 1)
    #expect(printed.others == ["other-line": 1])
    #expect(printed.counts["rejected"] as? [String: Int] == ["bad-crc": 1, "bad-line": 1])
    #expect(
      printed.rows.last == [
        "t", "1588358358.742955", "sniffer", "addr:05:DC:D7:1B:09:49", "-90", "37", "",
      ])
  }
}
