import Geometry
import Positioning
import Recordings
package import Sightings
package import Sites

/// The nodes at known places, heard or not, in the order in which the recording, the table and the
/// site list them: some trackers depend on the order of levels of one instant.
package struct KnownAnchors {
  package let beacons: [Node]
  package let receivers: [Node]
  private let beaconNumbers: [String: Int]
  private let receiverNumbers: [String: Int]

  /// - Parameters:
  ///   - catalogue: of a recording, whose places count before all others.
  ///   - nodes: a table of nodes (CSV); it counts before the site.
  package init(_ catalogue: Catalogue, nodes: String? = nil, site: Site? = nil) throws {
    let table = try nodes.map(Self.table) ?? Catalogue()
    func all(_ role: NodeRole, _ list: KeyPath<Catalogue, [Node]>) -> [Node] {
      let drawn = (site?.anchors ?? []).filter { ($0.role == .beacon) == (role == .beacon) }
      var seen: Set<String> = []
      return (catalogue[keyPath: list] + table[keyPath: list] + drawn.map(Node.init))
        .filter { $0.isAnchor && seen.insert($0.id).inserted }
    }
    func numbers(_ nodes: [Node]) -> [String: Int] {
      Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.id, $0) })
    }
    (beacons, receivers) = (all(.beacon, \.beacons), all(.receiver, \.receivers))
    (beaconNumbers, receiverNumbers) = (numbers(beacons), numbers(receivers))
  }

  package var isEmpty: Bool { beacons.isEmpty && receivers.isEmpty }
  package var all: [Node] { beacons + receivers }

  package func number(of id: String, _ role: NodeRole) -> Int? {
    role == .beacon ? beaconNumbers[id] : receiverNumbers[id]
  }

  private static func table(_ path: String) throws -> Catalogue {
    var intake = Intake(into: NoSink())
    try NodeCSV.read(path, into: &intake)
    return intake.catalogue
  }

  /// A sink for tables, in which no sighting is.
  private struct NoSink: SightingSink {
    func append(_ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue) {}
  }
}

extension Node {
  fileprivate init(_ anchor: Site.Anchor) {
    self.init(id: anchor.node, kind: "")
    (x, y, z) = (anchor.place.x, anchor.place.y, anchor.height ?? .nan)
  }
}
