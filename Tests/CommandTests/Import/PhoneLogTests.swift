import Foundation
import TestSupport
import Testing

/// Recordings of phones, and of ESPresense-companion, compared with what Python reads.
@Suite struct PhoneLogTests {
  /// Returns the lines that a program in Python prints of a text, as `lines` or with `json`.
  private func python(_ program: String, _ text: String) throws -> [String] {
    let folder = try TemporaryDirectory()
    try text.write(toFile: folder.path("t"), atomically: true, encoding: .utf8)
    let result = try runProgram(
      "/usr/bin/env",
      [
        "python3", "-c", "import csv, json, sys\nf = open(sys.argv[1])\n" + program,
        folder.path("t"),
      ])
    try #require(result.exitCode == 0, "\(result.error)")
    return result.output.split(separator: "\n").map(String.init)
  }

  /// The times, beacons and levels of a file's sightings.
  private func read(_ file: ImportedFile) -> [String] {
    file.rows.dropFirst().map { "\($0[1]) \($0[3]) \($0[4])" }
  }

  private static let uuid = "FDA50693-A4E2-4FB1-AFCF-C6EB07647825"

  @Test func `path files of XYZ10`() throws {
    var text = "#\tstartTime:1574659531598\n#\tSiteID:5c\tSiteName:x\tFloorId:5d\tFloorName:F1\n"
    for row in 0..<200 {
      let time = 1_574_659_531_598 + 37 * row
      text += "\(time)\tTYPE_ACCELEROMETER\t-1.0\t0.3\t9.7\t3\n"
      if row % 3 == 0 {
        text +=
          "\(time)\tTYPE_BEACON\t\(Self.uuid)\t10073\t\(row % 5)\t-65\t\(-60 - row % 30)\t5.2\t"
        text += "A0:B1:C2:D3:E4:F5\t\(time)\n"
      }
      if row % 50 == 0 { text += "\(time)\tTYPE_WAYPOINT\t\(row).5\t117.25\n" }
    }
    text += "1574659541000\tTYPE_WIFI\tx\ty\t-50\t2412\t1\n1574659541000\tTYPE_BEACON\t1\n"
    let file = try ImportedFile(text: text)
    let expected = try python(
      """
      for r in csv.reader(f, delimiter="\\t"):
        if r[1:2] == ["TYPE_BEACON"] and len(r) > 8:
          print(f"{int(r[0]) / 1000:.6f} ibeacon:{r[2]}:{r[3]}:{r[4]} {r[6]}")
      """, text)
    #expect(read(file) == expected && expected.count == 67)
    #expect(file.others == ["sensor-line": 200, "waypoint": 4, "other-line": 3])
    #expect(file.rejected == ["bad-line": 1] && file.isAccountedFor)
  }

  @Test func `waypoints are truth with their floor`() throws {
    let folder = try TemporaryDirectory()
    try """
    #\tstartTime:1574659531598
    #\tFloorName:F2
    1574659531598\tTYPE_WAYPOINT\t1.5\t2.25
    1574659531698\tTYPE_BEACON\t\(Self.uuid)\t1\t2\t-65\t-70\t5.2\tA0:B1:C2:D3:E4:F5\t1
    1574659532598\tTYPE_WAYPOINT\t3\t4
    """.write(toFile: folder.path("x.txt"), atomically: true, encoding: .utf8)
    _ = try rssi("import", folder.path("x.txt"), "-o", folder.path("x.h5"))
    let text = try rssi("info", folder.path("x.h5")).output
    #expect(text.contains("F2 (level 2): 2 true positions"), "\(text)")
  }

