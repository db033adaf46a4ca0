import Foundation
import TestSupport
import Testing

@Suite("True levels of links, from the simulation to the trace")
struct TruthLevelTests {
  private func imported(_ room: String, to trace: String) throws {
    let result = try rssi(
      "import", room + "/walk-1.btsnoop", room + "/walk-2.btsnoop", "--receiver", "phone",
      "--nodes", room + "/nodes.csv", "--truth", room + "/levels.csv", "--truth",
      room + "/truth.csv", "-o", trace)
    try #require(result.exitCode == 0, "\(result.error)")
    #expect(result.error.isEmpty)
  }

  @Test func `a trace has the levels of levels.csv, through filter, pack and repair`() throws {
    let folder = try TemporaryDirectory()
    let room = try simulatedRoom(in: folder)
    let names = ["walks.h5", "filtered.h5", "packed.h5", "killed.h5"].map(folder.path)
    try imported(room, to: names[0])
    let info = try rssi("info", names[0]).output
    let rows =
      try String(contentsOfFile: room + "/levels.csv", encoding: .utf8)
      .split(separator: "\n").count - 1
    #expect(rows > 1000)
    #expect(info.contains(" positions, \(rows) levels of links\n"))
    let filtered = try rssi("filter", names[0], "-o", names[1], "--filter", "kalman:q=1,r=9")
    #expect(filtered.exitCode == 0, "\(filtered.error)")
    #expect(try rssi("pack", names[1], "-o", names[2]).exitCode == 0)
    try FileManager.default.copyItem(atPath: names[2], toPath: names[3])
    let killed = try runPython(
      """
      import h5py, numpy, sys
      with h5py.File(sys.argv[1], 'r+') as f: f.attrs['clean'] = numpy.uint8(0)
      """, [names[3]])
    try #require(killed.exitCode == 0, "\(killed.error)")
    #expect(try rssi("repair", names[3]).exitCode == 0)
    // Both tables came from one import: the sightings that export prints are those of the truth.
    let export = try rssi("export", names[3], "--format", "csv")
    #expect(export.output.split(separator: "\n").count == rows + 1)
    let check = try runPython(
      """
      import csv, decimal, h5py, numpy as np, sys
      with open(sys.argv[1]) as file: rows = list(csv.DictReader(file))
      level = np.array([r['true_rssi_dbm'] for r in rows], 'f8')
      for path in sys.argv[2:]:
          with h5py.File(path) as f:
              t, s = f['truth/levels'], f['sightings']
              assert f.attrs['clean'] == 1
              assert np.array_equal(t['rssi_dbm'][:], level.astype('f4')), path
              start = np.datetime64(f.attrs['start'].decode().rstrip('Z'))
              time = start.astype('M8[us]').astype('i8') + np.round(t['time_s'][:] * 1e6)
              exact = [int(decimal.Decimal(r['time_s']) * 10**6) for r in rows]
              assert np.array_equal(time.astype('i8'), exact), path
              for column in ['beacon', 'receiver', 'trace']:
                  ids = f[column + 's/id'].asstr()[:]
                  assert [ids[i] for i in t[column]] == [r[column] for r in rows], (path, column)
                  assert np.array_equal(t[column][:], s[column][:]), (path, column)
              assert np.array_equal(t['time_s'][:], s['time_s'][:])
              assert len(f['truth/positions/time_s']) > 2
              # Fading of 2.5 dB, noise of 1.5 dB and rounding lie between the level and its truth.
              error = s['rssi_dbm'][:] - t['rssi_dbm'][:]
              assert abs(error.mean()) < 1 and 2 < error.std() < 4, (error.mean(), error.std())
      """, [room + "/levels.csv"] + names)
    #expect(check.exitCode == 0, "\(check.error)")
  }

