package import Support

extension Node {
  /// The coordinates that are read, in metres: those of any map projection.
  package static let coordinates = -1e8...1e8
}

extension Dwell {
  /// The distances that are read, in metres.
  package static let distances = 0...1e8
}

extension Catalogue {
  /// Refuses places and distances that are not finite, or longer than any site.
  ///
  /// A coordinate that is not known is NaN where the table allows it: of a node, and the height of
  /// the truth.
  ///
  /// - Throws: the first of them.
  package func requireUsablePlaces() throws(RSSIError) {
    for (table, nodes) in [("/beacons", beacons), ("/receivers", receivers)] {
      for (row, node) in nodes.enumerated() {
        for (column, value) in [("x_m", node.x), ("y_m", node.y), ("z_m", node.z)]
        where !value.isNaN && !Node.coordinates.contains(value) {
          throw .unusable("\(column) is \(value)", "\(table), row \(row) (\(node.id))")
        }
      }
    }
    for (row, point) in truth.enumerated() {
      for (column, value) in [("x_m", point.x), ("y_m", point.y), ("z_m", point.z)]
      where !(column == "z_m" && value.isNaN) && !Node.coordinates.contains(value) {
        throw .unusable("\(column) is \(value)", "/truth/positions, row \(row)")
      }
    }
    for (row, dwell) in dwells.enumerated() where !Dwell.distances.contains(dwell.distance) {
      throw .unusable("distance_m is \(dwell.distance)", "/truth/distances, row \(row)")
    }
  }
}

extension RSSIError {
  /// - Parameter row: the table and the row, counted from 0, such as `/truth/positions, row 3`.
  fileprivate static func unusable(_ value: String, _ row: String) -> RSSIError {
    RSSIError(.badInput, "\(value), which is not a length in metres that a site can have", in: row)
  }
}