  @Test func `logs of GetSensorData`() throws {
    var text = """
      % LogFile created by the app 'GetSensorData2.1' for Android.
      % BLE 4.0 data: 'BLE4;AppTimestamp(s);iBeacon;MAC;RSSI(dBm);Power;MajorID;MinorID;UUID'
      POSI;1.0;1;40.313524;-3.483137;0;0

      """
    for row in 0..<100 {
      text += "ACCE;\(row).5;1.2;0.1;0.2;9.8;3\n"
      text += "BLE4;\(row).250;iBeacon;00:11:22:33:44:55;\(-71 - row % 9);-59;100;7;\(Self.uuid)\n"
      if row % 4 == 0 {
        text += "BLE4;\(row).5;Eddystone;00:11:22:33:44:66;-81;000000000001;[3000;20;1;2]\n"
      }
    }
    text +=
      "WIFI;1.6;2;ssid;00:11:22:33:44:77;2412;-60\nPOSI;99.0;2;40.313624;-3.483037;1;0\nBLE4;x;y;z;1\n"
    let file = try ImportedFile(text: text)
    let expected = try python(
      """
      for r in csv.reader(f, delimiter=";"):
        if r[0] == "BLE4" and r[2] == "iBeacon":
          print(f"{float(r[1]):.6f} ibeacon:{r[8]}:{r[6]}:{r[7]} {r[4]}")
        elif r[0] == "BLE4" and r[2] == "Eddystone":
          print(f"{float(r[1]):.6f} addr:{r[3]} {r[4]}")
      """, text)
    #expect(read(file) == expected && expected.count == 125)
    #expect(file.others == ["sensor-line": 100, "waypoint": 2, "other-line": 3])
    #expect(file.rejected == ["bad-time": 1] && file.isAccountedFor)
    #expect(file.notes.contains("in metres from 40.313524, -3.483137"))
  }

