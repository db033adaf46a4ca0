import Geometry
import NumericalMethods
import RealModule

/// The attenuation of beacons by the slabs of a building.
///
/// On another floor, a beacon is weaker by a loss per slab, with a deviation of its own, and seems
/// to be at another place, because its waves arrive through shafts, windows and stairwells.
struct Slabs: Sendable {
  /// The appearance of a beacon on a floor.
  struct Appearance {
    /// The shift of its apparent place, in metres.
    var shift = Point(x: 0, y: 0)
    /// The attenuation in dB.
    var loss = 0.0
  }

  /// The appearances of each beacon on each floor.
  private let appearances: [[Appearance]]

  /// Draws the appearances, independently for each beacon and floor.
  init(_ storeys: Storeys, among beacons: [SimulatedBeacon], seed: UInt64) {
    // The median of the length of a Gaussian vector is σ √(2 ln 2).
    let deviation = storeys.apparentShift / (2 * Double.log(2)).squareRoot()
    appearances = beacons.map { beacon in
      (0..<storeys.count).map { floor in
        guard floor != beacon.floor else { return Appearance() }
        var stream = RandomStream(seed: seed, for: .slabs, beacon.index, floor)
        let (x, y) = stream.gaussianPair()
        return Appearance(
          shift: Point(x: deviation * x, y: deviation * y),
          loss: storeys.slabLoss * Double(abs(floor - beacon.floor))
            + storeys.slabDeviation * stream.gaussian())
      }
    }
  }

  /// Returns the appearance of a beacon at a level: a floor, or a part of the stairs between two, on
  /// which it changes evenly from that of the one to that of the other.
  func appearance(of beacon: Int, at level: Double) -> Appearance {
    let (below, above, share) = floors(around: level)
    let (low, high) = (appearances[beacon][below], appearances[beacon][above])
    return Appearance(
      shift: low.shift.interpolated(to: high.shift, share),
      loss: low.loss + share * (high.loss - low.loss))
  }
}

/// Returns the floors below and above a level in floors, and its share of the way between them.
func floors(around level: Double) -> (below: Int, above: Int, share: Double) {
  let (below, above) = (level.rounded(.down), level.rounded(.up))
  return (Int(below), Int(above), level - below)
}
