package import Geometry

/// The nodes with ground truth in a trace, and the links that connect them with an anchor.
package struct MovingNodes {
  /// One moving node in one trace.
  package struct Target {
    package var trace: UInt16
    package var role: NodeRole
    package var node: UInt32
    package var path: TruthPath
  }

  /// A link between a moving node and an anchor.
  package struct Pair {
    /// The index in `targets`.
    package var target: Int
    /// The index among the nodes of the anchor's role.
    package var anchorIndex: Int
  }

  package let targets: [Target]
  private var numbers: [UInt64: Int] = [:]
  private let catalogue: Catalogue
  private let takesAll: Bool

  /// - Parameter takesAll: A Boolean value that is true if nodes at unknown places count as anchors.
  package init(_ catalogue: Catalogue, takesAll: Bool = false) {
    (self.catalogue, self.takesAll) = (catalogue, takesAll)
    var marks: [UInt64: [TruthPath.Mark]] = [:]
    var keys: [UInt64] = []
    for point in catalogue.truth {
      let key = Self.key(point.role, point.node, point.trace)
      if marks[key] == nil { keys.append(key) }
      marks[key, default: []].append(
        TruthPath.Mark(
          time: point.time, position: Point(x: point.x, y: point.y),
          z: point.z.isNaN ? nil : point.z, floor: catalogue.floor(of: point).map(Int.init)))
    }
    targets = keys.map { (key: UInt64) -> Target in
      Target(
        trace: UInt16(truncatingIfNeeded: key), role: key >> 63 == 1 ? .beacon : .receiver,
        node: UInt32(truncatingIfNeeded: key >> 16), path: TruthPath(marks[key] ?? []))
    }
    for (index, key) in keys.enumerated() { numbers[key] = index }
  }

  /// Returns the moving node and the anchor of a row, or `nil` if there is no such pair.
  package func pair(_ rows: borrowing SightingColumns, _ row: Int) -> Pair? { pair(rows.link(row)) }

  /// Returns the moving node and the anchor of a link, or `nil` if there is no such pair.
  package func pair(_ link: Link) -> Pair? {
    if let target = numbers[Self.key(.receiver, UInt32(link.receiver), link.trace)] {
      let anchor = Int(link.beacon)
      return isAnchor(catalogue.beacons[anchor]) ? Pair(target: target, anchorIndex: anchor) : nil
    }
    if let target = numbers[Self.key(.beacon, link.beacon, link.trace)] {
      let anchor = Int(link.receiver)
      return isAnchor(catalogue.receivers[anchor])
        ? Pair(target: target, anchorIndex: anchor) : nil
    }
    return nil
  }

  private func isAnchor(_ node: Node) -> Bool { takesAll || node.isAnchor }

  /// Returns the anchor of a pair.
  package func anchor(of pair: Pair) -> Node {
    targets[pair.target].role == .receiver
      ? catalogue.beacons[pair.anchorIndex] : catalogue.receivers[pair.anchorIndex]
  }

  /// Returns the place of a moving node, with its height if that is known, and a flag that it stood
  /// there.
  package func place(of target: Int, at time: Int64) -> (
    position: Point, z: Double?, isStanding: Bool
  )? {
    let path = targets[target].path
    return path.position(at: time).map { ($0, path.height(at: time), path.isStanding(at: time)) }
  }

  private static func key(_ role: NodeRole, _ node: UInt32, _ trace: UInt16) -> UInt64 {
    (role == .beacon ? 1 << 63 : 0) | UInt64(node) << 16 | UInt64(trace)
  }
}
