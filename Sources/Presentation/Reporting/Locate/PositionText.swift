import Geometry
import Positioning
package import Registries
import Sightings
import Sites
package import Support
package import TracePipelines

/// A position with the figures of its error, which several columns show.
private struct PositionRow {
  let position: LocatedPosition
  let place: Estimate?
  let covariance: Covariance?
  let ellipse: ErrorEllipse?

  init(_ position: LocatedPosition) {
    (self.position, ellipse) = (position, position.ellipse)
    (place, covariance) = (position.estimate, position.estimate?.uncertainty.covariance)
  }

  /// The numbers of a position in the order of columns and keys, with their decimals.
  static let numbers: [(name: String, places: Int, value: @Sendable (PositionRow) -> Double?)] = [
    ("x_m", 4, { $0.place?.position.x }), ("y_m", 4, { $0.place?.position.y }),
    ("z_m", 4, { $0.place?.height }), ("var_x_m2", 6, { $0.covariance?.xx }),
    ("cov_xy_m2", 6, { $0.covariance?.xy }), ("var_y_m2", 6, { $0.covariance?.yy }),
    ("cov_xz_m2", 6, { $0.covariance?.vertical?.xz }),
    ("cov_yz_m2", 6, { $0.covariance?.vertical?.yz }),
    ("var_z_m2", 6, { $0.covariance?.vertical?.zz }),
    ("semi_major_95_m", 4, { $0.ellipse?.semiMajor }),
    ("semi_minor_95_m", 4, { $0.ellipse?.semiMinor }),
    ("angle_deg", 2, { $0.ellipse.map { $0.angle * 180 / .pi } }),
    ("alternative_x_m", 4, { $0.place?.alternative?.x }),
    ("alternative_y_m", 4, { $0.place?.alternative?.y }),
    ("alternative_z_m", 4, { $0.place?.alternative?.z }),
    ("room_probability", 4, { $0.position.roomProbability }),
    ("floor_probability", 4, { $0.position.floorProbability }),
  ]
}

/// A table of positions; its last column is the name of the node.
package struct PositionCSV: Sendable {
  private let columns: CSVColumns<PositionRow>

  package init(_ names: BeaconNames) {
    columns =
      [
        "time_s": { Timestamp.decimalSeconds($0.position.time) },
        "trace": { CSV.text($0.position.node.traceName) },
        "node": { CSV.text($0.position.node.id) },
      ]
      + CSVColumns(
        PositionRow.numbers.map { one in (one.name, { CSV.number(one.value($0), one.places) }) })
      + [
        "anchors": { String($0.position.anchors) },
        "floor": { CSV.text($0.position.floor ?? "") },
        "room": { CSV.text($0.position.room ?? "") },
        "spot": { CSV.text($0.position.spot ?? "") },
        "reason": { $0.position.refusal?.description ?? "" },
        "no_covariance": { $0.position.withoutCovariance?.description ?? "" },
        "name": { CSV.text(names[$0.position.node.id] ?? "") },
      ]
  }

  /// The first line.
  package var header: String { columns.names + "\n" }

  package func line(_ position: LocatedPosition) -> String {
    columns.fields(PositionRow(position)) + "\n"
  }
}

extension LocatedPosition {
  /// The trained rooms with a probability of at least 0.5 %, the likeliest first.
  package var candidates: [(room: String, probability: Double)] {
    roomProbabilities.filter { $0.value >= 0.005 }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
  }

  /// A line of JSON; a node that has a name in `names` has a member `name`.
  package func line(_ names: BeaconNames) -> String {
    JSONWriter.line(escapes: .short) { line in
      line.member("time_s", written: Timestamp.decimalSeconds(time))
      line.member("trace", node.traceName)
      line.member("node", node.id)
      if let name = names[node.id] { line.member("name", name) }
      let row = PositionRow(self)
      for one in PositionRow.numbers { line.member(one.name, one.value(row), one.places) }
      line.member("anchors", anchors)
      line.member("floor", floor)
      line.member("room", room)
      if !roomProbabilities.isEmpty {
        line.member("room_since_s", written: roomSince.map(Timestamp.decimalSeconds))
        line.key("rooms")
        line.object { line in
          for (name, probability) in candidates { line.member(name, probability, 4) }
        }
      }
      line.member("spot", spot)
      line.member("reason", refusal?.description)
      line.member("no_covariance", withoutCovariance?.description)
    }
  }

