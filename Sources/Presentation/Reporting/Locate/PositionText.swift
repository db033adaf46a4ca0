import Geometry
import Positioning
package import Registries
import Sightings
import Sites
package import Support
package import TracePipelines

extension LocatedPosition {
  /// The numbers of a position in the order of the columns, with their decimals.
  private var numbers: [(name: String, value: Double?, places: Int)] {
    let covariance = estimate?.uncertainty.covariance
    let vertical = covariance?.vertical
    let other = estimate?.alternative
    return [
      ("x_m", estimate?.position.x, 4), ("y_m", estimate?.position.y, 4),
      ("z_m", estimate?.height, 4),
      ("var_x_m2", covariance?.xx, 6), ("cov_xy_m2", covariance?.xy, 6),
      ("var_y_m2", covariance?.yy, 6),
      ("cov_xz_m2", vertical?.xz, 6), ("cov_yz_m2", vertical?.yz, 6), ("var_z_m2", vertical?.zz, 6),
      ("semi_major_95_m", ellipse?.semiMajor, 4), ("semi_minor_95_m", ellipse?.semiMinor, 4),
      ("angle_deg", ellipse.map { $0.angle * 180 / .pi }, 2), ("alternative_x_m", other?.x, 4),
      ("alternative_y_m", other?.y, 4), ("alternative_z_m", other?.z, 4),
    ]
  }

  /// The first line of a table.
  package static let header =
    "time_s,trace,node,x_m,y_m,z_m,var_x_m2,cov_xy_m2,var_y_m2,cov_xz_m2,cov_yz_m2,var_z_m2,"
    + "semi_major_95_m,semi_minor_95_m,angle_deg,alternative_x_m,alternative_y_m,alternative_z_m,"
    + "anchors,room,spot,reason,no_covariance,name\n"

  /// A line of a table; its last column is what people call the node.
  package func csv(_ names: BeaconNames) -> String {
    let fields =
      [Timestamp.decimalSeconds(time), CSV.text(node.traceName), CSV.text(node.id)]
      + numbers.map { CSV.number($0.value, $0.places) }
      + [
        String(anchors), CSV.text(room ?? ""), CSV.text(spot ?? ""), refusal?.description ?? "",
        withoutCovariance?.description ?? "", CSV.text(names[node.id] ?? ""),
      ]
    return fields.joined(separator: ",") + "\n"
  }

  /// A line of JSON; a node that has a name in `names` has a member `name`.
  package func line(_ names: BeaconNames) -> String {
    JSONWriter.line(escapes: .short) { line in
      line.member("time_s", written: Timestamp.decimalSeconds(time))
      line.member("trace", node.traceName)
      line.member("node", node.id)
      if let name = names[node.id] { line.member("name", name) }
      for (name, value, places) in numbers { line.member(name, value, places) }
      line.member("anchors", anchors)
      line.member("room", room)
      line.member("spot", spot)
      line.member("reason", refusal?.description)
      line.member("no_covariance", withoutCovariance?.description)
    }
  }

  /// The same in a document.
  package func json(_ names: BeaconNames) -> JSONValue {
    var json: JSONValue = [
      "time_s": Double(time) / 1e9, "trace": node.traceName, "node": node.id,
      "anchors": anchors, "room": room, "spot": spot, "reason": refusal?.description,
      "no_covariance": withoutCovariance?.description,
    ]
    for (name, value, places) in numbers { json[name] = Double(CSV.number(value, places)) }
    return json.adding(names.member(node.id).json)
  }
}

extension SpotEvent {
  private var distance: Double? { position.map { $0.distance(to: spot.place) } }

  /// A line of JSON.
  package func line(_ names: BeaconNames) -> String {
    JSONWriter.line(escapes: .short) { line in
      line.member("time_s", written: Timestamp.decimalSeconds(time))
      line.member("event", kind.rawValue)
      line.member("spot", spot.name)
      line.member("note", spot.note)
      line.member("x_m", position?.x, 4)
      line.member("y_m", position?.y, 4)
      line.member("distance_m", distance, 4)
      line.member("probability", probability, 4)
      line.member("trace", node.traceName)
      line.member("node", node.id)
      if let name = names[node.id] { line.member("name", name) }
    }
  }

  /// The same in a document.
  package func json(_ names: BeaconNames) -> JSONValue {
    let json: JSONValue = [
      "time_s": Double(time) / 1e9, "event": kind.rawValue, "spot": spot.name, "note": spot.note,
      "x_m": position?.x, "y_m": position?.y, "distance_m": distance, "probability": probability,
      "trace": node.traceName, "node": node.id,
    ]
    return json.adding(names.member(node.id).json)
  }
}

extension JSONWriter {
  /// A number with the given decimals; null for nil.
  fileprivate mutating func member(_ name: String, _ value: Double?, _ places: Int) {
    member(name, written: value.flatMap(finite).map { decimal($0, places) })
  }
}
