import Geometry
import Positioning
import Registries
import Sightings
import Support
import TracePipelines

/// Located positions as GeoJSON (RFC 7946): one path per node and one point per epoch.
struct PositionsGeoJSON {
  let reference: EarthReference
  let names: BeaconNames

  /// The text with one feature per line; the same positions give the same bytes.
  func text(_ files: [[LocatedPosition]]) -> String {
    let features = files.flatMap { file in
      paths(of: file).map(path) + file.filter { $0.estimate != nil }.map(point)
    }
    return "{\"type\":\"FeatureCollection\",\"features\":[\n"
      + features.joined(separator: ",\n") + "\n]}\n"
  }

  /// The positions of each node, in the order in which nodes appear.
  private func paths(of positions: [LocatedPosition]) -> [[LocatedPosition]] {
    EmbeddedPositions([positions], names, most: max(positions.count, 1)).traces.flatMap(\.nodes)
      .map { $0.positions.filter { $0.estimate != nil } }
      // A line has two places or more.
      .filter { $0.count > 1 }
  }

  private func path(_ positions: [LocatedPosition]) -> String {
    feature("LineString") { json in
      json.array { list in for position in positions { add(position, to: &list) } }
    } properties: { json in
      json.member("kind", "path")
      addNames(positions[0], to: &json)
      json.member("start", Timestamp.iso8601(positions[0].time))
      json.member("end", Timestamp.iso8601(positions[positions.count - 1].time))
    }
  }

  private func point(_ position: LocatedPosition) -> String {
    feature("Point") { json in
      add(position, to: &json)
    } properties: { json in
      json.member("kind", "position")
      addNames(position, to: &json)
      json.member("time", Timestamp.iso8601(position.time))
      let ellipse = position.ellipse
      json.member("semi_major_95_m", written: ellipse.map { decimal($0.semiMajor, 3) })
      json.member("semi_minor_95_m", written: ellipse.map { decimal($0.semiMinor, 3) })
      json.member(
        "bearing_deg", written: ellipse.map { decimal(reference.bearing(ofAngle: $0.angle), 1) })
      json.member("anchors", position.anchors)
      json.member("room", position.room)
      json.member("spot", position.spot)
    }
  }

  private func feature(
    _ type: String, _ coordinates: (inout JSONWriter) -> Void,
    properties: (inout JSONWriter) -> Void
  ) -> String {
    var json = JSONWriter(escapes: .short)
    json.object { json in
      json.member("type", "Feature")
      json.key("geometry")
      json.object { json in
        json.member("type", type)
        json.key("coordinates")
        coordinates(&json)
      }
      json.key("properties")
      json.object(properties)
    }
    return json.text
  }

  private func addNames(_ position: LocatedPosition, to json: inout JSONWriter) {
    json.member("trace", position.node.traceName)
    json.member("node", position.node.id)
    if let name = names[position.node.id] { json.member("name", name) }
  }

  /// Longitude and latitude with 8 decimals, a millimetre; the height, if known, is not one above
  /// the ellipsoid and is left out.
  private func add(_ position: LocatedPosition, to json: inout JSONWriter) {
    guard let place = position.estimate?.position else { return }
    let (latitude, longitude) = reference.coordinates(of: place)
    json.array { list in
      list.number(written: decimal(longitude, 8))
      list.number(written: decimal(latitude, 8))
    }
  }
}
