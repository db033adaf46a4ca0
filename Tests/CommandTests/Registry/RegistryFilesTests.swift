import Foundation
import TestSupport
import Testing

@Suite struct RegistryFilesTests {
  private let folder: TemporaryDirectory
  private let kept: String

  init() throws {
    folder = try TemporaryDirectory()
    kept = folder.path("kept.json")
  }

  private func registry(_ arguments: String..., input: String = "") throws -> ProgramResult {
    try runProgram(
      builtProgram, ["registry"] + arguments, input: Data(input.utf8),
      environment: ["RSSI_REGISTRY": kept])
  }

  private let table = """
    uuid,major,minor,name,x_m,y_m,measured_power_dbm,floor
    E2C56DB5-DFFB-48D2-B060-D0F5A71096E0,1,2,"door, front",1,2,-59,0
    E2C56DB5-DFFB-48D2-B060-D0F5A71096E0,1,3,hall,3,2,-60,0

    """

  @Test func `imports tables and lists`() throws {
    let first = try folder.write(table, to: "a.csv")
    let second = try folder.write(
      #"[{"id": "ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1:3", "name": "big hall", "range_m": 4}]"#,
      to: "b.json")
    let result = try registry("import", first, second, "--json")
    #expect(result.exitCode == 0, "\(result.error)")
    let report = try json(result.output)
    #expect(report["beacons"] as? Int == 2)
    #expect(report["repeated"] as? Int == 1)
    let list = try registry("list")
    #expect(
      list.output == """
        \(kept): 2 beacons
        name                                                   beacon  x m  y m  z m  P(1 m) dBm  range m
        door, front  ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1:2    1    2    –         -59        –
        big hall     ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1:3    –    –    –           –        4

        """)
    #expect(try registry("list", "--json").output == String(contentsOfFile: kept, encoding: .utf8))
    #expect(try registry("where").output == kept + "\n")
  }

  @Test func `imports all or nothing`() throws {
    let path = try folder.write(table + "zz,1,2,x,,,,\n", to: "a.csv")
    let result = try registry("import", path)
    #expect(result.exitCode == 65)
    #expect(result.error.contains("line 4: the UUID"))
    #expect(!FileManager.default.fileExists(atPath: kept))
    let lenient = try registry("import", "--skip-bad", path)
    #expect(lenient.exitCode == 0)
    #expect(lenient.output == "\(kept): 2 beacons\n")
    #expect(lenient.error.contains("line 4"))
  }

  @Test func `imports from standard input`() throws {
    let result = try registry("import", "-", "-o", "-", input: #"[{"mac": "C0:FF:EE:00:00:01"}]"#)
    #expect(result.output.contains(#"{"id": "addr:C0:FF:EE:00:00:01"}"#))
    #expect(try registry("import", "-", input: "").exitCode == 65)
  }

  @Test func `checks`() throws {
    let good = try folder.write(table, to: "good.csv")
    let result = try registry("check", good)
    #expect(result.exitCode == 0)
    #expect(result.output == "\(good): 2 beacons, 0 errors, 0 warnings\n")
    let site = try folder.write(
      "[[rooms]]\nname = \"a\"\npolygon = [[0, 0], [1.8, 0], [1.8, 5], [0, 5]]\n", to: "site.toml")
    let outside = try registry("check", good, "--site", site, "--json")
    #expect(outside.exitCode == 0)
    let findings = try json(outside.output)["findings"] as? [[String: Any]]
    #expect(findings?.map { $0["kind"] as? String } == ["outside-rooms"])
    #expect((findings?.first?["message"] as? String)?.contains("hall (ibeacon:") == true)
    let bad = try folder.write(
      table + "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0,1,2,again,9,9,4,\n", to: "bad.csv")
    let errors = try registry("check", bad)
    #expect(errors.exitCode == 65)
    #expect(errors.output.contains("share one identity"))
    #expect(errors.output.contains("the power at 0 m"))
    #expect(errors.output.contains("3 beacons, 2 errors"))
  }

  @Test func `names the missing file`() throws {
    for verb in ["list", "check"] {
      let result = try registry(verb)
      #expect(result.exitCode == 66)
      #expect(result.error.contains("no registry is kept"))
    }
    #expect(try registry("check", folder.path("none.csv")).exitCode == 66)
    let place = try runProgram(
      builtProgram, ["registry", "where"],
      environment: ["RSSI_REGISTRY": "", "XDG_DATA_HOME": "", "HOME": "/home/ann"])
    #expect(place.output == "/home/ann/.local/share/rssi/registry.json\n")
  }
}
