// Compares an algorithm of your own with those of the package on recordings with ground truth. The
// path-loss constants of each walk are fitted on the other walks:
//
//     swift run compare-algorithms walks.h5

import Foundation
import RSSIKit

/// The mean of the anchors, weighted by the received power.
struct PowerWeightedMean: EpochAlgorithm {
  let name = "power-weighted-mean"

  func estimate(
    _ observations: [Observation], in surroundings: Surroundings
  ) throws(Refusal) -> Estimate {
    guard !observations.isEmpty else { throw .tooFewAnchors }
    var (x, y, sum) = (0.0, 0.0, 0.0)
    for observation in observations {
      let weight = pow(10, observation.rssi / 10)
      x += weight * observation.anchor.x
      y += weight * observation.anchor.y
      sum += weight
    }
    return Estimate(
      position: Point(x: x / sum, y: y / sum), uncertainty: .unavailable(.noErrorModel))
  }
}

guard let path = CommandLine.arguments.dropFirst().first else {
  print("usage: compare-algorithms TRACE")
  exit(64)
}
do {
  var request = EvaluationRequest()
  request.inputs = [path]
  request.crossValidate = .traces
  request.algorithms = ["weighted-centroid", "maximum-likelihood"]
  request.ownAlgorithms = [PowerWeightedMean()]
  let document = try EvaluationStage(request).run()
  for score in document.leaderboard.scores {
    let median =
      (score.statistics.errors?.median).map { String(format: "%.2f m", $0) } ?? "no answer"
    print("\(score.name): median error \(median)")
  }
} catch {
  print("\(error)")
  exit(65)
}
