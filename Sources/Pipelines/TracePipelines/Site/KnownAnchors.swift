import Advertising
import Geometry
import Positioning
import Recordings
package import Sightings
package import Sites

/// The nodes at known places and other fixed ones, heard or not, in the order of the recording, the table and the site:
/// some trackers depend on the order of levels of one instant.
package struct KnownAnchors {
  package let beacons: [Node]
  package let receivers: [Node]
  /// The floors to which the anchors refer, those of the recording first.
  package let floors: [Floor]
  private let writtenBeacons: WrittenBeacons
  private let receiverNumbers: [String: Int]

  /// - Parameters:
  ///   - catalogue: the tables of a recording, whose places have precedence over all others.
  ///   - nodes: a table of nodes (CSV), which has precedence over the site.
  ///   - unplaced: the nodes at unknown places that a map of a building or trained rooms have, by
  ///     role. They come last.
  package init(
    _ catalogue: Catalogue, nodes: String? = nil, site: Site? = nil,
    unplaced: [NodeRole: [Node]] = [:]
  ) throws {
    var united = catalogue
    let numbers = try site?.uniteFloors(with: &united) ?? [:]
    var table = try nodes.map(Self.table) ?? Catalogue()
    let tableNumbers = table.floors.map { united.number(ofFloor: $0.name) }
    func renumber(_ node: inout Node) { node.floor = node.floor.map { tableNumbers[Int($0)] } }
    for index in table.beacons.indices { renumber(&table.beacons[index]) }
    for index in table.receivers.indices { renumber(&table.receivers[index]) }
    floors = united.floors
    func ofSite(_ role: Site.Anchor.Role) -> [Node] {
      (site?.anchors ?? []).filter { $0.role == role }.map { anchor in
        Node(anchor, floor: anchor.floor.flatMap { numbers[$0] })
      }
    }
    let written = table.beacons + ofSite(.beacon)
    let all = catalogue.beacons + (try Self.heard(written.filter(\.isAnchor), in: catalogue))
    func known(_ nodes: [Node], _ role: NodeRole, _ key: (Node) -> String) -> [Node] {
      var seen: Set<String> = []
      return (nodes.filter(\.isAnchor) + (unplaced[role] ?? []))
        .filter { seen.insert(key($0)).inserted }
    }
    // A beacon has one place, in whatever spelling of its identity.
    beacons = known(all, .beacon) { BeaconPattern($0.id)?.identity?.description ?? $0.id }
    receivers = known(
      catalogue.receivers + table.receivers + ofSite(.receiver), .receiver, \.id)
    writtenBeacons = WrittenBeacons(beacons.map(\.id))
    receiverNumbers = Dictionary(
      uniqueKeysWithValues: receivers.enumerated().map { ($1.id, $0) })
  }

  /// Returns the floor of an anchor, or `nil` if it is not known.
  package func floor(of anchor: Node) -> Floor? { anchor.floor.map { floors[Int($0)] } }

  /// Returns nodes with the names of their beacons in a recording; those that were not heard keep
  /// theirs. Nodes named by an identity have precedence over those named by an address.
  private static func heard(_ nodes: [Node], in catalogue: Catalogue) throws -> [Node] {
    guard !nodes.isEmpty, !catalogue.beacons.isEmpty else { return nodes }
    let heard = HeardBeacons(catalogue)
    var (own, sent): ([Node], [Node]) = ([], [])
    for node in nodes {
      let numbers = try heard.numbers(node.id)
      if numbers.isEmpty { own.append(node) }
      for number in numbers {
        var one = node
        one.id = catalogue.beacons[number].id
        if addresses(among: [node.id]).isEmpty { own.append(one) } else { sent.append(one) }
      }
    }
    return own + sent
  }

  /// The anchors with the same numbers, to which those of files are added.
  var numbered: SiteAnchors { SiteAnchors(beacons: beacons, receivers: receivers) }

  package var isEmpty: Bool { beacons.isEmpty && receivers.isEmpty }
  package var all: [Node] { beacons + receivers }

  /// Returns the number of an anchor.
  ///
  /// - Parameter senders: the addresses that sent the beacon, if recordings have only come since.
  package func number(of id: String, _ role: NodeRole, sentFrom senders: [UInt64] = []) -> Int? {
    role == .beacon ? writtenBeacons.number(of: id, sentFrom: senders) : receiverNumbers[id]
  }

  /// A Boolean value that is true if an anchor is named by an address, so that senders are needed.
  package var hasAddresses: Bool { writtenBeacons.hasAddresses }

  private static func table(_ path: String) throws -> Catalogue {
    var builder = TraceBuilder(into: NoSink())
    try NodeCSV.read(path, into: &builder)
    return builder.catalogue
  }

  /// A sink for tables without sightings.
  private struct NoSink: SightingSink {
    func append(_ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue) {}
  }
}

extension Node {
  fileprivate init(_ anchor: Site.Anchor, floor: UInt16?) {
    self.init(id: anchor.node, kind: "")
    self.floor = floor
    (x, y, z) = (anchor.place.x, anchor.place.y, anchor.height ?? .nan)
  }
}
