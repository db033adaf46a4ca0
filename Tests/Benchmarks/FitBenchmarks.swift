import Foundation
import PathLoss

/// The numbers of a file that numpy's tofile wrote.
private func array<Number>(_ path: String, of: Number.Type) throws -> [Number] {
  let data = try Data(contentsOf: URL(filePath: path))
  return data.withUnsafeBytes { Array($0.bindMemory(to: Number.self)) }
}

/// Fits the readings of a file from their columns: counting, constants, errors and diagnostics.
/// Prints what, how many, seconds, and the exponent.
func printFits(_ files: [String]) throws {
  let levels = try array(files[0], of: Float.self)
  let positions = try array(files[1], of: UInt32.self)
  let distances = try array(files[2], of: Double.self)
  for estimator in [PathLossEstimator.leastSquares, .huber, .tukey, .cauchy, .truncated] {
    var best = Double.infinity
    var exponent = Double.nan
    for _ in 0..<20 {
      let time = ContinuousClock().measure {
        var tally = StationTally()
        let slots = distances.enumerated().map { index, distance in
          tally.slot(
            station: tally.number(
              of: Station(
                beacon: "b", receiver: "r", series: "s", position: UInt64(index), distance: distance
              )),
            channel: 255, isStay: true)
        }
        var first = 0
        while first < levels.count {
          let piece = first..<min(first + 4096, levels.count)
          let isCounted = tally.addStays(
            levels: levels.span.extracting(piece), keys: positions.span.extracting(piece),
            slots: slots.span)
          precondition(isCounted)
          first = piece.upperBound
        }
        let stations = tally.heardStations()
        var fit = PathLossFit(estimator: estimator)
        if let weakest = stations.compactMap(\.levels.first?.level).min() {
          fit.sensitivity["r"] = weakest
        }
        exponent = fit.group(key: "pooled", stations).exponent ?? .nan
      }
      best = min(best, time / .seconds(1))
    }
    print("\(estimator.rawValue) \(levels.count) \(best) \(exponent)")
  }
}
