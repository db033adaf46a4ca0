package import Evaluation
import Geometry
package import Registries
package import Sightings
import Sites
import Support

extension SitePlan {
  /// What a floor plan shows.
  ///
  /// - Parameters:
  ///   - names: what people call the anchors.
  ///   - showsFloor: whether the picture of the floor is read and shown.
  /// - Throws: `RSSIError` for a picture that cannot be used.
  package func reported(
    anchors: [Node], _ names: BeaconNames, showsFloor: Bool
  ) throws -> ReportedSite {
    ReportedSite(
      anchors: anchors.map {
        .init(
          name: names[$0.id] ?? ($0.name.isEmpty ? $0.id : $0.name),
          place: Point(x: $0.x, y: $0.y),
          height: $0.z.isFinite ? $0.z : nil)
      },
      walls: site?.walls.map { .init(kind: $0.kind, points: $0.points) } ?? [], rooms: rooms,
      spots: site?.spots.map { .init(name: $0.name, place: $0.place) } ?? [], bounds: bounds,
      floor: try showsFloor ? site?.floors.first.map { try .init($0) } : nil)
  }
}

extension LocateRequest {
  /// The nodes at known places of a stream's site.
  ///
  /// - Parameter known: the nodes of a recording that is replayed, whose places count.
  /// - Throws: `RSSIError` for files that cannot be used.
  package func anchors(knowing known: Catalogue) throws -> KnownAnchors {
    try KnownAnchors(known, nodes: nodes, site: site.map { try Site(path: $0) })
  }

  /// What a floor plan of a stream's site shows, its picture included.
  ///
  /// - Parameter known: the nodes of a recording that is replayed, whose places count.
  /// - Returns: nil where no place is known.
  /// - Throws: `RSSIError` for files that cannot be used.
  package func reportedSite(knowing known: Catalogue, _ names: BeaconNames) throws -> ReportedSite?
  {
    let plan = try SitePlan(path: site, bounds: bounds, dimensions: dimensions)
    let anchors = try anchors(knowing: known)
    guard !anchors.isEmpty || plan.site != nil else { return nil }
    return try plan.reported(anchors: anchors.all, names, showsFloor: true)
  }
}

extension ReportedSite.Floor {
  fileprivate init(_ floor: Site.Floor) throws {
    let picture = try FloorPicture(floor)
    self.init(
      name: floor.name, uri: "data:\(picture.kind.rawValue);base64,\(base64(picture.bytes))",
      width: picture.width, height: picture.height,
      x: .init(origin: picture.origin.x, u: picture.right.x, v: picture.down.x),
      y: .init(origin: picture.origin.y, u: picture.right.y, v: picture.down.y))
  }
}
