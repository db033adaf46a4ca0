import Evaluation
import Positioning
import Sightings

/// The true distance of each sighting: from the stay it belongs to, else from positions.
struct DistanceLookup {
  private let sites: MovingNodes

  init(_ catalogue: Catalogue) { sites = MovingNodes(catalogue) }

  /// The distance in metres, and a number that tells places apart; nil where it is not known.
  ///
  /// A place is a stay at a known distance, or one link in one trace.
  func distance(
    _ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue, _ link: UInt64
  ) -> (Double, UInt64)? {
    let dwell = Int(rows.dwell[row])
    if dwell < catalogue.dwells.count { return (catalogue.dwells[dwell].distance, UInt64(dwell)) }
    guard let pair = sites.pair(rows, row),
      let target = sites.place(of: pair.target, at: rows.time[row])
    else { return nil }
    let anchor = pair.anchor
    let dx = anchor.x - target.position.x
    let dy = anchor.y - target.position.y
    let dz = target.z.flatMap { anchor.z.isNaN ? nil : anchor.z - $0 } ?? 0
    return ((dx * dx + dy * dy + dz * dz).squareRoot(), link | 1 << 63)
  }
}
