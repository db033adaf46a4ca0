import Sightings

/// Which links are between a node that moves and an anchor.
///
/// A node moves where its place is not known, or where the recording has the truth of it.
struct MovingLinks {
  private struct Key: Hashable {
    var trace: UInt16
    var role: NodeRole
    var node: UInt32
  }

  private let anchors: KnownAnchors
  /// Names of the nodes to ask about; empty = all.
  private let chosen: Set<String>
  /// Nodes with truth.
  private var tracked: Set<Key> = []
  private var truthRows = 0
  /// By row of the tables, the number of the anchor that a node is.
  private var beaconNumbers: [Int?] = []
  private var receiverNumbers: [Int?] = []

  init(_ anchors: KnownAnchors, only chosen: Set<String>) {
    self.anchors = anchors
    self.chosen = chosen
  }

  /// The moving node and the anchor's number of a sighting; nil where it is of no such link.
  mutating func pair(
    _ rows: borrowing SightingColumns, _ row: Int, _ catalogue: Catalogue
  ) -> (node: MovingNode, anchor: Int)? {
    learn(catalogue)
    let (beacon, receiver, trace) = (rows.beacon[row], UInt32(rows.receiver[row]), rows.trace[row])
    let fixedBeacon = isTracked(.beacon, beacon, trace) ? nil : beaconNumbers[Int(beacon)]
    let fixedReceiver = isTracked(.receiver, receiver, trace) ? nil : receiverNumbers[Int(receiver)]
    let role: NodeRole
    let anchor: Int
    switch (fixedBeacon, fixedReceiver) {
    case (let number?, nil): (role, anchor) = (.receiver, number)
    case (nil, let number?): (role, anchor) = (.beacon, number)
    default: return nil
    }
    let index = role == .receiver ? receiver : beacon
    let id =
      role == .receiver ? catalogue.receivers[Int(index)].id : catalogue.beacons[Int(index)].id
    guard chosen.isEmpty || chosen.contains(id) else { return nil }
    let node = MovingNode(
      trace: trace, role: role, index: index, traceName: catalogue.traces[Int(trace)], id: id)
    return (node, anchor)
  }

  private func isTracked(_ role: NodeRole, _ node: UInt32, _ trace: UInt16) -> Bool {
    !tracked.isEmpty && tracked.contains(Key(trace: trace, role: role, node: node))
  }

  private mutating func learn(_ catalogue: Catalogue) {
    for node in catalogue.beacons.dropFirst(beaconNumbers.count) {
      beaconNumbers.append(anchors.number(of: node.id, .beacon))
    }
    for node in catalogue.receivers.dropFirst(receiverNumbers.count) {
      receiverNumbers.append(anchors.number(of: node.id, .receiver))
    }
    while truthRows < catalogue.truth.count {
      let point = catalogue.truth[truthRows]
      tracked.insert(Key(trace: point.trace, role: point.role, node: point.node))
      truthRows += 1
    }
  }
}
