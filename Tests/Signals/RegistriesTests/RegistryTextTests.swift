import Registries
import TestSupport
import Testing

struct RegistryTextTests {
  @Test func `written registries are read back`() throws {
    let list = try document(fullList)
    let again = try document(list.text)
    #expect(again == list)
    #expect(again.text == list.text)
    #expect(try document(RegistryDocument().text) == RegistryDocument())
  }

  @Test func `Python reads the same`() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(try document(fullList).text, to: "registry.json")
    let result = try runPython(
      """
      import json, sys
      d = json.load(open(sys.argv[1], encoding="utf-8"))
      b = d["beacons"][0]
      print(d["format"], d["format_version"], len(d["beacons"]), d["source"]["etag"])
      print(b["name"], b["description"], b["x_m"], b["y_m"], b["measured_power_dbm"], b["notes"]["floor"])
      print(d["beacons"][1]["measured_power_dbm"], sorted(d["beacons"][2]))
      """, [path])
    #expect(
      result.output == """
        rssi-registry 1 4 "a1"
        door the "old" door – süd 1.5 -2 -59.25 2
        -59 ['id']

        """, "\(result.error)")
  }
}
