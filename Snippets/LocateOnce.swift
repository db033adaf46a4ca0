// Answer one question: where is a receiver that hears three anchors?

import RSSIKit

// snippet.show
let observations = [(0.0, 0.0, -65.0), (6.0, 0.0, -70.0), (0.0, 6.0, -72.0)].map { x, y, rssi in
  Observation(
    anchor: Point(x: x, y: y), rssi: rssi, measuredPower: -59, exponent: 2, sigma: 4)
}
switch try Algorithms.named("maximum-likelihood").locate(observations) {
case .located(let estimate): print(estimate.position, estimate.uncertainty.covariance as Any)
case .refused(let reason): print("no position: \(reason)")
}
// snippet.end
