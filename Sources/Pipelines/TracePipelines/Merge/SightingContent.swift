package import Sightings

/// The content of a row besides its time and its stay: two rows of one instant with the same
/// content are one sighting.
package struct SightingContent: Hashable {
  private var row: Sighting
  private let hasLevel: Bool

  package init(_ row: Sighting) {
    hasLevel = !row.rssi.isNaN
    self.row = row
    (self.row.time, self.row.stay) = (0, Sighting.none)
    // NaN is not equal to itself.
    if !hasLevel { self.row.rssi = 0 }
  }
}
