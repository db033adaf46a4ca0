import Foundation
import TestSupport
import Testing

/// The text of btmon gives the sightings of the recording that it read.
@Suite struct BtmonTextTests {
  private func print(_ recording: String, _ folder: TemporaryDirectory, _ option: String) throws
    -> String
  {
    let result = try runProgram(
      "/usr/bin/env", ["TZ=UTC", "/usr/bin/btmon", option, "-r", recording])
    try #require(result.exitCode == 0, "\(result.error)")
    try result.output.write(toFile: folder.path("t.txt"), atomically: true, encoding: .utf8)
    return folder.path("t.txt")
  }

  @Test(.needs(program: "/usr/bin/btmon"))
  func `the example's text has its sightings`() throws {
    let folder = try TemporaryDirectory()
    let path = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path
    let recording = try ImportedFile(path)
    let printed = try ImportedFile(try print(path, folder, "-T"))
    #expect(recording.rows == printed.rows)
    // The first line is the version of btmon.
    #expect(printed.number("packets") == recording.number("packets") + 1 && printed.isAccountedFor)
  }

  @Test(
    .needs(program: "/usr/bin/btmon"), .needs(data: "captures"),
    arguments: [
      "h4_1002_ext_darkelf.btsnoop", "h4_1002_ext_mauricelam.btsnoop",
      "h4_1002_legacy_csacca.btsnoop", "h4_1002_legacy_multireport.btsnoop",
    ])
  func `public recordings' reports`(capture: String) throws {
    let folder = try TemporaryDirectory()
    let (trace, reports) = (folder.path("c.h5"), folder.path("c.btsnoop"))
    // btmon 5.66 crashes at some packets of connections, so only the reports are printed.
    _ = try rssi("import", try #require(sharedData("captures/" + capture)).path, "-o", trace)
    _ = try rssi("export", trace, "-o", reports)
    let recording = try ImportedFile(reports)
    let printed = try ImportedFile(try print(reports, folder, "-T"))
    #expect(recording.rows == printed.rows)
    #expect(printed.isAccountedFor)
  }

  @Test func `a few lines without the program`() throws {
    let file = try ImportedFile(
      text: """
        Bluetooth monitor ver 5.66
        = New Index: E8:48:B8:C8:20:00 (Primary,USB,hci0)               [hci0] 0.350272
        < HCI Command: LE Set Scan Enable (0x08|0x000c) plen 2       #3 [hci0] 0.400000
                Scanning: Enabled (0x01)
        > HCI Event: LE Meta Event (0x3e) plen 42                    #4 [hci1] 0.500000
              LE Advertising Report (0x02)
                Num reports: 2
                Event type: Connectable undirected - ADV_IND (0x00)
                Address type: Random (0x01)
                Address: C1:02:03:04:05:06 (Static)
                Data length: 30
                Flags: 0x06
                  LE General Discoverable Mode
                  BR/EDR Not Supported
                Company: Apple, Inc. (76)
                  Type: iBeacon (2)
                  UUID: 0f0e0d0c-0b0a-0908-0706-050403020100
                  Version: 256.513
                  TX power: -59 dB
                RSSI: -56 dBm (0xc8)
                Event type: Scan response - SCAN_RSP (0x04)
                Address type: Public (0x00)
                Address: 5C:31:3E:4C:7A:A4 (Texas Instruments)
                Data length: 25
                Service Data: Google (0xfeaa)
                  Data: 00ee0102030405060708090a0b0c0d0e0f10
                RSSI: invalid (0x7f)
        > HCI Event: LE Meta Ev.. (0x3e) plen 26                     #5 [hci1] 0.600000
              LE Extended Advertising Report (0x0d)
                Num reports: 1
                Entry 0
                  Event type: 0x0013
                    Props: 0x0013
                  Address type: Random (0x01)
                  Address: C1:02:03:04:05:06 (Static)
                  Primary PHY: LE 1M
                  SID: no ADI field (0xff)
                  RSSI: -60 dBm (0xc4)
                  Data length: 0x02
                01 00                                            ..
        > HCI Event: LE Meta Event (0x3e) plen 26                    #6 [hci1] 0.700000
              LE Advertising Report (0x02)
                Num reports: 1
                Event type: Connectable undirected - ADV_IND (0x00)
                Data length: 0
        """)
    #expect(
      file.sightings == [
        "0.500000 hci1 ibeacon:00010203-0405-0607-0809-0A0B0C0D0E0F:1:258 -56 ",
        "0.500000 hci1 eddystone-uid:0102030405060708090A:0B0C0D0E0F10  ",
        "0.600000 hci1 addr:C1:02:03:04:05:06 -60 ",
      ])
    #expect(file.others == ["other-line": 1, "adapter-change": 1, "command": 1])
    #expect(file.number("packets") == 6 && file.isAccountedFor)
    #expect(file.number("rejected_reports") == 1)
    #expect(file.notes.contains("count from the first packet"))
  }
}
