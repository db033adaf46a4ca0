import Foundation
import TestSupport
import Testing

@Suite("The command line and the terminal") struct ProgramArgumentsTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test(arguments: [["--version"], ["info", "", "a b", "é\u{1}"], ["info", "--", "-x"]])
  func `are read although a library has replaced the environment`(arguments: [String]) throws {
    let code = try folder.write(
      """
      #include <stdlib.h>
      #include <string.h>
      extern char **environ;
      __attribute__((constructor)) static void replace(void) {
        int count = 0;
        while (environ[count]) count++;
        char **other = calloc(count + 2, sizeof *other);
        for (int i = 0; i < count; i++) other[i] = strdup(environ[i]);
        other[count] = "ADDED=1";
        environ = other;
      }
      """, to: "replace.c")
    let library = folder.path("replace.so")
    let built = try runProgram("/usr/bin/gcc", ["-shared", "-fPIC", "-o", library, code])
    try #require(built.exitCode == 0, "\(built.error)")
    let plain = try runProgram(builtProgram, arguments)
    let preloaded = try runProgram(builtProgram, arguments, environment: ["LD_PRELOAD": library])
    #expect(preloaded.exitCode == plain.exitCode)
    #expect(preloaded.output == plain.output && preloaded.error == plain.error)
    #expect(plain.output.contains("0.1.0") || plain.exitCode != 0)
  }

  @Test func `CSV and NDJSON on a terminal steer nothing, and a line stays the same JSON`() throws {
    let name = "a\u{1B}]0;owned\u{7}\u{9B}31m\u{202E}"
    let line = try JSONSerialization.data(withJSONObject: [
      "time_s": 1_700_000_000.5, "beacon": name, "receiver": "r", "rssi_dbm": -60,
    ])
    let table = try folder.write(String(decoding: line, as: UTF8.self) + "\n", to: "t.ndjson")
    let trace = folder.path("t.h5")
    let made = try rssi("import", table, "-o", trace)
    try #require(made.exitCode == 0, "\(made.error)")
    for (stage, arguments) in [
      "export": ["export", trace, "-o", "-"], "beacons csv": ["beacons", trace, "--format", "csv"],
      "beacons json": ["beacons", trace, "--json"], "info": ["info", trace, "--json"],
      "export csv": ["export", trace, "--format", "csv", "-o", "-"],
      "watch": ["watch", trace, "--format", "ndjson"],
    ] {
      let piped = try runProgram(builtProgram, arguments)
      var shown = try onTerminal(arguments)
      // Without the progress, which steers the terminal on purpose.
      shown.output = lastShown(shown.output).joined(separator: "\n")
      #expect(shown.exitCode == piped.exitCode, "\(stage) \(shown.output)")
      let steers = shown.output.unicodeScalars.contains {
        $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t"
          || $0 == "\u{202E}"
      }
      #expect(!steers, "\(stage): \(shown.output)")
      guard stage.contains("json") || stage == "export", piped.exitCode == 0 else { continue }
      let lines = [piped.output, shown.output].map {
        stage == "export" ? $0.split(separator: "\n").map(String.init) : [$0]
      }
      for (one, other) in zip(lines[0], lines[1]) {
        #expect(
          try JSONSerialization.jsonObject(with: Data(one.utf8)) as? NSDictionary
            == JSONSerialization.jsonObject(with: Data(other.utf8)) as? NSDictionary)
      }
    }
  }
}