  @Test func `an invalid table of levels ends the import with the place`() throws {
    let folder = try TemporaryDirectory()
    let room = try simulatedRoom(in: folder)
    let text = try String(contentsOfFile: room + "/levels.csv", encoding: .utf8)
    for (name, change, words) in [
      ("a.csv", ("phone", "tablet"), "line 2: unknown receiver \"tablet\""),
      ("b.csv", ("ibeacon:", "beacon:"), "line 2: unknown beacon \"beacon:"),
      ("c.csv", ("true_rssi_dbm", "rssi_dbm"), "\"true_rssi_dbm\" is missing"),
      ("d.csv", (",-", ",+-"), "line 2: true_rssi_dbm \"+-"),
    ] {
      let path = try folder.write(text.replacingOccurrences(of: change.0, with: change.1), to: name)
      let result = try rssi(
        "import", room + "/rssi.csv", "--truth", path, "-o", folder.path("out.h5"))
      #expect(result.exitCode == 65)
      #expect(result.error.contains(path) && result.error.contains(words), "\(result.error)")
      #expect(result.error.split(separator: "\n").count == 1)
    }
    #expect(try !folder.names().contains("out.h5"))
  }

  @Test func `levels of a silent trace or node are taken, with a warning`() throws {
    let folder = try TemporaryDirectory()
    let room = try simulatedRoom(in: folder)
    let trace = folder.path("trace.h5")
    let result = try rssi(
      "import", room + "/walk-1.btsnoop", "--nodes", room + "/nodes.csv", "--truth",
      room + "/levels.csv", "-o", trace)
    #expect(result.exitCode == 0, "\(result.error)")
    #expect(
      result.error.contains("traces without sightings: walk-2"))
    #expect(result.error.contains("--truth has nodes without sightings: phone"))
    #expect(result.error.contains("sightings are hci0"))
    #expect(try rssi("info", trace).output.contains("levels of links"))
  }

  @Test
  func `a receiver that pauses is heard from in its scans only, with the same packets`() throws {
    let folder = try TemporaryDirectory()
    func simulate(_ name: String, _ options: String...) throws -> String {
      let path = folder.path(name)
      let result = try runProgram(
        builtProgram,
        ["simulate", "--model", "simple", "--walks", "2", "--duration", "60", "-o", path] + options)
      try #require(result.exitCode == 0, "\(result.error)")
      return path
    }
    let always = try simulate("always")
    let zero = try simulate("zero", "--scan-on", "3s", "--scan-off", "0s")
    let paused = try simulate("paused", "--scan-on", "1s", "--scan-off", "5s")
    for name in try FileManager.default.contentsOfDirectory(atPath: always) {
      let bytes = try Data(contentsOf: URL(filePath: always + "/" + name))
      #expect(try Data(contentsOf: URL(filePath: zero + "/" + name)) == bytes, "\(name)")
    }
    let check = try runPython(
      """
      import csv, sys
      import numpy as np
      def lines(folder, name):
          with open(f'{folder}/{name}') as file: return file.read().splitlines()[1:]
      always, paused = sys.argv[1:]
      for name in ['rssi.csv', 'levels.csv', 'distances.csv']:
          assert set(lines(paused, name)) < set(lines(always, name)), name
      full, left = lines(always, 'rssi.csv'), lines(paused, 'rssi.csv')
      assert abs(len(left) / len(full) - 1 / 6) < 0.03, (len(left), len(full))
      assert len(lines(paused, 'levels.csv')) == len(left)
      for trace in ['walk-1', 'walk-2']:
          times = np.array([float(r.split(',')[1]) for r in left if r.startswith(trace)])
          gaps = np.diff(np.sort(times % 6), append=np.min(times % 6) + 6)
          assert 5 < gaps.max() < 5.1, gaps.max()
          assert times.max() - times.min() > 50
      """, [always, paused])
    #expect(check.exitCode == 0, "\(check.error)")
    let words = try rssi("simulate", "--scan-off", "soon", "-o", folder.path("x"))
    #expect(words.exitCode == 64)
    #expect(words.error.contains("--scan-off \"soon\""))
    let negative = try rssi("simulate", "--scan-off=-1s", "-o", folder.path("x"))
    #expect(negative.exitCode == 64)
    #expect(negative.error.contains("cannot use -1"))
  }
}
