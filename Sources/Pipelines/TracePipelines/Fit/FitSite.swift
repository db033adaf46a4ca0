import Sightings
import Sites
import Support

/// What a fit takes from a site file: the places of anchors, and the walls.
struct FitSite {
  let site: Site
  let walls: WallCrossings

  init(path: String) throws { try self.init(Site(path: path)) }

  init(_ site: Site) throws(RSSIError) {
    self.site = site
    walls = try WallCrossings(site.walls)
  }

  /// The nodes of a recording at known places, whichever of both has them.
  func anchors(of catalogue: Catalogue) throws -> [Node] {
    let placed = try site.placing(catalogue)
    return (placed.beacons + placed.receivers).filter(\.isAnchor)
  }
}
