// The five steps with which the catalogue of RSSIKit opens.

import RSSIKit

struct StrongestAnchor: EpochAlgorithm {
  let name = "strongest-anchor"

  func estimate(
    _ observations: [Observation], in surroundings: Surroundings
  ) throws(Refusal) -> Estimate {
    guard let best = observations.max(by: { $0.rssi < $1.rssi }) else { throw .tooFewAnchors }
    return Estimate(
      position: Point(x: best.anchor.x, y: best.anchor.y), uncertainty: .unavailable(.noErrorModel))
  }
}

// snippet.read
let trace = try TraceReader(path: "walks.h5")
try trace.forEachSighting { sighting in
  print(sighting.time, sighting.beacon, sighting.receiver, sighting.rssi ?? .nan)
}
let sightings = try trace.sightings(of: "ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:2")
// snippet.filter
var filter = KalmanFilter(q: 0.5, r: 9)
for sighting in sightings {
  guard let level = filter.update(sighting) else { continue }
  print(sighting.time, level.rssi, "±", level.variance.squareRoot())
}
// snippet.fit
let fit = try PathLossFit().fit([
  DistanceReading(distance: 1, rssi: -59), DistanceReading(distance: 2, rssi: -66),
  DistanceReading(distance: 4, rssi: -71), DistanceReading(distance: 8, rssi: -78),
])
print(fit.measuredPower ?? .nan, fit.exponent ?? .nan)
// snippet.evaluate
var request = EvaluationRequest()
request.inputs = ["walks.h5"]
request.crossValidate = .traces
request.algorithms = ["weighted-centroid", "maximum-likelihood"]
request.ownAlgorithms = [StrongestAnchor()]
let document = try EvaluationStage(request).run()
for score in document.leaderboard.scores {
  print(score.name, score.statistics.errors?.median ?? .nan)
}
// snippet.follow
for try await sighting in try SourceRequest("hci0").sightings() {
  print(sighting.time, sighting.beacon, sighting.rssi ?? .nan)
}
// snippet.end
