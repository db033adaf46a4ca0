import Geometry
import Sightings
import Sites
import Testing

@testable import TracePipelines

@Suite("Links between a moving node and an anchor")
struct MovingLinksTests {
  /// The beacons a (fixed) and m, the receivers r (fixed) and phone.
  private func catalogue() -> Catalogue {
    var catalogue = Catalogue()
    catalogue.traces = ["walk"]
    catalogue.beacons = [Node(id: "a", kind: ""), Node(id: "m", kind: "")]
    catalogue.receivers = [Node(id: "r", kind: ""), Node(id: "phone", kind: "")]
    (catalogue.beacons[0].x, catalogue.beacons[0].y) = (1, 2)
    (catalogue.receivers[0].x, catalogue.receivers[0].y) = (3, 4)
    return catalogue
  }

  private func link(_ beacon: UInt32, _ receiver: UInt16) -> Link {
    Link(beacon: beacon, receiver: receiver, trace: 0)
  }

  /// The pairs of these links.
  private func pairs(
    _ moving: inout MovingLinks, _ links: [Link], _ catalogue: Catalogue
  ) -> [MovingLinks.Pair?] {
    links.map { moving.pair($0, catalogue) }
  }

  @Test func `only one end is fixed`() throws {
    let catalogue = catalogue()
    var links = MovingLinks(try KnownAnchors(catalogue))
    let found = pairs(&links, [link(0, 1), link(1, 0), link(0, 0), link(1, 1)], catalogue)
    #expect(found.map { $0?.node.id } == ["phone", "m", nil, nil])
    #expect(found.map { $0?.node.role } == [.receiver, .beacon, nil, nil])
    #expect(found[0]?.anchor == 0 && found[0]?.node.traceName == "walk")
  }

  @Test func `only chosen nodes are asked about`() throws {
    let catalogue = catalogue()
    var links = MovingLinks(try KnownAnchors(catalogue), only: ["m"])
    let found = pairs(&links, [link(0, 1), link(1, 0)], catalogue)
    #expect(found.map { $0?.node.id } == [nil, "m"])
  }

  @Test func `chosen nodes and anchors are meant in any spelling`() throws {
    let uuid = "5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365"
    var site = Catalogue()
    site.beacons = [Node(id: "C0:00:00:00:00:01", kind: "")]
    (site.beacons[0].x, site.beacons[0].y) = (1, 2)
    var catalogue = Catalogue()
    catalogue.traces = ["walk"]
    catalogue.beacons = ["ibeacon:\(uuid):1:7", "ibeacon:\(uuid):1:8"].map {
      Node(id: $0, kind: "")
    }
    catalogue.receivers = [Node(id: "phone", kind: "")]
    var links = MovingLinks(try KnownAnchors(site))
    #expect(pairs(&links, [link(0, 0), link(1, 0)], catalogue).map { $0?.anchor } == [nil, nil])
    catalogue.senders = [BeaconSender(beacon: 1, address: 0xC000_0000_0001)]
    #expect(pairs(&links, [link(0, 0), link(1, 0)], catalogue).map { $0?.anchor } == [nil, 0])

    var fixed = self.catalogue()
    fixed.beacons = catalogue.beacons + [Node(id: "addr:C0:00:00:00:00:01", kind: "")]
    fixed.senders = catalogue.senders
    let all = [link(0, 0), link(1, 0), link(2, 0)]
    for (name, expected) in [
      ("\(uuid.lowercased()):1:7", [0]), ("1:8", [1]), ("c00000000001", [1, 2]), ("1:9", []),
      ("{\(uuid)}-1-8", [1]),
    ] {
      var chosen = MovingLinks(try KnownAnchors(fixed), only: [name])
      let found = pairs(&chosen, all, fixed)
      #expect(found.indices.filter { found[$0] != nil } == expected, "\(name)")
    }
  }

  @Test func `a node with truth moves, also from when its truth becomes known`() throws {
    var catalogue = catalogue()
    var links = MovingLinks(try KnownAnchors(catalogue))
    #expect(pairs(&links, [link(0, 0)], catalogue)[0] == nil)
    catalogue.truth.append(
      TruthPoint(time: 0, role: .beacon, node: 0, trace: 0, x: 1, y: 1, z: .nan))
    let found = pairs(&links, [link(0, 0), link(0, 1)], catalogue)
    #expect(found.map { $0?.node.id } == ["a", nil])
  }

  @Test func `the recording's places count before the site's, and each node once`() throws {
    var site = Site()
    site.anchors = [
      .init(node: "a", role: .beacon, place: .init(x: 9, y: 9)),
      .init(node: "m", role: .beacon, place: .init(x: 5, y: 6), height: 2),
    ]
    let anchors = try KnownAnchors(catalogue(), site: site)
    #expect(anchors.beacons.map(\.id) == ["a", "m"] && anchors.beacons[0].x == 1)
    #expect(anchors.beacons[1].z == 2 && anchors.number(of: "m", .beacon) == 1)
    #expect(anchors.number(of: "m", .receiver) == nil)
  }
}
