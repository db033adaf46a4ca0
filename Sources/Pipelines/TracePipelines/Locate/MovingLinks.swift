import Advertising
public import Sightings

/// A node that moves in one trace: a receiver among fixed beacons, or a beacon among fixed
/// receivers.
public struct MovingNode: Hashable, Sendable {
  /// The row of the trace in the catalogue.
  public var trace: UInt16
  /// The role of the node: a receiver or a beacon.
  public var role: NodeRole
  /// The row of the node among the nodes of its role.
  public var index: UInt32
  /// The name of the trace.
  public var traceName: String
  /// The identity of the node.
  public var id: String

  /// Creates a node from its rows in the catalogue and its names.
  public init(trace: UInt16, role: NodeRole, index: UInt32, traceName: String, id: String) {
    self.trace = trace
    self.role = role
    self.index = index
    self.traceName = traceName
    self.id = id
  }
}

extension MovingNode {
  /// The same node under its new number; `nil` if it is forgotten.
  func renumbered(_ renumbering: Renumbering) -> MovingNode? {
    guard role == .beacon else { return self }
    return renumbering.beacon(index).map {
      MovingNode(trace: trace, role: role, index: $0, traceName: traceName, id: id)
    }
  }
}

extension MovingNode: Comparable {
  /// Returns true if the first node comes before the second in the order of their names.
  public static func < (a: MovingNode, b: MovingNode) -> Bool {
    (a.traceName, a.id, a.role.rawValue) < (b.traceName, b.id, b.role.rawValue)
  }
}

/// The links between a moving node and an anchor.
///
/// A node moves if its place is not known, or if the recording has its truth.
package struct MovingLinks {
  /// The moving node and the number of the anchor of a link.
  package struct Pair {
    package var node: MovingNode
    package var anchor: Int
  }

  private struct TrackedNode: Hashable {
    var trace: UInt16
    var role: NodeRole
    var node: UInt32
  }

  private let anchors: KnownAnchors
  /// The nodes to locate.
  private var chosen: ChosenNodes
  /// The nodes with truth.
  private var tracked: Set<TrackedNode> = []
  private var truthRows = 0
  /// The number of rows of senders, if names are addresses.
  private var senderRows = 0
  /// The links so far; nil for those that are not between a moving node and an anchor.
  private var pairs: [Link: Pair?] = [:]

  package init(_ anchors: KnownAnchors, only chosen: [String] = []) {
    self.anchors = anchors
    self.chosen = ChosenNodes(chosen)
  }

  /// Returns the pair of a link; nil if it is not between a moving node and an anchor.
  package mutating func pair(_ link: Link, _ catalogue: Catalogue) -> Pair? {
    if truthRows < catalogue.truth.count { learnTruth(catalogue) }
    if senderRows < catalogue.senders.count { learnSenders(catalogue) }
    if let known = pairs[link] { return known }
    let pair = newPair(link, catalogue)
    pairs[link] = .some(pair)
    return pair
  }

  /// Takes the new numbers of beacons.
  mutating func renumber(_ renumbering: Renumbering, in catalogue: Catalogue) {
    (truthRows, senderRows) = (catalogue.truth.count, catalogue.senders.count)
    tracked = Set(
      tracked.compactMap { node in
        guard node.role == .beacon else { return node }
        return renumbering.beacon(node.node).map {
          TrackedNode(trace: node.trace, role: node.role, node: $0)
        }
      })
    pairs = renumbering.links(pairs).mapValues { pair in
      pair.flatMap { pair in
        pair.node.renumbered(renumbering).map { Pair(node: $0, anchor: pair.anchor) }
      }
    }
  }

  private mutating func newPair(_ link: Link, _ catalogue: Catalogue) -> Pair? {
    let beacon = catalogue.beacons[Int(link.beacon)].id
    let receiver = catalogue.receivers[Int(link.receiver)].id
    let senders = needsSenders ? catalogue.addresses(ofBeacon: link.beacon) : []
    let isFixed = (
      beacon: isTracked(.beacon, link.beacon, link.trace)
        ? nil : anchors.number(of: beacon, .beacon, sentFrom: senders),
      receiver: isTracked(.receiver, UInt32(link.receiver), link.trace)
        ? nil : anchors.number(of: receiver, .receiver)
    )
    let (role, index, id, anchor): (NodeRole, UInt32, String, Int)
    switch isFixed {
    case (let number?, nil):
      (role, index, id, anchor) = (.receiver, UInt32(link.receiver), receiver, number)
    case (nil, let number?): (role, index, id, anchor) = (.beacon, link.beacon, beacon, number)
    default: return nil
    }
    guard chosen.takes(id, of: role, sentFrom: senders) else { return nil }
    return Pair(
      node: MovingNode(
        trace: link.trace, role: role, index: index,
        traceName: catalogue.traces[Int(link.trace)], id: id),
      anchor: anchor)
  }

  private var needsSenders: Bool { anchors.hasAddresses || chosen.hasAddresses }

  /// Checks links again whose beacons may have been sent from a named address in the meantime.
  private mutating func learnSenders(_ catalogue: Catalogue) {
    senderRows = catalogue.senders.count
    if needsSenders { pairs = pairs.filter { $0.value != nil } }
  }

  private func isTracked(_ role: NodeRole, _ node: UInt32, _ trace: UInt16) -> Bool {
    tracked.contains(TrackedNode(trace: trace, role: role, node: node))
  }

  private mutating func learnTruth(_ catalogue: Catalogue) {
    for point in catalogue.truth[truthRows...] {
      tracked.insert(TrackedNode(trace: point.trace, role: point.role, node: point.node))
    }
    truthRows = catalogue.truth.count
    pairs = [:]
  }
}

/// The nodes that a user selects, by name, by identity in any spelling, or by an address; no name
/// selects all.
struct ChosenNodes {
  private let written: WrittenBeacons
  private let names: Set<String>
  /// The shortened identities, and the first beacon that matched each.
  private var shortened: [(short: ShortIdentity, meant: String?)]

  init(_ names: [String]) {
    self.names = Set(names)
    written = WrittenBeacons(names)
    shortened = names.compactMap { name in
      if case .shortened(let short) = BeaconPattern(name) { (short, nil) } else { nil }
    }
  }

  var hasAddresses: Bool { written.hasAddresses }

  mutating func takes(_ id: String, of role: NodeRole, sentFrom senders: [UInt64]) -> Bool {
    if names.isEmpty || names.contains(id) { return true }
    guard role == .beacon else { return false }
    if written.number(of: id, sentFrom: senders) != nil { return true }
    guard !shortened.isEmpty, let identity = BeaconPattern(id)?.identity else { return false }
    for index in shortened.indices where shortened[index].short.matches(identity) {
      if shortened[index].meant == nil { shortened[index].meant = id }
      if shortened[index].meant == id { return true }
    }
    return false
  }
}
