import Sightings
import Support
import TraceStore

/// Refuses traces that have one node at two places.
struct PlaceConflicts {
  func require(_ readers: [TraceReader]) throws(RSSIError) {
    for nodes in [\Catalogue.beacons, \Catalogue.receivers] {
      var known: [String: (node: Node, path: String)] = [:]
      for reader in readers {
        for node in reader.catalogue[keyPath: nodes] where node.isAnchor {
          guard let other = known[node.id] else {
            known[node.id] = (node, reader.path)
            continue
          }
          guard Self.isSamePlace(node, other.node) else {
            throw RSSIError(
              .badInput,
              "\(node.id) is at \(Self.place(other.node)) in \(other.path), and at "
                + "\(Self.place(node)) in \(reader.path)",
              advice: "import one of them again with the places of the other")
          }
        }
      }
    }
  }

  /// A height that is not known contradicts none.
  private static func isSamePlace(_ a: Node, _ b: Node) -> Bool {
    a.x == b.x && a.y == b.y && (a.z == b.z || a.z.isNaN || b.z.isNaN)
  }

  private static func place(_ node: Node) -> String {
    "(" + [node.x, node.y, node.z].filter { !$0.isNaN }.map(plain).joined(separator: ", ") + ") m"
  }
}
