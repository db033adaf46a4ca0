import Foundation
import TestSupport
import Testing

@Suite("Common mistakes are answered with their cause")
struct MistakesTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test(arguments: [
    ("filtr x", "mean \"filter\"?"),
    ("help filtr", "mean \"filter\"?"),
    ("session jion hall", "mean \"join\"?"),
    ("help registry lst", "mean \"list\"?"),
    ("registry xyz", "`rssi help registry` lists all"),
    ("scan", "`rssi beacons`"), ("list", "`rssi beacons`"), ("evaluate", "`rssi eval`"),
    ("plot x.h5", "--picture"), ("trilaterate x.h5", "`rssi locate`"),
    ("record hci0", "`rssi capture`"), ("track x.h5", "`rssi locate`"),
    ("locate x.h5 --algorithm kalmann", "(did you mean \"kalman\"?); `rssi help eval` lists all"),
    ("capture repla:x -o x.h5", "mean \"replay\"?"),
    ("capture mqtt://h/x --dialect espresens -o x.h5", "\"espresense\"?"),
    ("watch x.h5 --region a@neer", "mean \"near\"?"),
    ("locate x.h5 --algorithm nonsense", "there are nearest-anchor, "),
    ("fit x.h5 --by room", "'pooled', 'beacon', 'receiver', 'series' or 'link'"),
    ("capture replay:x.h5 -o y.h5 --min-rssi 70", "(did you mean -70?)"),
    ("capture replay:x.h5 -o y.h5 --min-rssi -200", "from -127 to 20 dBm, found -200"),
    ("session start hall hci0 --broker localhost -o y.h5", "expected mqtt://HOST[:PORT]"),
    (
      "advertise ibeacon:5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:70000 --print",
      "expected a minor from 0 to 65535, found \"70000\""
    ),
    ("advertise ibeacon:5E1F0A3C:1:7 --print", "expected a UUID of 32 hexadecimal digits"),
    ("eval", "there is nothing to evaluate: name a trace"),
  ])
  func `a misspelled or guessed name is answered with the right one`(
    call: String, message: String
  ) throws {
    let result = try runProgram(builtProgram, call.split(separator: " ").map(String.init))
    #expect(result.exitCode == 64)
    #expect(result.error.hasPrefix("rssi: ") && result.error.contains(message), "\(result.error)")
  }

  @Test(arguments: [
    ("locate", "'<file> ...'"), ("eval x.h5 --algorithim kalman", "mean '--algorithm'?"),
    ("locate x.h5 --bounds 0,0,12", "this has 3"),
    ("locate x.h5 --bounds 0,5,12,5", "and YMIN below YMAX"),
  ])
  func `errors of the argument parser have the form of all others, and the reason`(
    call: String, message: String
  ) throws {
    let result = try runProgram(builtProgram, call.split(separator: " ").map(String.init))
    #expect(result.exitCode == 64 && result.output.isEmpty)
    let lines = result.error.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 3 && lines[0].hasPrefix("rssi: ") && lines[0].contains(message))
    #expect(lines.last == "" && lines[1] == "See 'rssi \(call.prefix { $0 != " " }) --help'.")
  }

  @Test(arguments: [
    ("--loss", "2"), ("--exponent", "99"), ("--shadowing", "1e9"), ("--room", "0x8"),
  ])
  func `a refusal of simulate names the option`(option: String, value: String) throws {
    let result = try rssi("simulate", option, value, "-o", folder.path("room"))
    #expect(result.exitCode == 64)
    #expect(result.error.hasPrefix("rssi: \(option): "), "\(result.error)")
  }

  @Test(arguments: [
    (["locate", "T", "--calibration", "C", "--site", "nodes.csv"], "a table of nodes, not a site"),
    (["locate", "T", "--calibration", "site.toml"], "this is a site file, not a calibration"),
    (["import", "W", "-o", "new.h5", "--nodes", "T"], "this is a trace, not a table of nodes"),
    (["import", "W", "-o", "new.h5", "--truth", "W"], "this is a recording, not a table of true"),
    (["import", "W", "-o", "new.h5", "--nodes", "distances.csv"], "readings at known distances"),
    (["beacons", "T", "--registry", "distances.csv"], "not a registry; give it to `rssi fit`"),
    (["beacons", "T", "--registry", "C"], "this is a calibration, not a registry"),
    (["capture", "W", "-o", "new.h5"], "replay it as replay:"),
    (["watch", "nothere.h5"], "nothere.h5: no such file"),
    (["watch", "nothere"], "neither a file nor a source: use hci0, "),
  ])
  func `a file in the wrong place is answered with its kind`(
    words: [String], message: String
  ) throws {
    let example = repositoryRoot.appending(path: "notebooks-data/example").path
    let (trace, calibration) = (folder.path("t.h5"), folder.path("c.json"))
    let walk = "\(example)/walk-1.btsnoop"
    let paths = ["T": trace, "C": calibration, "W": walk]
    #expect(try rssi("import", walk, "-o", trace, "--quiet").exitCode == 0)
    #expect(try rssi("fit", "\(example)/distances.csv", "-o", calibration, "-q").exitCode == 0)
    let arguments = words.map { word in
      let file = "\(example)/\(word)"
      return paths[word] ?? (FileManager.default.fileExists(atPath: file) ? file : word)
    }
    let result = try runProgram(builtProgram, arguments, directory: folder.url)
    #expect([64, 65, 66].contains(result.exitCode))
    #expect(result.error.contains(message), "\(result.error)")
    #expect(try !folder.names().contains("new.h5"))
  }

  @Test(
    arguments: [
      ("import", [0x1F, 0x8B, 8, 0], "the gzip data is empty, damaged or cut off"),
      ("import", Array("LE Scan ...\n".utf8), "record with `btmon -w FILE`"),
      ("import", Array("HCI sniffer - Bluetooth packet analyzer ver 5.50\n".utf8), "`hcidump -w"),
      (
        "import", Array("[\u{1B}[0;92mNEW\u{1B}[0m] Device C0:00:00:00:00:01 tag\n".utf8),
        "the text that bluetoothctl prints"
      ),
      (
        "info", Array("Discovery started\n[CHG] Device C0:00:00:00:00:01 RSSI: -72\n".utf8),
        "with `rssi capture`"
      ),
      ("info", [0x1F, 0x8B, 8, 0], "compressed with gzip"),
      ("import", Array("<!DOCTYPE html><p>".utf8), "this is a web page"),
      ("info", Array("{\"format\" : \"rssi-calibration\"}".utf8), "as --calibration"),
      ("import", Array("{\"format\" : \"rssi-calibration\"}".utf8), "as --calibration"),
      ("import", Array("node,role,x_m,y_m\n".utf8), "use it as --nodes of `rssi import`"),
      (
        "import", Array("# plan\n[[walls]]\n".utf8), "this is a site file, not a table of sightings"
      ),
      ("info", Array("[[walls]]\n".utf8), "use it as --site"),
      (
        "fit", Array("{\"format\": \"rssi-registry\"}".utf8),
        "this is a registry, not sightings"
      ),
      ("beacons", Array("{\"format\": \"rssi-part\"}".utf8), "give all parts to the stage"),
    ] as [(String, [UInt8], String)])
  func `a file of another kind is recognised by its content`(
    stage: String, bytes: [UInt8], message: String
  ) throws {
    let path = folder.path("file")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let output = stage == "import" ? ["-o", folder.path("x.h5")] : []
    let result = try runProgram(builtProgram, [stage, path] + output)
    #expect(result.exitCode == 65)
    #expect(result.error.contains(message), "\(result.error)")
  }
}
