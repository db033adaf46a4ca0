import Foundation
import TestSupport
import Testing

@Suite("rssi filter --compare")
struct FilterComparisonTests {
  /// A trace of a simulated room with its true levels.
  private func simulated(
    _ folder: TemporaryDirectory, _ options: [String], levels: Bool = true
  ) throws -> String {
    let room = folder.path("room")
    let trace = folder.path("t.h5")
    let made = try runProgram(
      builtProgram, ["simulate", "--model", "simple", "-o", room, "--seed", "5"] + options,
      input: Data())
    try #require(made.exitCode == 0, "\(made.error)")
    let truth = levels ? ["--truth", room + "/levels.csv"] : []
    let imported = try runProgram(
      builtProgram,
      ["import", room + "/rssi.csv", "--nodes", room + "/nodes.csv", "-o", trace] + truth,
      input: Data())
    try #require(imported.exitCode == 0, "\(imported.error)")
    return trace
  }

  private func filters(_ report: [String: Any]) throws -> [String: [String: Any]] {
    let list = try #require(report["filters"] as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: list.compactMap { one in
        (one["filter"] as? String).map { ($0, one) }
      })
  }

  /// Levels of a single short stop cannot serve as truth.
  @Test func `stays with too few sightings are not a truth`() throws {
    let folder = try TemporaryDirectory()
    let room = try simulatedRoom(in: folder)
    let lines = try String(contentsOfFile: room + "/truth.csv", encoding: .utf8)
      .split(separator: "\n").map(String.init)
    let column = try #require(lines[0].split(separator: ",").firstIndex(of: "time_s"))
    // The node stands for 5.1 s after its first row: some thirty levels of each link.
    var again = lines[1].split(separator: ",").map(String.init)
    again[column] = "\(try #require(Double(again[column])) + 5.1)"
    let truth = try folder.write(
      (lines.prefix(2) + [again.joined(separator: ",")] + lines.dropFirst(2)).joined(
        separator: "\n")
        + "\n", to: "truth.csv")
    let trace = folder.path("t.h5")
    let imported = try rssi(
      "import", room + "/rssi.csv", "--nodes", room + "/nodes.csv", "--truth", truth, "-o", trace)
    try #require(imported.exitCode == 0, "\(imported.error)")
    let few = try rssi("filter", trace, "--compare", "kalman", "--settling", "30", "--json")
    #expect(few.error.contains("held back instead"))
    let report = try json(few.output)
    #expect(report["truth"] as? String == "held-back")
    #expect(try #require(try filters(report)["kalman"]?["samples"] as? Int) > 50)
    let empty = try rssi("filter", trace, "--compare", "kalman", "--settling", "100000")
    #expect(empty.exitCode == 0)
    #expect(
      empty.error.contains("no link has a level"))
  }

  @Test func `errors, bias and coverage are those of the file's own levels`() throws {
    let folder = try TemporaryDirectory()
    let trace = try simulated(folder, ["--walks", "2", "--duration", "30"])
    let report = try json(
      try rssi(
        "filter", trace, "--compare", "kalman:q=6,r=12,median:window=1s", "--settling", "5",
        "--json"
      ).output)
    #expect(report["truth"] as? String == "levels")
    let kalman = try #require(try filters(report)["kalman:q=6,r=12"])
    #expect(try rssi("filter", trace, "-o", trace, "--filter", "kalman:q=6,r=12").exitCode == 0)
    let check = try runPython(
      """
      import sys, h5py, numpy as np
      with h5py.File(sys.argv[1]) as f:
          s, t = f['sightings'], f['truth/levels']
          key = s['trace'][:].astype(int) * 1000 + s['beacon'][:]
          truth = t['rssi_dbm'][:].astype(float)   # one for each sighting, in their order
          said = f['filtered/kalman/rssi_dbm'][:].astype(float)
          variance = f['filtered/kalman/variance_db2'][:].astype(float)
      keep = np.zeros(len(key), bool)
      for k in np.unique(key):
          keep[np.where(key == k)[0][5:]] = True
      e = (said - truth)[keep]
      print(len(e), np.sqrt((e ** 2).mean()), e.mean(), (e ** 2 <= 1.96 ** 2 * variance[keep]).mean())
      """, [trace])
    let values = check.output.split(separator: " ").compactMap {
      Double($0.trimmingCharacters(in: .newlines))
    }
    try #require(values.count == 4, "\(check.error)")
    #expect(kalman["samples"] as? Int == Int(values[0]))
    #expect(isClose(try #require(kalman["rmse_db"] as? Double), values[1], absolute: 1e-4))
    #expect(isClose(try #require(kalman["bias_db"] as? Double), values[2], absolute: 1e-4))
    #expect(isClose(try #require(kalman["coverage95"] as? Double), values[3], absolute: 1e-3))
    #expect(kalman["causal"] as? Bool == true)
    let raw = try #require(try filters(report)["raw"])
    #expect(raw["lag_s"] as? Double == 0)
    #expect(raw["noise_reduction"] as? Double == 1)
  }

  @Test(
    .systemRun,
    arguments: ["10 Hz, 50 % lost", "1 Hz, 30 % lost", "1 s in 6 s"],
    ["random walk", "person walking"])
  func `the random-walk filter is the best causal one but for Kalman filters`(
    pattern: String, model: String
  ) throws {
    let folder = try TemporaryDirectory()
    let made = try runPython(
      simulatedLinks, [pattern, model, folder.path("rssi.csv"), folder.path("levels.csv")])
    try #require(made.exitCode == 0, "\(made.error)")
    let trace = folder.path("t.h5")
    let imported = try rssi(
      "import", folder.path("rssi.csv"), "--truth", folder.path("levels.csv"), "-o", trace)
    try #require(imported.exitCode == 0, "\(imported.error)")
    let scores = try filters(
      try json(try rssi("filter", trace, "--compare", "all", "--json").output))
    let kalman = try #require(scores["kalman"]?["rmse_db"] as? Double)
    let others = scores.filter { name, score in
      score["causal"] as? Bool == true
        && !["kalman", "adaptive", "velocity", "channels"].contains(name)
    }
    #expect(others.count >= 12)
    for (name, score) in others {
      #expect(kalman < (try #require(score["rmse_db"] as? Double)), "\(name)")
    }
    // A filter that knows later sightings does better still.
    #expect(try #require(scores["rts"]?["rmse_db"] as? Double) < kalman)
  }

  @Test func `without truth, sightings are held back`() throws {
    let folder = try TemporaryDirectory()
    let trace = try simulated(folder, ["--walks", "1", "--duration", "60"], levels: false)
    let walking = try json(try rssi("filter", trace, "--compare", "kalman,rts", "--json").output)
    #expect(walking["truth"] as? String == "held-back")
    let scores = try filters(walking)
    let raw = try #require(scores["raw"]?["rmse_db"] as? Double)
    #expect(try #require(scores["kalman"]?["rmse_db"] as? Double) < raw)
    #expect(try #require(scores["rts"]?["rmse_db"] as? Double) < raw)

    let bench = folder.path("bench.h5")
    #expect(try rssi("import", folder.path("room") + "/distances.csv", "-o", bench).exitCode == 0)
    let still = try json(
      try rssi("filter", bench, "--compare", "mean:window=1h", "--settling", "0", "--json").output)
    #expect(still["truth"] as? String == "dwells")
    let mean = try runPython(
      """
      import sys, pandas as pd
      t = pd.read_csv(sys.argv[1])
      # Each stay is a stretch of one beacon at one distance.
      t['stay'] = ((t.distance_m != t.distance_m.shift()) | (t.beacon != t.beacon.shift())).cumsum()
      stays = t.groupby(['beacon', 'distance_m']).rssi_dbm
      print(((t.rssi_dbm - stays.transform('mean')) ** 2).mean() ** 0.5)
      """, [folder.path("room") + "/distances.csv"])
    let expected = try #require(
      Double(mean.output.trimmingCharacters(in: .newlines)), "\(mean.error)")
    #expect(
      isClose(
        try #require(try filters(still)["raw"]?["rmse_db"] as? Double), expected, absolute: 1e-9))
  }

  @Test func `chains, parameters and several filters are distinguished`() throws {
    let folder = try TemporaryDirectory()
    let trace = try simulated(folder, ["--walks", "1", "--duration", "20"])
    let report = try json(
      try rssi(
        "filter", trace, "--compare", "kalman:q=1e+1,r=12,median:window=1s+kalman:q=6,r=12,ewma",
        "--json"
      ).output)
    #expect(
      Set(try filters(report).keys)
        == ["raw", "kalman:q=1e+1,r=12", "median:window=1s+kalman:q=6,r=12", "ewma"])
  }

  @Test func `draws the eight best of more filters, and notes it`() throws {
    let folder = try TemporaryDirectory()
    let trace = try simulated(folder, ["--walks", "1", "--duration", "20"])
    let picture = folder.path("p.svg")
    let result = try rssi("filter", trace, "--compare", "all", "--picture", picture, "--json")
    #expect(result.exitCode == 0, "\(result.error)")
    let svg = try String(contentsOfFile: picture, encoding: .utf8)
    let filters = try #require(
      svg.firstMatch(of: /the best (\d+) of (\d+) filters/).flatMap { match in
        Int(match.1).flatMap { best in Int(match.2).map { (best, $0) } }
      })
    // The truth is a line, too.
    #expect(filters.0 == 7 && filters.1 > 8)
    let names = ["kalman", "median", "mean", "ewma", "hampel", "rts", "one-euro", "velocity"]
    #expect(names.allSatisfy { svg.contains(">\($0)<") }, "bars show them all")
  }

  @Test func `draws a picture that names the filters, of the link that is asked for`() throws {
    let folder = try TemporaryDirectory()
    let trace = try simulated(folder, ["--walks", "1", "--duration", "20"])
    let info = try json(try rssi("filter", trace, "-o", folder.path("x.h5"), "--json").output)
    let beacon = try #require((info["links"] as? [[String: Any]])?.last?["beacon"] as? String)
    let picture = folder.path("p.svg")
    let result = try rssi(
      "filter", trace, "--compare", "kalman,median:window=1s", "--picture", picture,
      "--picture-beacon", beacon)
    #expect(result.exitCode == 0, "\(result.error)")
    let svg = try String(contentsOfFile: picture, encoding: .utf8)
    // The title shortens the UUID.
    let title = beacon.split(separator: ":").suffix(2).joined(separator: ":") + " at "
    for text in [title, "kalman", "median:window=1s", "truth", "level (dBm)"] {
      #expect(svg.contains(text), "\(text)")
    }
    let unknown = try rssi(
      "filter", trace, "--compare", "kalman", "--picture", picture, "--picture-beacon", "absent")
    #expect(unknown.exitCode == 64)
  }
}

