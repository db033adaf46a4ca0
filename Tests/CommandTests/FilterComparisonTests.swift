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
    let made = try runProgram(builtProgram, ["simulate", "-o", room, "--seed", "5"] + options, input: Data())
    try #require(made.exitCode == 0, "\(made.error)")
    let truth = levels ? ["--truth", room + "/levels.csv"] : []
    let imported = try runProgram(
      builtProgram,
      ["import", room + "/rssi.csv", "--nodes", room + "/nodes.csv", "-o", trace] + truth, input: Data())
    try #require(imported.exitCode == 0, "\(imported.error)")
    return trace
  }

  private func filters(_ report: [String: Any]) throws -> [String: [String: Any]] {
    let list = try #require(report["filters"] as? [[String: Any]])
    return Dictionary(uniqueKeysWithValues: list.compactMap { one in
      (one["filter"] as? String).map { ($0, one) }
    })
  }

  @Test("errors, bias and coverage are those of the file's own levels")
  func figures() throws {
    let folder = try TemporaryDirectory()
    let trace = try simulated(folder, ["--walks", "2", "--duration", "30"])
    let report = try json(
      try rssi("filter", trace, "--compare", "kalman:q=6,r=12,median:window=1s", "--settling", "5", "--json").output)
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
    let values = check.output.split(separator: " ").compactMap { Double($0.trimmingCharacters(in: .newlines)) }
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
    "the random-walk filter with estimated noise is better than every causal one that is not a Kalman filter",
    arguments: [
      ["--loss", "0.5", "--duration", "180"], ["--interval", "1", "--loss", "0.3", "--duration", "600"],
      ["--loss", "0", "--scan-on", "1s", "--scan-off", "5s", "--duration", "600"],
    ])
  func bestOfTheCausal(options: [String]) throws {
    let folder = try TemporaryDirectory()
    let trace = try simulated(folder, options + ["--walks", "3"])
    let result = try rssi("filter", trace, "--compare", "all", "--json")
    let scores = try filters(try json(result.output))
    let kalman = try #require(scores["kalman"]?["rmse_db"] as? Double)
    let others = scores.filter { name, score in
      score["causal"] as? Bool == true
        && !["kalman", "adaptive", "velocity", "channels", "tobit"].contains(name)
    }
    #expect(others.count >= 12)
    for (name, score) in others {
      #expect(kalman < (try #require(score["rmse_db"] as? Double)), "\(name)")
    }
    // A filter that knows later sightings does better still.
    #expect(try #require(scores["rts"]?["rmse_db"] as? Double) < kalman)
  }

  @Test("without truth, sightings are held back; a still beacon is compared with the mean of its stay")
  func otherTruth() throws {
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
    let still = try json(try rssi("filter", bench, "--compare", "mean:window=1h", "--settling", "0", "--json").output)
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
    let expected = try #require(Double(mean.output.trimmingCharacters(in: .newlines)), "\(mean.error)")
    #expect(isClose(try #require(try filters(still)["raw"]?["rmse_db"] as? Double), expected, absolute: 1e-9))
  }

  @Test("chains, parameters and several filters are told apart")
  func names() throws {
    let folder = try TemporaryDirectory()
    let trace = try simulated(folder, ["--walks", "1", "--duration", "20"])
    let report = try json(
      try rssi(
        "filter", trace, "--compare", "kalman:q=1e+1,r=12,median:window=1s+kalman:q=6,r=12,ewma", "--json"
      ).output)
    #expect(
      Set(try filters(report).keys)
        == ["raw", "kalman:q=1e+1,r=12", "median:window=1s+kalman:q=6,r=12", "ewma"])
  }

  @Test("draws a picture that names the filters, of the link that is asked for")
  func picture() throws {
    let folder = try TemporaryDirectory()
    let trace = try simulated(folder, ["--walks", "1", "--duration", "20"])
    let info = try json(try rssi("filter", trace, "-o", folder.path("x.h5"), "--json").output)
    let beacon = try #require((info["links"] as? [[String: Any]])?.last?["beacon"] as? String)
    let picture = folder.path("p.svg")
    let result = try rssi(
      "filter", trace, "--compare", "kalman,median:window=1s", "--picture", picture, "--picture-beacon", beacon)
    #expect(result.exitCode == 0, "\(result.error)")
    let svg = try String(contentsOfFile: picture, encoding: .utf8)
    for text in [beacon, "kalman", "median:window=1s", "truth", "level (dBm)"] {
      #expect(svg.contains(text), "\(text)")
    }
    let unknown = try rssi(
      "filter", trace, "--compare", "kalman", "--picture", picture, "--picture-beacon", "nobody")
    #expect(unknown.exitCode == 64)
  }
}
