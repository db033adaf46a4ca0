import Foundation
import TestSupport
import Testing

/// Lines that u-blox anchors, ESPHome proxies and Home Assistant write to files.
@Suite struct GatewayLogTests {
  private static let beacon = "eddystone-uid:4E494E412D4234544147:CCF9578E0D8A"

  @Test func `events of u-blox anchors have channels, angles and a common clock`() throws {
    let text = """
      +STARTUP
      +UUDF:CCF9578E0D8A,-42,20,0,-43,37,"CCF9578E0D89","",15869,23
      +UUDF:CCF9578E0D8A,-47,-35,4,-43,38,"CCF9578E0D90","a,b",501,1
      +UUDF:CCF9578E0D8A,-42,22,1,-43,39,"CCF9578E0D89","",15969,24
      +UUDF:CCF9578E0D8A,-42,500,1,-43,39,"CCF9578E0D89","",15969,24
      +UUDF:CCF9578E0D8A,-42
      +UUDF:CCF9578E0D8A,-50,0,0,-43,37,"CCF9578E0D90","a,b",20,1
      """
    let file = try ImportedFile(text: text)
    #expect(
      file.rows.map { $0.joined(separator: ",") } == [
        "trace,time_s,receiver,beacon,rssi_dbm,channel,distance_m,azimuth_deg,elevation_deg",
        "t,0.000000,CCF9578E0D89,\(Self.beacon),-42,37,,20,0",
        "t,0.000000,CCF9578E0D90,\(Self.beacon),-47,38,,-35,4",
        "t,0.100000,CCF9578E0D89,\(Self.beacon),-42,39,,22,1",
        // The anchor started again.
        "t,0.100000,CCF9578E0D90,\(Self.beacon),-50,37,,0,0",
      ])
    #expect(file.number("packets") == 7 && file.isAccountedFor)
    #expect(file.others == ["other-line": 1] && file.rejected == ["bad-line": 2])
    // What was exported gives the same trace.
    for format in ["csv", "ndjson"] {
      let exported = try ImportedFile(text: text, export: format).rows
      let again = try ImportedFile(
        text: exported.map { $0.joined(separator: ",") }.joined(separator: "\n"),
        name: "t.\(format)")
      #expect(again.rows == file.rows)
    }
  }

  @Test func `impossible angles in a table are rejected`() throws {
    let file = try ImportedFile(
      text: """
        time_s,receiver,beacon,rssi_dbm,azimuth_deg,elevation_deg
        1,A,t,-60,361,0
        2,A,t,-60,0,-91
        3,A,t,-60,east,0
        4,A,t,-60,-360,
        5,A,t,-60,,90
        """, name: "t.csv")
    #expect(file.rejected == ["bad-angle": 3])
    #expect(file.rows.dropFirst().map { $0[7...].joined(separator: " ") } == ["-360 ", " 90"])
    let other = try ImportedFile(
      text: "t_ms,rx,b,v,az,el\n1,A,t,-60,20,-3\n", name: "o.csv",
      options: [
        "--columns",
        "time_s=t_ms:ms,receiver=rx,beacon=b,rssi_dbm=v,azimuth_deg=az,elevation_deg=el",
      ])
    #expect(other.rows[1][7...] == ["20", "-3"])
  }

  @Test func `a time before an event is used`() throws {
    let file = try ImportedFile(
      text: """
        2023-05-01T12:00:00.25Z +UUDF:CCF9578E0D8A,-42,,,-43,37,"A","",15869,23
        [1682942401.5] +UUDF:CCF9578E0D8A,-43,1,2,-43,37,"A","",1,24
        """)
    #expect(file.rows.dropFirst().map { $0[1] } == ["1682942400.250000", "1682942401.500000"])
    #expect(file.rows.dropFirst().map { $0[7...].joined(separator: " ") } == [" ", "1 2"])
  }

  @Test func `angles survive merge, selection and repair, and other traces have no columns`() throws
  {
    let folder = try TemporaryDirectory()
    try """
    +UUDF:CCF9578E0D8A,-42,20,0,-43,37,"A","",1000,23
    +UUDF:CCF9578E0D8A,-47,-35,4,-43,38,"B","",1000,1
    """.write(toFile: folder.path("u.log"), atomically: true, encoding: .utf8)
    try """
    [13:19:01][V][bluetooth_proxy:086]: Queuing raw packet from A4:C1:38:B6:63:C9, length 30. RSSI: -89 dB
    """.write(toFile: folder.path("e.log"), atomically: true, encoding: .utf8)
    for name in ["u", "e"] {
      _ = try rssi("import", folder.path("\(name).log"), "-o", folder.path("\(name).h5"))
    }
    func angles(_ trace: String, _ options: String...) throws -> [String] {
      let text = try runProgram(
        builtProgram, ["export", folder.path(trace), "--format", "csv"] + options
      ).output
      return text.split(separator: "\n").map {
        $0.split(separator: ",", omittingEmptySubsequences: false).dropFirst(7)
          .joined(separator: " ")
      }
    }
    _ = try rssi("merge", folder.path("e.h5"), folder.path("u.h5"), "-o", folder.path("m.h5"))
    _ = try rssi("repair", folder.path("u.h5"), "-o", folder.path("r.h5"))
    #expect(try angles("u.h5") == ["azimuth_deg elevation_deg", "20 0", "-35 4"])
    #expect(try angles("r.h5") == angles("u.h5"))
    #expect(try angles("e.h5") == ["", ""])
    #expect(Set(try angles("m.h5")) == ["azimuth_deg elevation_deg", " ", "20 0", "-35 4"])
    #expect(try angles("u.h5", "--receiver", "B") == ["azimuth_deg elevation_deg", "-35 4"])
  }

  @Test func `a proxy's log has each packet once`() throws {
    let file = try ImportedFile(
      text: """
        INFO Successfully connected to bluetooth-proxy-1.local
        [23:59:59][V][bluetooth_proxy:086]: Queuing raw packet from A4:C1:38:B6:63:C9, length 30. RSSI: -89 dB
        [23:59:59][VV][esp32_ble_tracker:536]: Parse Result:
        [23:59:59][VV][esp32_ble_tracker:555]:   Address: A4:C1:38:B6:63:C9 (PUBLIC)
        [23:59:59][VV][esp32_ble_tracker:558]:   RSSI: -89
        [23:59:59][VV][esp32_ble_tracker:559]:   Name: 'tag'
        [23:59:59][VV][esp32_ble_tracker:591]:   Adv data: 02.01.06.1A.FF.4C.00.02.15.00.01.02.03.04.05.06.07.08.09.0A.0B.0C.0D.0E.0F.00.01.00.02.C5 (30)
        [00:00:03.448][D][main:541]: BLE Device Advertised!
        [00:00:03.460][V][bluetooth_proxy:100]: Queuing raw packet from D2:21:C1:46:47:7E, length 28. RSSI: -74 dB
        [00:00:03.542][V][bluetooth_proxy:113]: Sent batch of 3 BLE advertisements
        \u{1B}[0;36m[00:00:04.057][V][bluetooth_proxy:100]: Queuing raw packet from 6622A310BBBF, length 17. RSSI: -73 dB\u{1B}[0m
        [00:00:04.060][V][bluetooth_proxy:100]: Queuing raw packet from nobody, length 17. RSSI: -73 dB
        """)
    #expect(
      file.sightings == [
        "86399.000000 bluetooth-proxy-1 ibeacon:00010203-0405-0607-0809-0A0B0C0D0E0F:1:2 -89 ",
        "86403.460000 bluetooth-proxy-1 addr:D2:21:C1:46:47:7E -74 ",
        "86404.057000 bluetooth-proxy-1 addr:66:22:A3:10:BB:BF -73 ",
      ])
    #expect(file.number("packets") == 12 && file.isAccountedFor)
    #expect(file.others == ["other-line": 8] && file.rejected == ["bad-line": 1])
    #expect(file.notes.contains("no date"))
  }

  @Test func `the log of Home Assistant has the raw packets of each proxy`() throws {
    let message = "Got message of type BluetoothLERawAdvertisementsResponse: advertisements {"
    let file = try ImportedFile(
      text: #"""
        2023-08-03 11:32:55.000 INFO (MainThread) [homeassistant.core] started
        2023-08-03 11:32:56.076 DEBUG (MainThread) [aioesphomeapi.connection] kitchen @ 192.0.2.53: \#(message)
          address: 123318265456547
          rssi: -72
          data: "\002\001\004\032\377L\000\002\025\000\001\002\003\004\005\006\007\010\t\n\013\014\r\016\017\000\001\000\002\305"
        }

        2023-08-03 11:32:56.177 DEBUG (MainThread) [aioesphomeapi.connection] attic: \#(message)
          address: 129280283179294
          rssi: -100
          address_type: 1
          data: "\002\001\032\002\n\014\007\377L\000\020\002\003\004"
        }
        advertisements {
          rssi: -77
          data: "\002\001\004"
        }

        2023-08-03 11:32:56.280 DEBUG (MainThread) [aioesphomeapi.connection] attic: Got message of type PingResponse:
        """#)
    #expect(
      file.sightings == [
        "1691062376.076000 kitchen ibeacon:00010203-0405-0607-0809-0A0B0C0D0E0F:1:2 -72 ",
        "1691062376.177000 attic addr:75:94:69:5A:F9:1E -100 ",
      ])
    #expect(file.number("packets") == 4 && file.isAccountedFor)
    #expect(file.number("rejected_reports") == 1 && file.rejected == ["bad-line": 1])
    #expect(file.notes.contains("no time zone"))
  }
}
