import Geometry
import Positioning
import Sightings
import Sites
import Support

/// What a site file tells a fit: where anchors are, and the walls.
struct FitSite {
  let walls: WallCrossings
  private let anchors: [Site.Anchor]

  init(path: String) throws {
    let site = try Site(path: path)
    walls = try WallCrossings(site.walls)
    anchors = site.anchors
  }

  /// A sentence where the site has anchors and none of them is a node of the recordings; nil where
  /// one is.
  func strangeness(beacons: Set<String>, receivers: Set<String>) -> String? {
    guard !anchors.isEmpty,
      anchors.allSatisfy({ !($0.role == .beacon ? beacons : receivers).contains($0.node) })
    else { return nil }
    return
      "warning: none of the \(anchors.count) anchors of the site was heard; heard: "
      + listed((beacons.sorted() + receivers.sorted()))
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
