import Foundation
import TestSupport
import Testing

/// Messages before a radio is used.
@Suite("rssi advertise, without a radio") struct AdvertiseTests {
  private static let beacon = "ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1:2"
  private static let uid = "eddystone-uid:00010203040506070809:AABBCCDDEEFF"

  private func printed(_ arguments: String...) throws -> [String: Any] {
    let result = try runProgram(builtProgram, ["advertise"] + arguments + ["--print", "--json"])
    try #require(result.exitCode == 0, "\(result.error)")
    return try json(result.output)
  }

  private func refusal(_ arguments: String...) throws -> ProgramResult {
    try runProgram(builtProgram, ["advertise"] + arguments)
  }

  @Test func `prints what it would send`() throws {
    let report = try printed(Self.beacon, "--measured-power", "-58.5", "--interval", "250ms")
    #expect(
      report["payload"] as? String == "0201061AFF4C000215E2C56DB5DFFB48D2B060D0F5A71096E000010002C5"
    )
    // Half a decibel goes away from zero.
    #expect(report["measured_power_rounded_dbm"] as? Int == -59)
    #expect(report["measured_power_dbm"] as? Double == -58.5)
    #expect(report["interval_s"] as? Double == 0.25)
    #expect(report["pdu"] as? String == "legacy")
    #expect(report["adapter"] == nil)
    let eddystone = try printed(Self.uid, "--measured-power", "-59", "--phy", "coded")
    #expect(
      eddystone["payload"] as? String
        == "0201060303AAFE1716AAFE00EE00010203040506070809AABBCCDDEEFF0000")
    #expect(eddystone["eddystone_tx_power_dbm"] as? Int == -18)
    #expect(eddystone["pdu"] as? String == "extended")
    let alt = try printed(
      "altbeacon:0102030405060708090a0b0c0d0e0f1011121314", "--measured-power", "-70",
      "--company", "0xFFFF")
    #expect(
      alt["payload"] as? String == "1BFFFFFFBEAC0102030405060708090A0B0C0D0E0F1011121314BA00")
  }

  @Test func `explains the bytes`() throws {
    let result = try rssi(
      "advertise", "eddystone-url:https://www.example.com/abc", "--measured-power", "-59", "--tlm",
      "--temperature", "-2.25", "--battery", "3000", "--print")
    #expect(result.exitCode == 0, "\(result.error)")
    for words in [
      "ADV_NONCONN_IND, every 100 ms", "-59 dBm at 1 m, -18 dBm at 0 m, from --measured-power",
      "25 bytes: 0201060303AAFE1116AAFE10EE016578616D706C6500616263",
      "  11 16 AA FE 10 EE 01 65 78 61 6D 70 6C 65 00 61 62 63\n",
      "Eddystone-URL https://www.example.com/abc, -18 dBm at 0 m",
      "0201060303AAFE1116AAFE20000BB8FDC0",
      "Eddystone-TLM, battery 3000 mV, temperature -2.25 °C",
    ] {
      #expect(result.output.contains(words), "\(words) in \(result.output)")
    }
    #expect(result.error == "")
  }

  /// A default power is sent only on request.
  @Test func `refuses to guess the power`() throws {
    let result = try refusal(Self.beacon, "--print")
    #expect(result.exitCode == 64)
    #expect(result.error.contains("rssi calibrate"))
    #expect(result.error.contains("--measured-power"))
    #expect(result.output == "")
  }

  @Test(arguments: [
    (["ibeacon:E2C5"], "is not an identity"),
    (["ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"], "is not an identity"),
    (["addr:AA:BB:CC:DD:EE:FF"], "carry an address"),
    (["eddystone-eid:0102030405060708"], "an eddystone-uid"),
    (["eddystone-url:https://averyveryverylongname.example"], "the URL takes 29 bytes"),
    ([beacon, "--measured-power", "21"], "-127 to 20 dBm"),
    ([uid, "--measured-power", "-20"], "-128 to -21 dBm"),
    ([beacon, "--interval", "10ms"], "20ms to 10.24s"),
    ([beacon, "--interval", "x"], "invalid duration"),
    ([beacon, "--phy", "2m"], "expected 1m or coded"),
    ([beacon, "--tx-power", "30"], "-127 to 20 dBm"),
    ([beacon, "--address", "C0:DE"], "expected public, random"),
    ([beacon, "--tlm"], "has no telemetry"),
    ([uid, "--battery", "3000"], "add it"),
    ([uid, "--tlm", "--temperature", "128"], "less than 128"),
    ([uid, "--tlm", "--battery", "0"], "1 to 65535 mV"),
    ([beacon, "--company", "0x10000"], "16 bits"),
    ([beacon, "--company", "280"], "for an altbeacon"),
    ([beacon, "monitor"], "cannot advertise"),
    ([beacon, "mqtt://broker/topic"], "cannot advertise"),
    ([beacon, "hci0", "--duration", "0s"], "invalid duration"),
    ([beacon, "--group", "x"], "needs --calibration"),
    ([beacon, "--calibration", "x.json"], "exclude each other"),
  ])
  func `refuses what cannot be`(arguments: [String], words: String) throws {
    let power = arguments.contains("--measured-power") ? [] : ["--measured-power", "-59"]
    let result = try runProgram(builtProgram, ["advertise"] + arguments + power + ["--print"])
    #expect(result.exitCode == 64, "\(result.error)")
    #expect(result.error.contains(words), "\(result.error)")
    #expect(result.output == "")
  }

  @Test func `refuses an address that is not static random`() throws {
    let result = try refusal(
      Self.beacon, "h4:unix:/nowhere", "--measured-power", "-59", "--address", "00:11:22:33:44:55")
    #expect(result.exitCode == 64)
    #expect(result.error.contains("static random"))
  }

  @Test func `doubts what no beacon has`() throws {
    let result = try rssi("advertise", Self.beacon, "--measured-power", "-4", "--print")
    #expect(result.exitCode == 0)
    #expect(result.error.contains("-4 dBm at 1 m"))
  }

  @Test func `reports that there is no controller`() throws {
    let result = try refusal(Self.beacon, "h4:unix:/nowhere/hci", "--measured-power", "-59")
    #expect(result.exitCode == 69)
    #expect(result.error.contains("unix:/nowhere/hci"))
  }
}