  /// The same in a document.
  package func json(_ names: BeaconNames) -> JSONValue {
    var json: JSONValue = [
      "time_s": Double(time) / 1e9, "trace": node.traceName, "node": node.id,
      "anchors": anchors, "floor": floor, "room": room, "spot": spot,
      "reason": refusal?.description,
      "no_covariance": withoutCovariance?.description,
    ]
    if !roomProbabilities.isEmpty {
      json["room_since_s"] = roomSince.map { Double($0) / 1e9 }
      var rooms: JSONValue = [:]
      for (name, probability) in candidates { rooms[name] = probability }
      json["rooms"] = rooms
    }
    let row = PositionRow(self)
    for one in PositionRow.numbers {
      json[one.name] = Double(CSV.number(one.value(row), one.places))
    }
    return json.adding(names.member(node.id).json)
  }
}

extension PlaceEvent {
  private var spot: Site.Spot? { if case .spot(let spot) = place { spot } else { nil } }
  private var room: (name: String, between: ClosedRange<Int64>?)? {
    if case .room(let name, let between) = place { (name, between) } else { nil }
  }
  private var distance: Double? {
    spot.flatMap { spot in position.map { $0.distance(to: spot.place) } }
  }

  /// A line of JSON.
  ///
  /// - Parameter name: the name of the node in the registry; nil if it has none.
  package func line(name: String?) -> String {
    JSONWriter.line(escapes: .short) { line in
      line.member("time_s", written: Timestamp.decimalSeconds(time))
      line.member("event", kind.rawValue)
      if let spot {
        line.member("spot", spot.name)
        line.member("note", spot.note)
      } else if let room {
        line.member("room", room.name)
        for (name, time) in [
          ("earliest_s", room.between?.lowerBound), ("latest_s", room.between?.upperBound),
        ] { line.member(name, written: time.map(Timestamp.decimalSeconds)) }
      }
      line.member("x_m", position?.x, 4)
      line.member("y_m", position?.y, 4)
      if spot != nil { line.member("distance_m", distance, 4) }
      line.member("probability", probability, 4)
      line.member("trace", node.traceName)
      line.member("node", node.id)
      if let name { line.member("name", name) }
    }
  }

  /// Returns the event in words, such as "tag entered kitchen (97 %)".
  package func words(name: String?) -> String {
    let words =
      switch place {
      case .spot(let spot): (kind == .spotReached ? " reached " : " left ") + spot.name
      case .room(let room, _): (kind == .roomEntered ? " entered " : " left ") + room
      }
    return (name ?? node.id) + words
      + (probability.map { " (\(decimal($0 * 100, 0)) %)" } ?? "")
  }

  /// The same in a document.
  package func json(_ names: BeaconNames) -> JSONValue {
    var json: JSONValue = [
      "time_s": Double(time) / 1e9, "event": kind.rawValue, "x_m": position?.x,
      "y_m": position?.y, "probability": probability, "trace": node.traceName, "node": node.id,
    ]
    if let spot {
      json["spot"] = spot.name
      json["note"] = spot.note
      json["distance_m"] = distance
    } else if let room {
      json["room"] = room.name
      json["earliest_s"] = room.between.map { Double($0.lowerBound) / 1e9 }
      json["latest_s"] = room.between.map { Double($0.upperBound) / 1e9 }
    }
    return json.adding(names.member(node.id).json)
  }
}

extension JSONWriter {
  /// A number with the given decimals; null for nil.
  fileprivate mutating func member(_ name: String, _ value: Double?, _ places: Int) {
    member(name, written: value.flatMap(finite).map { decimal($0, places) })
  }
}
