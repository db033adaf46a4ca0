import Foundation
import TestSupport
import Testing

private let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path
private let uuid = "5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365"

@Suite("Which beacon is calibrated")
struct CalibrateChoiceTests {
  private func names(_ arguments: [String]) throws -> [String] {
    let result = try runProgram(
      builtProgram, ["calibrate", walk, "--distance", "1m", "--json"] + arguments)
    try #require(result.exitCode == 0, "\(result.error)")
    let beacons = try #require(try json(result.output)["beacons"] as? [[String: Any]])
    return beacons.compactMap { $0["beacon"] as? String }
  }

  @Test(arguments: [[], ["--beacon", uuid]])
  func `several beacons are refused without a choice`(_ options: [String]) throws {
    let folder = try TemporaryDirectory()
    let table = folder.path("beacons.csv")
    let result = try runProgram(
      builtProgram, ["calibrate", walk, "--distance", "1m", "--table", table] + options)
    #expect(result.exitCode == 65)
    #expect(result.output.isEmpty && !FileManager.default.fileExists(atPath: table))
    for words in ["8 beacons", "--beacon", "--all-beacons", "sightings)", "… (8)"] {
      #expect(result.error.contains(words), "\(result.error)")
    }
    #expect(result.error.matches(of: /ibeacon:…:1:[1-8] \(\d+ sightings\)/).count == 5)
  }

  @Test func `those asked for are calibrated each by itself`() throws {
    #expect(try names(["--beacon", "\(uuid):1:7"]) == ["ibeacon:\(uuid):1:7"])
    #expect(
      try names(["--beacon", "\(uuid.lowercased()):1:7", "--beacon", "ibeacon:\(uuid):1:2"])
        == ["ibeacon:\(uuid):1:2", "ibeacon:\(uuid):1:7"])
    #expect(try names(["--all-beacons"]).count == 8)
    #expect(try names(["--beacon", uuid, "--all-beacons"]).count == 8)
  }

  @Test func `an address means what is sent from it`() throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("walk.h5")
    try #require(try rssi("import", walk, "-o", trace).exitCode == 0)
    let pairs = try runPython(
      """
      import h5py, sys
      with h5py.File(sys.argv[1]) as f:
          i = 0
          who = f["sightings/advertiser"][i]
          print(f["advertisers/address"].asstr()[who])
          print(f["beacons/id"].asstr()[f["sightings/beacon"][i]])
      """, [trace])
    try #require(pairs.exitCode == 0, "\(pairs.error)")
    let lines = pairs.output.split(separator: "\n").map(String.init)
    #expect(try names(["--beacon", lines[0]]) == [lines[1]])
  }

  @Test func `a silent beacon is an error that lists the heard ones`() throws {
    let result = try rssi("calibrate", walk, "--distance", "1m", "--beacon", "\(uuid):9:9")
    #expect(result.exitCode == 65)
    #expect(result.error.contains("\(uuid):9:9 was not"))
  }

  @Test func `devices that name themselves come before addresses`() throws {
    let folder = try TemporaryDirectory()
    let lines = (0..<20).flatMap { second in
      ["tag", "addr:11:22:33:44:55:66", "addr:11:22:33:44:55:67"].map {
        "\(1_700_000_000 + second),phone,\($0),-60\n"
      }
    }
    let header = "time_s,receiver,beacon,rssi_dbm\n"
    let mixed = try folder.write(header + lines.joined(), to: "mixed.csv")
    let result = try rssi("calibrate", mixed, "--distance", "1m", "--json")
    try #require(result.exitCode == 0, "\(result.error)")
    let found = try json(result.output)["beacons"] as? [[String: Any]]
    #expect(found?.compactMap { $0["beacon"] as? String } == ["tag"])
    // Where only addresses were heard, two of them are two.
    let others = try folder.write(
      header + lines.filter { $0.contains("addr:") }.joined(), to: "others.csv")
    #expect(try rssi("calibrate", others, "--distance", "1m").exitCode == 65)
  }
}