  @Test(arguments: [true, false])
  func `recordings of Sensor Logger`(isTable: Bool) throws {
    let data = "4c000215000102030405060708090a0b0c0d0e0f00010000c5"
    var rows: [[String]] = []
    for row in 0..<90 {
      let time = "16985011\(10 + row)401674000"
      rows.append(
        row % 3 == 0
          ? [time, "0.5", "Bluetooth", "5C:31:3E:4C:7A:A4", "\(-60 - row % 20)", data]
          : row % 3 == 1
            ? [time, "0.5", "Bluetooth", "0F9C2D1E-1111", "-70", ""]
            : [time, "0.5", "Accelerometer", "", "", ""])
    }
    let keys = ["time", "seconds_elapsed", "sensor", "id", "rssi", "manufacturerData"]
    let text =
      isTable
      ? ([keys] + rows).map { $0.joined(separator: ",") }.joined(separator: "\n")
      : "["
        + rows.map { row in
          "{" + zip(keys, row).map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",") + "}"
        }.joined(separator: ",\n") + "]"
    let file = try ImportedFile(text: text)
    let expected = try python(
      """
      for r in \(isTable ? "csv.DictReader(f)" : "json.load(f)"):
        if r["sensor"] == "Bluetooth":
          name = "ibeacon:00010203-0405-0607-0809-0A0B0C0D0E0F:1:0" if r["manufacturerData"] else r["id"]
          print(f"{r['time'][:10]}.{r['time'][10:16]} {name} {r['rssi']}")
      """, text)
    #expect(read(file) == expected && expected.count == 60)
    #expect(file.others == ["sensor-line": 30] && file.isAccountedFor)
  }

  @Test func `tables of WiGLE`() throws {
    let names = ["", "Jabra Headset", "\"Tag, \"\"blue\"\"\"", "'s tag"]
    var lines = [
      "WigleWifi-1.6,appRelease=2.78,model=X-37B,release=11.0.0,device=f,display=O-S,board=s,"
        + "\"brand=Moog, LLC\",star=Sol,body=3,subBody=0",
      "MAC,SSID,AuthMode,FirstSeen,Channel,Frequency,RSSI,CurrentLatitude,CurrentLongitude,"
        + "AltitudeMeters,AccuracyMeters,RCOIs,MfgrId,Type",
    ]
    for row in 0..<120 {
      let address = "00:00:5e:00:53:\(10 + row % 7)"
      let time = "2018-08-03 18:\(10 + row / 60):\(10 + row % 50)"
      let place = "1.25,-2.5,104,49.3120002746582"
      let name = names[row % 4]
      switch row % 5 {
      case 0: lines.append("\(address),\(name),[WPA2],\(time),6,2437,-50,\(place),,,WIFI")
      case 1: lines.append("\(address),\(name),Misc [LE],\(time),0,7936,-71,\(place),,,BT")
      case 2: lines.append("310410_4_9,cell,LTE;us,\(time),0,850,-95,\(place),,,LTE")
      default:
        lines.append(
          "\(address),\(name),Misc [LE],\(time),0,,\(-60 - row % 30),\(place),,72,BLE")
      }
    }
    lines.append("00:00:5e:00:53:30,,Misc [LE],yesterday,0,,-60,1,2,3,4,,72,BLE")
    let text = lines.joined(separator: "\r\n")
    let file = try ImportedFile(text: text, name: "wigle.csv")
    let expected = try python(
      """
      import calendar, time
      next(f)
      for r in csv.DictReader(f):
        if r["Type"] == "BLE" and r["FirstSeen"] != "yesterday":
          t = calendar.timegm(time.strptime(r["FirstSeen"], "%Y-%m-%d %H:%M:%S"))
          print(f"{t}.000000 addr:{r['MAC'].upper()} {r['RSSI']}")
      """, text)
    #expect(read(file) == expected && expected.count == 48)
    #expect(file.others == ["other-line": 74] && file.rejected == ["bad-time": 1])
    #expect(file.isAccountedFor && file.notes.contains("read as UTC"))
  }

  @Test func `contacts of Herald`() throws {
    var text = "time,sensor,id,detect,read,measure,share,visit,data\n"
    for row in 0..<60 {
      let start = "2020-08-11 20:07:\(row / 10)\(row % 10),BLE,"
      let id = row % 2 == 0 ? "5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365" : "00:00:5E:00:53:0F"
      text += start + id + [",1,,,,,", ",,2,,,,AayC8A", ",,,,4,,"][row % 3] + "\n"
      text += start + id + ",,,3,,,"
      text += row % 4 == 0 ? "\"RSSI:\(-60 - row).0,TxPower:12.0\"\n" : "RSSI:\(-60 - row).0\n"
    }
    text += "2020-08-11 20:09:00,GPS,x,,,,,1,0\n2020-08-11 20:09:00,BLE,x,,,3,,,loud\n"
    let file = try ImportedFile(text: text, name: "contacts.csv")
    let expected = try python(
      """
      import calendar, time
      for r in csv.DictReader(f):
        if r["measure"] and r["data"].startswith("RSSI:"):
          t = calendar.timegm(time.strptime(r["time"], "%Y-%m-%d %H:%M:%S"))
          name = "addr:" + r["id"] if ":" in r["id"] else r["id"]
          print(f"{t}.000000 {name} {float(r['data'][5:].split(',')[0]):.0f}")
      """, text)
    #expect(read(file) == expected && expected.count == 60)
    #expect(file.others == ["other-line": 62] && file.rejected == ["bad-line": 1])
    #expect(file.isAccountedFor)
  }

  @Test func `captures of ESPresense-companion have nodes, truth and messages`() throws {
    let folder = try TemporaryDirectory()
    let messages = (0..<50).map { row in
      """
      {"t":"2026-06-15T12:00:\(10 + row).2Z","node":"\(row % 2 == 0 ? "kitchen" : "hall")",\
      "distance":3.4,"distVar":0.1,"rssi":\(-72 - row % 7).5,"rxAdj":0,"rssiVar":1,"refRssi":-59}
      """
    }
    let text = """
      {"version":1,"deviceId":"iBeacon:\(Self.uuid.lowercased())-100-7","deviceName":"tag",\
      "started":"2026-06-15T12:00:00Z","ended":null,"truncated":false,"nodes":[\
      {"id":"kitchen","name":"Kitchen","point":[1,2,0.5],"floors":["ground"]},\
      {"id":"hall","name":null,"point":[5,2,0.5],"floors":["ground","first"]}],"positions":[\
      {"t":"2026-06-15T12:00:10.1Z","x":3.5,"y":2,"z":1,"floor":"ground"},\
      {"t":"2026-06-15T12:00:59.1234567Z","x":4.5,"y":2,"z":1,"floor":null}],\
      "messages":[\(messages.joined(separator: ","))]}
      """
    try text.write(toFile: folder.path("c.json"), atomically: true, encoding: .utf8)
    let file = try ImportedFile(folder.path("c.json"))
    let expected = try python(
      """
      for m in json.load(f)["messages"]:
        print(m["node"], m["rssi"])
      """, text)
    #expect(file.rows.dropFirst().map { "\($0[2]) \($0[4])" } == expected && expected.count == 50)
    #expect(file.others == ["anchor": 2, "waypoint": 2] && file.isAccountedFor)
    _ = try rssi("import", folder.path("c.json"), "-o", folder.path("c.h5"))
    let info = try rssi("info", folder.path("c.h5")).output
    #expect(
      info.contains("2 positions") && info.contains("ground: 1 true position, 1 receiver"),
      "\(info)")
    let other = text.replacing("\"version\":1", with: "\"version\":2")
    try other.write(toFile: folder.path("d.json"), atomically: true, encoding: .utf8)
    let refused = try rssi("import", folder.path("d.json"), "-o", folder.path("d.h5"))
    #expect(refused.exitCode == 65 && refused.error.contains("version 2, expected 1"))
  }
}
