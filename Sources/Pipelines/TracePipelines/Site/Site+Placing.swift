import Advertising
import Geometry
package import Sightings
package import Sites
import TraceStore

extension Site {
  /// The tables of a file with the places of anchors that the file does not have. An anchor that is
  /// called by an address is all that was sent from it, but for what is called by itself.
  package func placing(_ catalogue: Catalogue) throws -> Catalogue {
    var placed = catalogue
    let heard = HeardBeacons(catalogue)
    let byAddress = anchors.filter { !addresses(among: [$0.node]).isEmpty && $0.role == .beacon }
    let byIdentity = anchors.filter { addresses(among: [$0.node]).isEmpty || $0.role != .beacon }
    for anchor in byIdentity + byAddress {
      let nodes = anchor.role == .beacon ? \Catalogue.beacons : \Catalogue.receivers
      let indices =
        anchor.role == .beacon
        ? try heard.numbers(anchor.node)
        : catalogue.receivers.indices.filter { catalogue.receivers[$0].id == anchor.node }
      for index in indices where !placed[keyPath: nodes][index].isAnchor {
        placed[keyPath: nodes][index].x = anchor.place.x
        placed[keyPath: nodes][index].y = anchor.place.y
        placed[keyPath: nodes][index].z = anchor.height ?? .nan
      }
    }
    return placed
  }

  /// The tables of a trace with what was sent from addresses of the site's anchors.
  func heard(in reader: TraceReader) throws -> Catalogue {
    try reader.catalogue(withSendersAmong: addresses(among: anchors.map(\.node)))
  }
}
