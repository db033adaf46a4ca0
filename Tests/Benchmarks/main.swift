// Speed of the parts that `scripts/bench/run` compares with peers, in memory and on one core. Each
// line: what, how many, seconds (the best of several runs).
//
//   rssi-bench filters
//   rssi-bench fits LEVELS POSITIONS DISTANCES    arrays of f4, u4 and f8, as numpy's tofile writes them
//   rssi-bench evaluation ERRORS ALGORITHMS TRACES RESAMPLES    an array of f8
//   rssi-bench positions                          batches of scans that share their anchors
//   rssi-bench positions certify [CASES]          exact distances: wrong minima, of 1,000,000
//   rssi-bench positions cover [CASES]            coverage of ellipses and efficiency, of 20,000
//   rssi-bench positions scans                    the scans of 6 anchors, for a peer: x y level of each
//   rssi-bench trackers                           walks of 12 anchors; radio maps
switch CommandLine.arguments.dropFirst().first {
case "fits": try printFits(Array(CommandLine.arguments.dropFirst(2)))
case "evaluation": try printEvaluation(Array(CommandLine.arguments.dropFirst(2)))
case "trackers": try printTrackers()
case "positions":
  let words = CommandLine.arguments.dropFirst(2)
  switch words.first {
  case "certify": certifyPositions(words.dropFirst().first.flatMap { Int($0) } ?? 1_000_000)
  case "cover": coverPositions(words.dropFirst().first.flatMap { Int($0) } ?? 20_000)
  case "scans": printScans(anchors: 6, 20_000)
  default: printPositions()
  }
default: printFilters()
}