/// Levels of eight links by numpy: a random walk in Gaussian noise, or a person who walks past
/// beacons behind shadowing that decorrelates within 4 s, in Rician fading (K = 4) with an offset
/// for each channel. All are rounded to 1 dB.
private let simulatedLinks = """
  import sys
  import numpy as np
  pattern, model, table, levels = sys.argv[1:]
  random = np.random.default_rng(11)
  interval, loss, seconds = {'10 Hz, 50 % lost': (0.1, 0.5, 240), '1 Hz, 30 % lost': (1.0, 0.3, 1500),
                             '1 s in 6 s': (0.1, 0.0, 600)}[pattern]
  rows = []
  for link in range(8):
      times, t = [], 0
      while t < seconds:
          t += interval + random.uniform(0, 0.01)
          if (pattern != '1 s in 6 s' or t % 6 < 1) and random.random() >= loss:
              times.append(t)
      t = np.array(times)
      steps = np.diff(t, prepend=0)
      n = len(t)
      channel = random.integers(37, 40, n)
      if model == 'random walk':
          mean = -65 + np.cumsum(np.sqrt(6 * steps) * random.normal(size=n))
          heard = mean + np.sqrt(12) * random.normal(size=n)
      else:
          corners = random.uniform(0, 10, (seconds, 2))
          sides = np.hypot(*np.diff(corners, axis=0).T)
          walked = np.concatenate([[0], np.cumsum(sides)])
          place = np.array([np.interp(t, walked, corners[:, i]) for i in (0, 1)]).T
          distance = np.sqrt(((place - random.uniform(0, 10, 2)) ** 2).sum(1) + 1)
          shadow, now = np.zeros(n), 3 * random.normal()
          for k, step in enumerate(steps):
              kept = np.exp(-step / 4)
              now = kept * now + 3 * np.sqrt(1 - kept ** 2) * random.normal()
              shadow[k] = now
          def fading(count):
              scattered = random.normal(size=count) + 1j * random.normal(size=count)
              return 20 * np.log10(abs(np.sqrt(0.8) + scattered * np.sqrt(0.1)))
          mean = -60 - 20 * np.log10(distance) + shadow + fading(200_000).mean()
          offset = random.normal(0, 1.5, 3)
          heard = mean - fading(200_000).mean() + fading(n) + (offset - offset.mean())[channel - 37]
      rows += zip(t, [link] * n, np.clip(np.round(heard), -120, 0), channel, np.clip(mean, -120, 0))
  rows.sort()
  with open(table, 'w') as a, open(levels, 'w') as b:
      print('trace,time_s,receiver,beacon,rssi_dbm,channel', file=a)
      print('trace,time_s,receiver,beacon,true_rssi_dbm', file=b)
      for t, link, heard, channel, mean in rows:
          key = f'walk,{1_700_000_000 + t:.6f},phone,b{link}'
          print(f'{key},{heard:.0f},{channel}', file=a)
          print(f'{key},{mean:.4f}', file=b)
  """
