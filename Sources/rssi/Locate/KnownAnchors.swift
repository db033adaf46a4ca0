import Geometry
import Positioning
import Recordings
import Sightings
import Sites

/// The nodes at known places, heard or not, in the order in which the recording, the table and the
/// site list them: some trackers heed the order of levels of one instant.
struct KnownAnchors {
  let beacons: [Node]
  let receivers: [Node]
  private let beaconNumbers: [String: Int]
  private let receiverNumbers: [String: Int]

  /// - Parameters:
  ///   - catalogue: of a recording, whose places count before all others.
  ///   - nodes: a table of nodes; it counts before the site.
  init(_ catalogue: Catalogue, nodes: String?, site: Site?) throws {
    var table = Catalogue()
    if let nodes {
      var intake = Intake(into: NoSink())
      try NodeCSV.read(nodes, into: &intake)
      table = intake.catalogue
    }
    func all(_ role: NodeRole) -> [Node] {
      let list = role == .beacon ? \Catalogue.beacons : \Catalogue.receivers
      let drawn = (site?.anchors ?? []).filter { ($0.role == .beacon) == (role == .beacon) }.map {
        (anchor: Site.Anchor) -> Node in
        var node = Node(id: anchor.node, kind: "")
        (node.x, node.y, node.z) = (anchor.place.x, anchor.place.y, anchor.height ?? .nan)
        return node
      }
      let known = catalogue[keyPath: list] + table[keyPath: list] + drawn
      var seen: Set<String> = []
      return known.filter { $0.isAnchor && seen.insert($0.id).inserted }
    }
    (beacons, receivers) = (all(.beacon), all(.receiver))
    func numbers(_ nodes: [Node]) -> [String: Int] {
      Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.id, $0) })
    }
    (beaconNumbers, receiverNumbers) = (numbers(beacons), numbers(receivers))
  }

  var isEmpty: Bool { beacons.isEmpty && receivers.isEmpty }

  func number(of id: String, _ role: NodeRole) -> Int? {
    role == .beacon ? beaconNumbers[id] : receiverNumbers[id]
  }

  /// A sink for tables, in which no sighting is.
  private struct NoSink: SightingSink {
    func append(_ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue) {}
  }
}
