import Foundation
import TestSupport
import Testing

@Suite("Simulated rooms on the command line")
struct SimulateTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func digests(_ room: String) throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: room).sorted()
    let sums = try runProgram("/usr/bin/sha256sum", names.map { "\(room)/\($0)" }).output
      .split(separator: "\n").map { String($0.prefix(64)) }
    return Dictionary(uniqueKeysWithValues: zip(names, sums))
  }

  /// The digests are of the files of rssi before the model rician was there.
  @Test func `the model simple writes the bytes that it always did`() throws {
    let room = folder.path("a")
    let made = try rssi(
      "simulate", "--model", "simple", "--seed", "7", "--walks", "2", "--duration", "20", "-o", room
    )
    try #require(made.exitCode == 0, "\(made.error)")
    #expect(
      try digests(room) == [
        "distances.csv": "877fb28ad7534ecbe5af236a9ba5efb19ef937bf0f8e146394638b1ab2b0485d",
        "levels.csv": "29d0d7b622acb68380f8dc1da36fe260e667894b63bb35d95c1ff0e85a4c5956",
        "nodes.csv": "0b1165b5dc4fccc3d427c450f492d78f7fd6c02c9f2ba5dfc61ee7ac9df66989",
        "rssi.csv": "5e39b19afc3663a0314ebd6625100f683303e9ebd4f5e8fb05c8f8feb271815c",
        "truth.csv": "c7901ee4a4c24cdf908ae43377c5773051dab8ee871a2576ab7d0055e4c4bd0b",
        "walk-1.btsnoop": "930a95ada222c059108dd0b4ab042fd8bd7963fe2885a2762feb598a8c00f2b1",
        "walk-2.btsnoop": "c26abe3d98b1e9f8f9ad10713da427c47d8c8e17390e3bbc72bb9e97ec6fb998",
      ])
    let other = folder.path("b")
    let changed = try rssi(
      "simulate", "--model", "simple", "--seed", "42", "--walks", "1", "--duration", "30",
      "--beacons", "12", "--room", "20x15", "--exponent", "2.4", "--loss", "0.5", "--shadowing",
      "3",
      "--measured-power=-62", "--interval", "0.25", "--scan-on", "1s", "--scan-off", "2s", "-o",
      other)
    try #require(changed.exitCode == 0, "\(changed.error)")
    #expect(
      try digests(other) == [
        "distances.csv": "692cb313ac9bbd1638e3b7d6484449aac9d85aff4160ef32336753c783b1a182",
        "levels.csv": "aacd2bf4b8d32fa12049f4df01bc8c14843ce7a51227204f9a40c94e1b58fba9",
        "nodes.csv": "4951679e1233655eb09202dcd1137a6daa1eac71772f57b42224e6b52ea7137b",
        "rssi.csv": "d49180e4d5bbba11b1a420df7c13261d28103c06d036d9ffef7debed78bf1ed7",
        "truth.csv": "a215a444e0af785685f04d4ae275cd66d7b992617b3390e20b111dae81999aec",
        "walk-1.btsnoop": "3038790abc04b8dd1a32c7a5f6cdde7e79e0a5788b25edff7db866661ee4c1b1",
      ])
  }

  @Test func `the same seed gives the same bytes, another seed or model gives others`() throws {
    func room(_ name: String, _ options: String...) throws -> [String: String] {
      let path = folder.path(name)
      let made = try runProgram(
        builtProgram, ["simulate", "--walks", "1", "--duration", "10", "-o", path] + options)
      try #require(made.exitCode == 0, "\(made.error)")
      return try digests(path)
    }
    let first = try room("a")
    #expect(try room("b") == first)
    let others = [
      try room("c", "--seed", "2"), try room("d", "--model", "simple"),
      try room("e", "--body", "0"),
      try room("f", "--fading-time", "5s"), try room("g", "--k-factor", "20"),
    ]
    for other in others { #expect(other["rssi.csv"] != first["rssi.csv"]) }
    // Where the receiver walks does not depend on the radio.
    for other in others.dropFirst() { #expect(other["truth.csv"] == first["truth.csv"]) }
  }

  @Test(arguments: [
    ("--model simple --body 3", "--body: "),
    ("--model simple --fading-time 5s", "--fading-time: "),
    ("--model simple --sensitivity-scale 2", "--sensitivity-scale:"),
    ("--persistence 1.5", "--persistence: "),
    ("--k-factor nan", "--k-factor: "),
    ("--fading-time 10s,1s", "--fading-time: "),
    ("--fading-time 1s,2s,3s", "expected one time"),
    ("--fading-time fast", "--fading-time \"fast"),
    ("--model complex", "'complex'"),
  ])
  func `a parameter that the model does not have is refused by its option`(
    options: String, message: String
  ) throws {
    try isRefused(options, message)
  }

  private func isRefused(_ options: String, _ message: String) throws {
    let result = try runProgram(
      builtProgram,
      ["simulate", "-o", folder.path("room")] + options.split(separator: " ").map(String.init))
    #expect(result.exitCode == 64)
    #expect(result.error.contains(message), "\(result.error)")
  }

  @Test func `beacons rest, move and drop out, and a trace has where they were`() throws {
    let room = folder.path("room")
    let made = try rssi(
      "simulate", "--rest", "1m", "--drop-out", "20s", "--duration", "200", "--beacons", "3",
      "--sensitivity=-200", "-o", room)
    try #require(made.exitCode == 0, "\(made.error)")
    #expect(
      made.output.contains("200 s among 3"), "\(made.output)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: room).sorted() == [
        "distances.csv", "levels.csv", "nodes.csv", "rest-1.btsnoop", "rests.csv", "rssi.csv",
        "truth.csv",
      ])
    let trace = folder.path("t.h5")
    let imported = try rssi(
      "import", room + "/rest-1.btsnoop", "--receiver", "phone", "--nodes", room + "/nodes.csv",
      "--truth", room + "/truth.csv", "--truth", room + "/levels.csv", "-o", trace)
    #expect(imported.exitCode == 0 && imported.error.isEmpty, "\(imported.error)")
    let check = try runPython(
      """
      import sys, h5py, numpy as np, pandas as pd
      room, trace = sys.argv[1:]
      rssi, levels, rests, truth = (pd.read_csv(f'{room}/{n}.csv') for n in ('rssi', 'levels', 'rests', 'truth'))
      assert len(rests) >= 9 and (rests.end_s >= rests.start_s).all()
      assert (rests.silent_to_s - rests.silent_from_s).dropna().between(0, 20.000002).all()
      for rest in rests.itertuples():
          mine = rssi[(rssi.beacon == rest.beacon) & rssi.time_s.between(rest.start_s, rest.end_s)]
          assert not mine.time_s.between(rest.silent_from_s, rest.silent_to_s).any()
          assert levels.true_rssi_dbm[mine.index].nunique() <= 1
          place = truth[truth.node == rest.beacon]
          for column in ('x_m', 'y_m'):
              at = np.interp((rest.start_s + rest.end_s) / 2, place.time_s, place[column])
              assert abs(at - getattr(rest, column)) < 1e-3
          far = np.hypot(np.hypot(rest.x_m - 6, rest.y_m - 4), rest.z_m - 1)
          assert abs(far - rest.distance_m) < 1e-3
      with h5py.File(trace) as f:
          assert len(f['sightings/time_s']) == len(rssi)
          assert len(f['truth/positions/time_s']) == len(truth)
      """, [room, trace])
    #expect(check.exitCode == 0, "\(check.error)")
  }

  @Test func `a trace of a building has floors of beacons and walks`() throws {
    let house = folder.path("house")
    let made = try rssi(
      "simulate", "--floors", "3", "--walks", "2", "--duration", "200", "-o", house)
    try #require(made.exitCode == 0, "\(made.error)")
    #expect(made.output.contains("24 beacons on 3 floors"), "\(made.output)")
    let trace = folder.path("t.h5")
    let imported = try rssi(
      "import", house + "/rssi.csv", "--nodes", house + "/nodes.csv",
      "--truth", house + "/truth.csv", "--truth", house + "/levels.csv", "-o", trace)
    #expect(imported.exitCode == 0 && imported.error.isEmpty, "\(imported.error)")
    let check = try runPython(
      """
      import sys, h5py, pandas as pd
      house, trace = sys.argv[1:]
      nodes, truth = (pd.read_csv(f'{house}/{n}.csv') for n in ('nodes', 'truth'))
      assert list(nodes.floor[:24]) == ['F1'] * 8 + ['F2'] * 8 + ['F3'] * 8
      assert nodes.floor.isna().sum() == 1
      for _, walk in truth.groupby('trace'):
          changes = walk.floor != walk.floor.shift().fillna(walk.floor.iloc[0])
          assert changes.any()
          assert walk.x_m[changes].isin([0.5, 11.5]).all() and (walk.y_m[changes] == 4).all()
          assert (walk.z_m == 1).all()
      with h5py.File(trace) as f:
          assert len(f['floors']) > 0
      """, [house, trace])
    #expect(check.exitCode == 0, "\(check.error)")
  }

  @Test(arguments: [
    ("--floors 1", "--floors: "),
    ("--floors 2 --rest 1m", "--floors: "),
    ("--floors 2 --model simple", "--floors: "),
    ("--floors 2 --slab-loss=-1", "--slab-loss: "),
    ("--floors 100 --beacons 1000", "--beacons times --floors: "),
    ("--storey-height 3", "add --floors"),
  ])
  func `options of floors need them, and fit each other`(options: String, message: String) throws {
    try isRefused(options, message)
  }

  @Test func `a flat has defaults of its own, and the same seed gives the same bytes`() throws {
    func flat(_ name: String, _ options: String...) throws -> (said: String, [String: String]) {
      let path = folder.path(name)
      let made = try runProgram(
        builtProgram, ["simulate", "--flat", "--interval", "1", "-o", path] + options)
      try #require(made.exitCode == 0, "\(made.error)")
      return (made.output, try digests(path))
    }
    let (said, first) = try flat("a")
    #expect(said.contains("3 walks of 300 s among 6 beacons in a flat, "), "\(said)")
    #expect(try flat("b", "--room", "12x9", "--stop", "20s", "--wall-loss", "5").1 == first)
    let other = try flat("c", "--wall-loss", "9").1
    #expect(other["truth.csv"] == first["truth.csv"] && other["rssi.csv"] != first["rssi.csv"])
    #expect(try flat("d", "--seed", "2").1["site.toml"] != first["site.toml"])
  }

  @Test(arguments: [
    ("--flat --floors 2", "--flat: "),
    ("--flat --rest 1m", "--flat: "),
    ("--flat --model simple", "--flat: "),
    ("--flat --room 5x9", "--room: "),
    ("--flat --wall-loss=-1", "--wall-loss: "),
    ("--wall-deviation 1", "add --flat"),
  ])
  func `options of a flat need it, and fit each other`(options: String, message: String) throws {
    try isRefused(options, message)
  }

  @Test(arguments: [
    ("--move 8", "--move: "),
    ("--drop-out 1m", "--drop-out: "),
    ("--rest 1m --drop-out 2m", "cannot use 120"),
    ("--rest 1m --move 90", "cannot use 90"),
    ("--rest 1m --move=-3", "cannot use -3"),
    ("--rest 0s", "--rest: "),
    ("--rest long", "--rest \"long\""),
    ("--rest 1m --speed 0", "--speed: "),
  ])
  func `options of rests need them, and fit each other`(options: String, message: String) throws {
    try isRefused(options, message)
  }

  @Test(.systemRun)
  func `the table of statistics has the simulator between the recordings`() throws {
    let table = try runProgram(
      pythonPath, [repositoryRoot.appending(path: "scripts/bench/simulation.py").path],
      environment: ["RSSI_PROGRAM": builtProgram, "OMP_NUM_THREADS": "1"])
    try #require(table.exitCode == 0, "\(table.error)")
    let rows = table.output.split(separator: "\n")
    #expect(rows.count == 15, "\(table.output)")
    // Without the recordings nothing is compared.
    #expect(rows.allSatisfy { !$0.hasSuffix(" no |") }, "\(table.output)")
  }
}
