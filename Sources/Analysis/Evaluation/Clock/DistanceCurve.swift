import Geometry
import Positioning

/// How far the truth is from the estimates of one trace, for every offset of its clock.
struct DistanceCurve {
  /// Estimates with truth at every offset.
  private(set) var count = 0
  /// Sums over them of the distance in metres, and of its square, from the most negative offset on.
  private(set) var distances: [Double]
  private(set) var squares: [Double]

  init(_ track: EstimatedTrack, reach: Int, step: Double) {
    distances = Array(repeating: 0, count: 2 * reach + 1)
    squares = distances
    guard let span = track.truth.span else { return }
    let shifts = (-reach...reach).map { Int64((Double($0) * step * 1e9).rounded()) }
    for estimate in track.estimates {
      guard span.contains(estimate.time - shifts[2 * reach]),
        span.contains(estimate.time - shifts[0])
      else { continue }
      count += 1
      for (index, shift) in shifts.enumerated() {
        guard let truth = track.truth.position(at: estimate.time - shift) else { continue }
        let distance = estimate.position.distance(to: truth)
        distances[index] += distance
        squares[index] += distance * distance
      }
    }
  }
}
