import Geometry
package import Sightings
package import Sites

extension Site {
  /// The tables of a file with the places of anchors that the file does not have.
  package func placing(_ catalogue: Catalogue) -> Catalogue {
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
