package import Geometry
package import Support

extension Node {
  /// The accepted coordinates, in metres: those of any map projection.
  package static let coordinates = -1e8...1e8

  /// The place in the plane; `nil` if it is unknown.
  package var place: Point? { isAnchor ? Point(x: x, y: y) : nil }
}

extension DistanceStay {
  /// The accepted distances, in metres.
  package static let distances = 0...1e8
}

extension Catalogue {
  /// Throws if places or distances are not finite, larger than any site, or not in metres, or if a
  /// node is on two floors at once.
  ///
  /// An unknown coordinate is NaN if the table allows it: for a node, and the height of the truth.
  ///
  /// - Returns: Sentences for users about unusual places.
  /// - Throws: The first error.
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
    try requireUsableFloors()
    let doubts = [
      PlaceScale.doubt(anchors: (beacons + receivers).compactMap(\.place), tracks: tracks),
      PlaceScale.doubt(distances: stays.map(\.distance)),
    ].compactMap(\.self)
    if let doubt = doubts.first(where: \.isCertain) {
      throw RSSIError(.badInput, doubt.problem, advice: doubt.advice)
    }
    return doubts.map(\.words)
  }

  /// Returns sentences for users about true positions of a node in a trace that are out of order, or
  /// that no walker reaches in time.
  package func implausibleMoves() -> [String] {
    let shown = 3
    var sentences: [String] = []
    let tracks = Dictionary(grouping: truth) { point in
      UInt64(point.role.rawValue) << 48 | UInt64(point.node) << 16 | UInt64(point.trace)
    }
    for track in tracks.sorted(by: { $0.key < $1.key }).map(\.value) {
      let node = (track[0].role == .beacon ? beacons : receivers)[Int(track[0].node)].id
      let name = "\(node) in trace \"\(traces[Int(track[0].trace)])\""
      let swapped = zip(track, track.dropFirst()).first { $0.time > $1.time }
      if let swapped {
        sentences.append(
          "true positions of \(name) are out of order, first at "
            + "\(Timestamp.iso8601(swapped.1.time)); they are sorted by time: check their times")
      }
      let sorted = track.sorted { $0.time < $1.time }
      let fast = zip(sorted, sorted.dropFirst()).first { a, b in
        // Places on two floors are in two planes.
        b.time > a.time && floor(of: a) == floor(of: b) && Self.speed(a, b) > Self.fastestMove
      }
      if let (start, end) = fast {
        sentences.append(
          "\(name) moves at \(Int(Self.speed(start, end))) m/s before "
            + "\(Timestamp.iso8601(end.time)), faster than \(Int(Self.fastestMove)) m/s: check the "
            + "order and the times of its true positions")
      }
    }
    guard sentences.count > shown else { return sentences }
    return sentences.prefix(shown) + ["\(sentences.count - shown) more doubts about true positions"]
  }

  /// A speed in metres per second that only vehicles exceed.
  private static let fastestMove = 15.0

  private static func speed(_ a: TruthPoint, _ b: TruthPoint) -> Double {
    Point(x: a.x, y: a.y).distance(to: Point(x: b.x, y: b.y)) / (Double(b.time - a.time) / 1e9)
  }

  /// The true positions of each node in each trace, in order.
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
  /// - Parameter row: The table and the row, counted from 0, such as `/truth/positions, row 3`.
  fileprivate static func unusable(_ value: String, _ row: String) -> RSSIError {
    RSSIError(.badInput, "\(value), which is not a length in metres that a site can have", in: row)
  }
}
