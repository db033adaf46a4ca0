import Foundation
import TestSupport
import Testing

@Suite("Objects of JSON")
struct ImportObjectsTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Writes one table as CSV and in every form of JSON, each as a file `walk` in a folder, and
  /// prints the folders and the options that the file needs.
  private static let script = """
    import csv, json, os, random, sys, datetime
    random.seed(7)
    rows = [{"timestamp": 1714557600000 + 37 * i, "mac": f"C0:FF:EE:00:00:{i % 5:02X}",
             "rssi": random.choice([-60, -61.25, -93, None]), "channel": random.choice([37, 38, 39]),
             "note": 'a "{[' + chr(233)} for i in range(3000)]
    def iso(row):
        time = datetime.datetime.fromtimestamp(row["timestamp"] / 1000, datetime.timezone.utc)
        return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    def write(name, text, kind="json", encoding="utf-8", options=""):
        os.makedirs(f"{sys.argv[1]}/{name}")
        with open(f"{sys.argv[1]}/{name}/walk.{kind}", "w", encoding=encoding) as file: file.write(text)
        print(name, f"walk.{kind}", options)
    os.makedirs(f"{sys.argv[1]}/csv")
    with open(f"{sys.argv[1]}/csv/walk.csv", "w") as file:
        table = csv.DictWriter(file, rows[0]); table.writeheader(); table.writerows(rows)
    write("compact", json.dumps(rows, separators=(",", ":")))
    write("pretty", json.dumps(rows, indent=4, ensure_ascii=False))
    write("utf16", json.dumps(rows, indent=1), encoding="utf-16")
    write("bom", "".join(json.dumps(row) + "\\r\\n" for row in rows), "ndjson", "utf-8-sig")
    write("sequence", "\\n".join(json.dumps(row, indent=2) for row in rows))
    write("within", json.dumps({"device": {"ids": [1, 2]}, "data": {"readings": rows}, "tags": [{"id": 1}]}))
    write("texts", json.dumps([{key: value if value is None else str(value) for key, value in row.items()}
                               for row in rows]))
    write("iso", json.dumps([{**row, "timestamp": iso(row)} for row in rows]))
    write("nested", "\\n".join(json.dumps({"at": {"t": iso(row)}, "ble": {"who": row["mac"],
          "values": {"rssi": row["rssi"], "channel": row["channel"]}}}) for row in rows), "ndjson",
          options="time_s=at.t:iso,beacon=ble.who,rssi_dbm=ble.values.rssi,channel=ble.values.channel,"
          "receiver='receiver'")
    """

  @Test func `are the same trace as the CSV table, row by row`() throws {
    let forms = try runPython(Self.script, [folder.url.path]).output.split(separator: "\n")
    #expect(forms.count == 9)
    func rows(_ name: String, _ file: String, _ map: String = "") throws -> String {
      let trace = folder.path("\(name).h5")
      let input = folder.path("\(name)/\(file)")
      let read =
        map.isEmpty
        ? try rssi("import", input, "-o", trace)
        : try rssi("import", input, "--columns", map, "-o", trace)
      #expect(read.exitCode == 0, "\(name): \(read.error)")
      return try rssi("export", trace, "--format", "csv").output
    }
    let expected = try rows("csv", "walk.csv")
    #expect(expected.split(separator: "\n").count == 3001)
    for form in forms {
      let words = form.split(separator: " ").map(String.init)
      let found = try rows(words[0], words[1], words.count > 2 ? words[2] : "")
      #expect(found == expected, "\(words[0])")
    }
  }

  @Test func `on the standard input need a map for other keys`() throws {
    let line = #"{"ts":1700000000123,"m":"a","r":"-60"}"# + "\n"
    let map = "time_s=ts:ms,rssi_dbm=r,beacon=m,receiver='phone'"
    let read = try rssi("import", "-", "--columns", map, "-o", "-", input: line)
    #expect(read.output.contains(#""time_s":1700000000.123000,"beacon":"a","receiver":"phone""#))
    let refused = try rssi("import", "-", "-o", "-", input: line)
    #expect(refused.exitCode == 65)
    let array = try rssi("import", "-", "-o", "-", input: "[\(line)]")
    #expect(array.exitCode == 65 && array.error.contains("this is an array"), "\(array.error)")
  }
}
