import Geometry
import Positioning
import Sightings

/// The nodes of one role at known places, numbered from 0 over all files of an evaluation.
struct AnchorTable {
  /// A node of one name at another place is another anchor: files may be of several sites.
  private struct Key: Hashable {
    var id: String
    var x, y, z: Double
  }

  private(set) var nodes: [Node] = []
  private var numbers: [Key: Int] = [:]

  /// The number of each node of a file; nil for nodes at unknown places.
  mutating func numbers(of fileNodes: [Node]) -> [Int?] {
    fileNodes.map { node -> Int? in
      guard node.isAnchor else { return nil }
      let key = Key(id: node.id, x: node.x, y: node.y, z: node.z.isFinite ? node.z : .infinity)
      if let known = numbers[key] { return known }
      numbers[key] = nodes.count
      nodes.append(node)
      return nodes.count - 1
    }
  }
}
