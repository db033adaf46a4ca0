import Proximity
import RealModule

/// How far from the middle of a radar a distance is: by its logarithm, since that is how well
/// levels show it.
struct RadarScale: Equatable {
  /// Metres at the rings: the borders of the zones, and outward 10, 30, 100, …
  let rings: [Double]
  private let innermost: Double

  private static let outer: [Double] = [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000]

  init(borders: ZoneBorders, distances: some Sequence<Double>) {
    innermost = borders.immediate / 3
    let farthest = distances.filter(\.isFinite).max() ?? 0
    let outer = Self.outer.filter { $0 >= borders.near * 2 }
    let last = outer.firstIndex { $0 >= farthest } ?? outer.indices.last
    rings = [borders.immediate, borders.near] + (last.map { outer[...$0] } ?? [])
  }

  /// 0 in the middle, 1 at the last ring.
  func share(of distance: Double) -> Double {
    guard let last = rings.last, distance > innermost else { return 0 }
    return min(.log(distance / innermost) / .log(last / innermost), 1)
  }
}
