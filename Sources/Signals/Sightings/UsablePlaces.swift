package import Geometry
package import Support

extension Node {
  /// The coordinates that are read, in metres: those of any map projection.
  package static let coordinates = -1e8...1e8

  /// Its place in the plane; nil where it is not known.
  package var place: Point? { isAnchor ? Point(x: x, y: y) : nil }
}

extension DistanceStay {
  /// The distances that are read, in metres.
  package static let distances = 0...1e8
}

extension Catalogue {
  /// Refuses places and distances that are not finite, longer than any site, or not in metres.
  ///
  /// A coordinate that is not known is NaN where the table allows it: of a node, and the height of
  /// the truth.
  ///
  /// - Returns: sentences for a person about places that are unusual.
  /// - Throws: the first of them.
  @discardableResult
  package func requireUsablePlaces() throws(RSSIError) -> [String] {
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
    for (row, stay) in stays.enumerated() where !DistanceStay.distances.contains(stay.distance) {
      throw .unusable("distance_m is \(stay.distance)", "/truth/distances, row \(row)")
    }
    let doubts = [
      PlaceScale.doubt(anchors: (beacons + receivers).compactMap(\.place), tracks: tracks),
      PlaceScale.doubt(distances: stays.map(\.distance)),
    ].compactMap(\.self)
    if let doubt = doubts.first(where: \.isCertain) {
      throw RSSIError(.badInput, doubt.problem, advice: doubt.advice)
    }
    return doubts.map(\.words)
  }

  /// The true positions of each node in each trace, as they follow each other.
  private var tracks: [[PlaceScale.Mark]] {
    var tracks: [UInt64: [PlaceScale.Mark]] = [:]
    for point in truth {
      let node = UInt64(point.role.rawValue) << 32 | UInt64(point.node)
      tracks[node << 16 | UInt64(point.trace), default: []]
        .append((time: point.time, place: Point(x: point.x, y: point.y)))
    }
    return tracks.values.map { track in track.sorted { $0.time < $1.time } }
  }
}

extension RSSIError {
  /// - Parameter row: the table and the row, counted from 0, such as `/truth/positions, row 3`.
  fileprivate static func unusable(_ value: String, _ row: String) -> RSSIError {
    RSSIError(.badInput, "\(value), which is not a length in metres that a site can have", in: row)
  }
}
