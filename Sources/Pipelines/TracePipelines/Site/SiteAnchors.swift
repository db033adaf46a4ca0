import Advertising
import Geometry
package import Sightings
package import Sites
import Support
import TraceStore

/// The nodes at known places, numbered by role from 0 over all files of a run; in a building, also
/// those at unknown places.
package struct SiteAnchors {
  private var beacons = Numbering()
  private var receivers = Numbering()

  /// Numbers these nodes before those of any file.
  package init(beacons: [Node] = [], receivers: [Node] = []) {
    for node in beacons { _ = self.beacons.number(of: node, isTaken: true) }
    for node in receivers { _ = self.receivers.number(of: node, isTaken: true) }
  }

  /// Returns the anchors by which targets of a role are located.
  package func locating(_ role: NodeRole) -> [Node] {
    role == .receiver ? beacons.nodes : receivers.nodes
  }

  package var all: [Node] { beacons.nodes + receivers.nodes }

  /// Returns the numbers of a file's beacons and receivers; nil for nodes at unknown places, unless
  /// all are taken.
  package mutating func numbers(
    of catalogue: Catalogue, takesAll: Bool = false
  ) -> (beacons: [Int?], receivers: [Int?]) {
    (
      catalogue.beacons.map { beacons.number(of: $0, isTaken: takesAll) },
      catalogue.receivers.map { receivers.number(of: $0, isTaken: takesAll) }
    )
  }

  /// The nodes of one role.
  private struct Numbering {
    /// A node of one name at another place is another anchor: files may be of several sites.
    private struct Key: Hashable {
      var id: String
      var x, y, z: Double
      var floor: UInt16?

      init(_ node: Node) {
        func known(_ value: Double) -> Double { value.isFinite ? value : .infinity }
        (id, floor) = (node.id, node.isAnchor ? node.floor : nil)
        (x, y, z) = (known(node.x), known(node.y), known(node.z))
      }
    }

    private(set) var nodes: [Node] = []
    private var numbers: [Key: Int] = [:]

    mutating func number(of node: Node, isTaken: Bool = false) -> Int? {
      guard node.isAnchor || isTaken else { return nil }
      let key = Key(node)
      if let known = numbers[key] { return known }
      numbers[key] = nodes.count
      nodes.append(node)
      return nodes.count - 1
    }
  }
}

extension Site {
  /// Returns the tables of a file with the places of anchors that the file does not have. An anchor
  /// that is named by an address stands for everything that was sent from it, except beacons that
  /// are named themselves.
  ///
  /// - Throws: `RSSIError` for floors of the file that the site contradicts or does not have.
  package func placing(_ catalogue: Catalogue) throws -> Catalogue {
    var placed = catalogue
    let numbers = try uniteFloors(with: &placed)
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
        if let floor = anchor.floor { placed[keyPath: nodes][index].floor = numbers[floor] }
      }
    }
    return placed
  }

  /// Adds the floors of the site to those of a file, and returns their numbers there by name.
  ///
  /// - Throws: `RSSIError` for floors of the file that the site contradicts or does not have.
  func uniteFloors(with catalogue: inout Catalogue) throws -> [String: UInt16] {
    if floors.count > 1,
      let strange = catalogue.floors.first(where: { floor in
        !floors.contains { $0.name == floor.name }
      })
    {
      throw RSSIError(
        .badInput,
        "the site has no floor \"\(strange.name)\", which the trace has; its floors are "
          + listed(floors.map(\.name)),
        advice: "use the same names in both")
    }
    var numbers: [String: UInt16] = [:]
    for floor in floors {
      let its = Sightings.Floor(floor)
      let number = catalogue.number(ofFloor: floor.name)
      numbers[floor.name] = number
      // A level that a trace took from the name yields to that of the site.
      if catalogue.floors[Int(number)].level == Sightings.Floor.level(ofName: floor.name) {
        catalogue.floors[Int(number)].level = its.level
      }
      if let (property, own, other) = catalogue.floors[Int(number)].contradiction(to: its) {
        throw RSSIError(
          .badInput,
          "the \(property) of floor \"\(floor.name)\" is \(own) in the trace, and \(other) in the site",
          advice: "correct the one that is wrong")
      }
      catalogue.floors[Int(number)].complete(with: its)
    }
    return numbers
  }

  /// Returns the tables of a trace with the identities sent from addresses of the site's anchors.
  func heard(in reader: TraceReader) throws -> Catalogue {
    try reader.catalogue(withSendersAmong: addresses(among: anchors.map(\.node)))
  }
}

extension Sightings.Floor {
  /// Creates the floor of a site, as traces have it.
  fileprivate init(_ floor: Site.Floor) {
    self.init(name: floor.name)
    level = floor.level ?? level
    height = floor.height ?? .nan
    (shiftX, shiftY) = (floor.shift?.x ?? .nan, floor.shift?.y ?? .nan)
  }
}

extension Catalogue {
  /// Returns the number of a floor, which is added if it is new.
  mutating func number(ofFloor name: String) -> UInt16 {
    if let known = floors.firstIndex(where: { $0.name == name }) { return UInt16(known) }
    floors.append(Sightings.Floor(name: name))
    return UInt16(floors.count - 1)
  }
}
