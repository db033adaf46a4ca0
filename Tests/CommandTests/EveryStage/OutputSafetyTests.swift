import Foundation
import Glibc
import TestSupport
import Testing

private let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path

@Suite("No output destroys anything")
struct OutputSafetyTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A folder with an input of each kind.
  private func inputs() throws -> [String: Data] {
    let room = try simulatedRoom(in: folder)
    for name in ["walk-1.btsnoop", "walk-2.btsnoop", "nodes.csv", "truth.csv", "distances.csv"] {
      try FileManager.default.copyItem(atPath: "\(room)/\(name)", toPath: folder.path(name))
    }
    try FileManager.default.removeItem(atPath: room)
    _ = try folder.write("[]", to: "registry.json")
    _ = try folder.write(
      "[[anchor]]\nnode = \"a\"\nx = 1\ny = 2\n", to: "site.toml")
    #expect(
      try run("import walk-1.btsnoop --nodes nodes.csv --truth truth.csv --receiver phone -o t.h5")
        .exitCode == 0)
    #expect(try run("fit distances.csv -o c.json").exitCode == 0)
    try FileManager.default.copyItem(atPath: folder.path("c.json"), toPath: folder.path("c.csv"))
    try FileManager.default.copyItem(atPath: folder.path("t.h5"), toPath: folder.path("t.csv"))
    try FileManager.default.copyItem(
      atPath: folder.path("distances.csv"), toPath: folder.path("d.svg"))
    #expect(link(folder.path("walk-1.btsnoop"), folder.path("hard")) == 0)
    #expect(symlink("walk-1.btsnoop", folder.path("soft")) == 0)
    #expect(symlink(".", folder.path("here")) == 0)
    return try contents()
  }

  private func run(_ words: String) throws -> ProgramResult {
    try runProgram(
      builtProgram, words.split(separator: " ").map(String.init), directory: folder.url)
  }

  private func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try folder.names() where name != "here" {
      contents[name] = try Data(contentsOf: URL(filePath: folder.path(name)))
    }
    return contents
  }

  @Test func `no input is replaced`() throws {
    let before = try inputs()
    for words in [
      "import walk-1.btsnoop walk-2.btsnoop -o walk-2.btsnoop",
      "import walk-1.btsnoop -o hard", "import walk-1.btsnoop -o soft",
      "import hard -o here/walk-1.btsnoop",
      "import walk-1.btsnoop --nodes nodes.csv -o nodes.csv",
      "import walk-1.btsnoop --truth truth.csv -o ./truth.csv",
      "import walk-1.btsnoop --registry registry.json -o registry.json",
      "export t.h5 -o t.h5 --format csv", "export t.h5 -o t.h5 --format btsnoop",
      "filter t.h5 --registry registry.json -o registry.json",
      "filter d.svg --compare kalman --picture d.svg",
      "fit distances.csv -o distances.csv", "fit d.svg --picture d.svg",
      "fit distances.csv --site site.toml -o site.toml", "fit --merge c.json -o c.json",
      "fit distances.csv --registry registry.json -o registry.json",
      "fit distances.csv -o new.svg --picture new.svg",
      "fit distances.csv -o here/new.svg --picture new.svg",
      "eval t.csv --calibration c.json --report t.csv",
      "eval t.h5 --calibration c.csv --report c.csv",
      "eval t.h5 --calibration c.json --report r.md --report ./r.md",
      "locate t.csv --calibration c.json -o t.csv",
      "locate t.h5 --calibration c.csv -o c.csv",
      "locate t.h5 --calibration c.json --nodes nodes.csv -o nodes.csv",
      "calibrate distances.csv -o distances.csv", "calibrate distances.csv --table distances.csv",
      "calibrate distances.csv -o new.json --table new.json",
      "capture replay:walk-1.btsnoop -o hard", "capture replay:soft --btsnoop hard -o new.h5",
      "capture replay:walk-1.btsnoop --registry registry.json -o registry.json",
      "registry import registry.json -o registry.json", "session merge t.h5 -o t.h5",
      "session join lobby replay:hard --broker mqtt://127.0.0.1:1 -o walk-1.btsnoop",
    ] {
      let result = try run(words)
      #expect(result.exitCode == 64, "\(words): \(result.exitCode) \(result.error)")
      #expect(result.error.contains("are the same file"), "\(words): \(result.error)")
      #expect(result.output.isEmpty)
    }
    #expect(try contents() == before)
  }

  @Test func `a new trace has no extension of another format`() throws {
    _ = try inputs()
    for words in [
      "import walk-1.btsnoop -o new.csv", "merge t.h5 -o new.ndjson", "filter t.h5 -o new.JSON",
      "pack t.h5 -o new.btsnoop", "repair t.h5 -o new.csv",
      "map t.h5 --calibration c.json -o new.csv",
      "capture replay:t.h5 --speed max -o new.csv",
    ] {
      let result = try run(words)
      #expect(result.exitCode == 64, "\(words)")
      #expect(result.error.contains("a trace is HDF5, not ."), "\(words): \(result.error)")
      #expect(result.error.contains("write -o new.h5"), "\(words): \(result.error)")
    }
    #expect(try !folder.names().contains { $0.lowercased().hasPrefix("new.") })
    // A trace that has such a name is added to, as before.
    #expect(try run("filter t.csv -o t.csv --filter ewma").exitCode == 0)
  }

  @Test func `no picture that a site names is replaced`() throws {
    _ = try inputs()
    let made = try runPython(
      "import sys\nfrom PIL import Image\nImage.new('RGB', (8, 8)).save(sys.argv[1])",
      [folder.path("floor.png")])
    try #require(made.exitCode == 0, "\(made.error)")
    for name in ["floor.svg", "floor.html"] {
      try FileManager.default.copyItem(atPath: folder.path("floor.png"), toPath: folder.path(name))
    }
    #expect(link(folder.path("floor.png"), folder.path("hard.png")) == 0)
    #expect(symlink("floor.png", folder.path("soft.png")) == 0)
    for name in ["floor.png", "floor.svg", "floor.html"] {
      _ = try folder.write(
        "[[floors]]\nname = \"ground\"\nimage = \"\(name)\"\nscale_m = 0.1\norigin = [0, 0]\n",
        to: "\(name).toml")
    }
    let before = try contents()
    for words in [
      "locate t.h5 --calibration c.json --site floor.png.toml --report floor.png",
      "locate t.h5 --calibration c.json --site floor.png.toml --report hard.png",
      "locate t.h5 --calibration c.json --site here/floor.png.toml --report soft.png",
      "locate t.h5 --calibration c.json --site floor.html.toml --report floor.html",
      "locate t.h5 --calibration c.json --site floor.svg.toml --report here/floor.svg",
      "eval t.h5 --calibration c.json --site floor.html.toml --report floor.html",
      "fit distances.csv --site floor.svg.toml --picture floor.svg",
      "fit distances.csv --site floor.svg.toml -o floor.svg",
      "map t.h5 --calibration c.json --site floor.png.toml -o floor.png",
      "map t.h5 --site floor.html.toml --report floor.html",
      "map t.h5 --calibration c.json --registry registry.json -o registry.json",
    ] {
      let result = try run(words)
      #expect(result.exitCode == 64, "\(words): \(result.exitCode) \(result.error)")
      #expect(result.error.contains("are the same file"), "\(words): \(result.error)")
    }
    #expect(try contents() == before)
  }

  @Test func `outputs that are updated on purpose are written`() throws {
    _ = try inputs()
    for words in [
      "filter t.h5 -o t.h5 --filter kalman:q=1,r=9", "filter t.h5 -o here/t.h5 --filter median",
      "pack t.h5", "pack t.h5 -o t.h5", "repair t.h5", "fit t.h5 -o t.h5",
      "locate t.h5 --calibration t.h5 --algorithm kalman --filtered median -o t.h5",
    ] {
      let result = try run(words)
      #expect(result.exitCode == 0, "\(words): \(result.error)")
    }
    let text = try rssi("info", folder.path("t.h5")).output
    for words in ["kalman, median", "calibration", "positions by"] { #expect(text.contains(words)) }
  }

  @Test func `standard output is a stream or refused`() throws {
    let before = try inputs()
    for words in [
      "simulate -o -", "filter t.h5 -o -", "pack t.h5 -o -", "repair t.h5 -o -",
      "session merge t.h5 -o -", "session join lobby --broker mqtt://127.0.0.1:1 -o -",
      "session start lobby --broker mqtt://127.0.0.1:1 -o -",
      "capture replay:walk-1.btsnoop -o new.h5 --btsnoop -",
      "calibrate distances.csv --record -", "registry pull http://127.0.0.1:1/ -o -",
      "eval t.h5 --calibration c.json --report -", "fit distances.csv --picture -",
      "fit distances.csv -o - --json", "import walk-1.btsnoop -o - --json",
      "import walk-1.btsnoop -o - --nodes nodes.csv",
      "locate t.h5 --calibration c.json -o - --json",
    ] {
      let result = try run(words)
      #expect(result.exitCode == 64, "\(words): \(result.exitCode) \(result.error)")
      #expect(result.output.isEmpty)
    }
    for words in [
      "export t.h5 --format csv -o", "fit distances.csv -o",
      "locate t.h5 --calibration c.json --algorithm kalman -o", "calibrate distances.csv -o",
      "calibrate distances.csv --table",
    ] {
      let result = try run(words + " -")
      #expect(result.exitCode == 0 && !result.output.isEmpty, "\(words): \(result.error)")
    }
    #expect(try contents() == before)
  }

  @Test func `descriptors, pipes and devices are not outputs`() throws {
    #expect(mkfifo(folder.path("fifo"), 0o600) == 0)
    let before = try folder.names()
    for (output, code) in [
      ("/dev/stdout", 64), ("/dev/fd/1", 64), ("/proc/self/fd/1", 64), ("/dev/null", 74),
      (folder.path("fifo"), 74), (folder.url.path, 74), (folder.path("missing/t.h5"), 74),
    ] {
      for arguments in [
        ["import", walk, "-o", output], ["capture", "replay:\(walk)", "-o", output],
        ["capture", "replay:\(walk)", "-o", folder.path("t.h5"), "--btsnoop", output],
      ] {
        let result = try runProgram(builtProgram, arguments)
        #expect(result.exitCode == code, "\(arguments): \(result.exitCode) \(result.error)")
        #expect(result.output.isEmpty)
      }
    }
    #expect(try folder.names() == before)
  }

  /// A device gives bytes without end, and a FIFO none until a program writes to it.
  @Test func `tables and registries are files`() throws {
    let fifo = folder.path("fifo")
    #expect(mkfifo(fifo, 0o600) == 0)
    for path in ["/dev/zero", fifo] {
      for arguments in [
        ["import", walk, "-o", folder.path("t.h5"), "--nodes", path],
        ["import", walk, "-o", folder.path("t.h5"), "--truth", path],
        ["import", walk, "-o", folder.path("t.h5"), "--registry", path],
        ["registry", "check", path], ["registry", "list", path],
        ["info", walk, "--registry", path],
      ] {
        let result = try runProgram(builtProgram, arguments)
        #expect(result.exitCode == 66, "\(arguments): \(result.exitCode) \(result.error)")
        #expect(result.error.contains("a pipe or a device"), "\(result.error)")
      }
    }
    #expect(try folder.names() == ["fifo"])
  }

  /// The rows of a pipe are those of a file.
  @Test func `an import streams into other stages`() throws {
    let stream = try rssi("import", walk, "-o", "-")
    #expect(stream.exitCode == 0 && stream.error.isEmpty, "\(stream.error)")
    let trace = folder.path("t.h5")
    #expect(try rssi("import", walk, "-o", trace).exitCode == 0)
    #expect(stream.output == (try rssi("export", trace, "--format", "ndjson").output))
    let filtered = try rssi("filter", "-", "--filter", "kalman:q=1,r=9", input: stream.output)
    #expect(filtered.output.split(separator: "\n").count == 1064)
  }

  @Test(arguments: ["pack", "filter", "fit"])
  func `permissions stay`(_ stage: String) throws {
    _ = try inputs()
    let trace = folder.path("t.h5")
    #expect(chmod(trace, 0o600) == 0)
    let words = ["pack": "pack t.h5", "filter": "filter t.h5 -o t.h5", "fit": "fit t.h5 -o t.h5"]
    let result = try run(words[stage] ?? "")
    #expect(result.exitCode == 0, "\(result.error)")
    let mode = try FileManager.default.attributesOfItem(atPath: trace)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  /// Root may write to any file, so the program runs as another user.
  @Test(.needsRoot)
  func `a write protected file is not replaced`() throws {
    let calibration = try folder.write("[]", to: "c.json", permissions: 0o444)
    let table = try folder.write(
      """
      series,time_s,receiver,beacon,distance_m,rssi_dbm
      a,1,p,b,1,-59
      a,2,p,b,2,-66
      a,3,p,b,4,-71

      """, to: "d.csv", permissions: 0o644)
    chmod(folder.url.path, 0o777)
    chown(calibration, 65_534, 65_534)
    let result = try runProgram(
      "/usr/bin/setpriv",
      [
        "--reuid=65534", "--regid=65534", "--clear-groups", builtProgram, "fit", table, "-o",
        calibration,
      ])
    #expect(result.exitCode == 77, "\(result.error)")
    #expect(result.error.contains("write-protected") && result.error.contains("chmod"))
    #expect(try String(contentsOfFile: calibration, encoding: .utf8) == "[]")
  }
}
