import Foundation
import Registries
import TestSupport
import Testing

struct RegistryTableTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// The output of Python's csv and json modules for the same random beacons is the same registry.
  @Test func `tables and lists of Python agree`() throws {
    let script = """
      import csv, json, random, sys
      random.seed(7)
      letters = 'abc,"\\n ;é門\\'0'
      def text(n): return "x" + "".join(random.choice(letters) for _ in range(n)) + "x"
      rows = []
      for i in range(300):
        row = {"id": f"ibeacon:{random.randbytes(16).hex()}:{random.randrange(65536)}:{random.randrange(65536)}",
               "name": f"{i} " + text(8), "description": text(40), "floor": text(5)}
        if random.random() < .7: row.update(x_m=random.uniform(-99, 99), y_m=random.uniform(-99, 99))
        if random.random() < .7: row["z_m"] = random.uniform(0, 9)
        if random.random() < .7: row["measured_power_dbm"] = random.uniform(-90, -40)
        if random.random() < .7: row["range_m"] = random.uniform(.1, 50)
        rows.append(row)
      columns = ["name", "floor", "id", "z_m", "y_m", "x_m", "range_m", "measured_power_dbm", "description"]
      with open(sys.argv[1], "w", newline="", encoding="utf-8") as f:
        writer = csv.DictWriter(f, columns)
        writer.writeheader(); writer.writerows(rows)
      json.dump(rows, open(sys.argv[2], "w"))
      """
    let result = try runPython(script, [folder.path("list.csv"), folder.path("list.json")])
    try #require(result.exitCode == 0, "\(result.error)")
    let table = try RegistryDocument(path: folder.path("list.csv"))
    let list = try RegistryDocument(path: folder.path("list.json"))
    #expect(table.refused == [] && list.refused == [])
    #expect(table.beacons.count == 300)
    #expect(table.beacons == list.beacons)
  }

  @Test func `reads the table of calibrate`() throws {
    let path = try folder.write(
      """
      node,role,x_m,y_m,z_m,kind,uuid,major,minor,namespace,instance,measured_power_dbm,measured_power_byte_hex,eddystone_tx_power_dbm
      ibeacon:\(uuid):1:2,beacon,,,,ibeacon,\(uuid),1,2,,,-58.62,C5,-18

      """, to: "beacons.csv")
    let list = try RegistryDocument(path: path)
    #expect(list.refused == [])
    #expect(list.beacons.first?.measuredPower == -58.62)
    #expect(list.beacons.first?.notes == ["measured_power_byte_hex": "C5"])
  }

  @Test func `names the invalid line`() throws {
    let path = try folder.write(
      "id,range_m\naddr:C0:FF:EE:00:00:01,3\naddr:C0:FF:EE:00:00:02,-3\n", to: "list.csv")
    let list = try RegistryDocument(path: path)
    #expect(list.refused.map(\.place) == ["line 3"])
  }

  @Test func `refuses names that are not UTF-8`() throws {
    let path = folder.path("list.csv")
    try Data(Array("id,name\naddr:C0:FF:EE:00:00:01,a".utf8) + [0xFF] + Array("\n".utf8))
      .write(to: URL(filePath: path))
    #expect(try RegistryDocument(path: path).refused.first?.reason == "name is not UTF-8")
  }
}
