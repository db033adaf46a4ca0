import Foundation
import TestSupport
import Testing

/// Public walks: whether the reported nearest beacon is nearest.
@Suite(.needs(data: "flat-walks"))
struct NearestBeaconTests {
  /// A phone among ten beacons in a flat, each walk with constants of the flat's own bench.
  @Test func `the nearest beacon is mostly right`() throws {
    let data = try #require(sharedData("flat-walks"))
    func file(_ name: String) -> String { data.appending(path: name).path }
    let folder = try TemporaryDirectory()
    let (trace, calibration) = (folder.path("walks.h5"), folder.path("calibration.json"))
    try #require(
      try rssi("import", file("rssi.csv"), "--nodes", file("nodes.csv"), "-o", trace).exitCode == 0)
    try #require(
      try rssi("fit", file("distances.csv"), "-o", calibration, "--quiet").exitCode == 0)
    let arguments = ["watch", trace, "--calibration", calibration, "--ranging", "--quiet"]
    let result = try runProgram(builtProgram, arguments)
    try #require(result.exitCode == 0, "\(result.error)")
    #expect(try runProgram(builtProgram, arguments).output == result.output)
    let lines = try folder.write(result.output, to: "rangings.ndjson")
    let compared = try runPython(
      """
      import collections, csv, json, math, sys
      import numpy as np
      rangings, nodes, truth = sys.argv[1:]
      places = {r["node"]: (float(r["x_m"]), float(r["y_m"])) for r in csv.DictReader(open(nodes))
                if r["role"] == "beacon"}
      paths = collections.defaultdict(list)
      for r in csv.DictReader(open(truth)):
          paths[r["trace"]].append((float(r["time_s"]), float(r["x_m"]), float(r["y_m"])))
      right = among = seconds = 0
      for line in open(rangings):
          event = json.loads(line)
          if event["event"] != "ranging": continue
          t, x, y = np.array(paths[event["trace"]]).T
          if not t[0] <= event["time_s"] <= t[-1]: continue
          here = np.interp(event["time_s"], t, x), np.interp(event["time_s"], t, y)
          nearest = sorted(places, key=lambda node: math.dist(places[node], here))
          said = event["beacons"][0]["beacon"]
          seconds += 1
          right += said == nearest[0]
          among += said in nearest[:2]
      print(seconds, 100 * right / seconds, 100 * among / seconds)
      """, [lines, file("nodes.csv"), file("truth.csv")])
    let figures = compared.output.split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
    try #require(figures.count == 3, "\(compared.error)")
    print(
      "flat-walks, \(Int(figures[0])) s: the nearest beacon is right in \(Int(figures[1].rounded())) %, "
        + "one of the two nearest in \(Int(figures[2].rounded())) %; guessing would be 10 and 20 %")
    // Four times what guessing would give, and three.
    #expect(figures[1] > 40 && figures[2] > 60)
  }
}
