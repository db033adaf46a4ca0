// Speed of the parts that `scripts/bench` compares with peers, in memory and on one core. Each line:
// what, how many, seconds (the best of several runs).
//
//   rssi-bench filters
//   rssi-bench fits LEVELS POSITIONS DISTANCES    arrays of f4, u4 and f8, as numpy's tofile writes them
//   rssi-bench evaluation ERRORS ALGORITHMS TRACES RESAMPLES    an array of f8
switch CommandLine.arguments.dropFirst().first {
case "fits": try printFits(Array(CommandLine.arguments.dropFirst(2)))
case "evaluation": try printEvaluation(Array(CommandLine.arguments.dropFirst(2)))
default: printFilters()
}
