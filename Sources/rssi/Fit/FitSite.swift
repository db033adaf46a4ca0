import Positioning
import Sightings
import Sites

/// What a site file tells a fit: where anchors are, and the walls.
struct FitSite {
  let walls: WallCrossings
  private let anchors: [Site.Anchor]

  init(path: String) throws {
    let site = try Site(path: path)
    walls = try WallCrossings(site.walls)
    anchors = site.anchors
  }

  /// The tables of a file with the places of anchors that it does not know.
  func placing(_ catalogue: Catalogue) -> Catalogue {
    var catalogue = catalogue
    for anchor in anchors {
      let nodes = anchor.role == .beacon ? \Catalogue.beacons : \Catalogue.receivers
      for index in catalogue[keyPath: nodes].indices
      where catalogue[keyPath: nodes][index].id == anchor.node
        && !catalogue[keyPath: nodes][index].isAnchor
      {
        catalogue[keyPath: nodes][index].x = anchor.place.x
        catalogue[keyPath: nodes][index].y = anchor.place.y
        catalogue[keyPath: nodes][index].z = anchor.height ?? .nan
      }
    }
    return catalogue
  }
}
