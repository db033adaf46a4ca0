import Geometry
import Positioning
import Support

/// A level of an anchor, as a program gets it.
// swift-format-ignore: AlwaysUseLowerCamelCase
struct LevelEntry: Encodable {
  var time_s: Double?
  var anchor: String
  var rssi_dbm: Double
  var packets: Int
}

/// The description of the site, which a program gets before the first epoch.
// swift-format-ignore: AlwaysUseLowerCamelCase
struct SiteLine: Encodable {
  struct AnchorEntry: Encodable {
    var anchor: String
    var floor: String?
    /// `nil` if the place is unknown.
    var x_m, y_m, z_m: Double?
    /// `nil` if the path-loss curve is unknown.
    var measured_power_dbm, exponent, sigma_db: Double?
    var packet_sigma_db: Double?
  }

  struct FloorEntry: Encodable {
    var name: String
    var level: Int?
  }

  struct WallEntry: Encodable { var from_m, to_m: [Double] }

  struct RoomEntry: Encodable {
    var name: String
    var polygon_m: [[Double]]
  }

  struct SurveyEntry: Encodable {
    var trace: Int
    var floor: String?
    var x_m, y_m: Double
    var z_m: Double?
    var levels: [LevelEntry]
  }

  var kind = "site"
  var dimensions: Int
  var bounds_m: [[Double]]?
  /// `nil` unless there are several.
  var floors: [FloorEntry]?
  var anchors: [AnchorEntry]
  var walls: [WallEntry]
  var rooms: [RoomEntry]
  /// `nil` without a survey.
  var survey: [SurveyEntry]?

  init(_ surroundings: Surroundings, name: (Int) -> String) {
    dimensions = surroundings.dimensions.rawValue
    let storeys = surroundings.building?.floors ?? []
    func floorName(_ floor: Int?) -> String? {
      floor.flatMap { storeys.count > 1 && storeys.indices.contains($0) ? storeys[$0].name : nil }
    }
    if storeys.count > 1 { floors = storeys.map { FloorEntry(name: $0.name, level: $0.level) } }
    bounds_m = surroundings.searchBounds.flatMap {
      let corners = [[$0.minimum.x, $0.minimum.y], [$0.maximum.x, $0.maximum.y]]
      // Those around an anchor at an unknown place are infinite.
      return corners.joined().allSatisfy(\.isFinite) ? corners : nil
    }
    anchors = surroundings.anchors.enumerated().map { number, anchor in
      AnchorEntry(
        anchor: name(number), floor: floorName(anchor.floor), x_m: finite(anchor.place.x),
        y_m: finite(anchor.place.y), z_m: anchor.isPlaced ? anchor.heightDifference : nil,
        measured_power_dbm: finite(anchor.measuredPower), exponent: finite(anchor.exponent),
        sigma_db: finite(anchor.sigma), packet_sigma_db: anchor.packetSigma)
    }
    walls = surroundings.walls.map {
      WallEntry(from_m: [$0.from.x, $0.from.y], to_m: [$0.to.x, $0.to.y])
    }
    rooms = surroundings.rooms.map { room in
      RoomEntry(name: room.name, polygon_m: room.corners.map { [$0.x, $0.y] })
    }
    guard !surroundings.survey.isEmpty else { return }
    survey = surroundings.survey.map { point in
      SurveyEntry(
        trace: point.trace, floor: floorName(point.floor), x_m: point.place.x, y_m: point.place.y,
        z_m: point.height,
        levels: point.levels.map {
          LevelEntry(anchor: name($0.anchor), rssi_dbm: $0.rssi, packets: $0.packets)
        })
    }
  }

  var line: [UInt8] { lineOfJSON(self) }
}

/// An epoch, as a program gets it.
// swift-format-ignore: AlwaysUseLowerCamelCase
struct EpochLine: Encodable {
  var kind = "epoch"
  var time_s: Double
  var asked_s: Double
  var start_s: Double
  var levels: [LevelEntry]
  var readings: [LevelEntry]

  init(_ scan: Scan, name: (Int) -> String) {
    time_s = Double(scan.instant) / 1e9
    asked_s = Double(scan.asked) / 1e9
    start_s = Double(scan.start) / 1e9
    levels = scan.observations.map {
      LevelEntry(anchor: name($0.number), rssi_dbm: $0.rssi, packets: $0.packets)
    }
    readings = scan.readings.map {
      LevelEntry(
        time_s: Double($0.time) / 1e9, anchor: name($0.anchor), rssi_dbm: $0.rssi,
        packets: $0.packets)
    }
  }

  var line: [UInt8] { lineOfJSON(self) }
}

/// The answer of a program.
// swift-format-ignore: AlwaysUseLowerCamelCase
struct PositionLine: Decodable {
  var x_m: Double?
  var y_m: Double?
  var z_m: Double?
  var covariance_m2: [[Double]]?
  var refused: String?

  /// The outcome of a line: a position, a refusal of the program's own, or `.invalidAnswer`.
  static func outcome(of line: [UInt8], isSpace: Bool) -> Outcome {
    guard let answer = try? PositionLine(json: line) else {
      return .refused(.invalidAnswer)
    }
    if answer.refused != nil {
      return .refused(Refusal.allCases.first { $0.description == answer.refused } ?? .declined)
    }
    guard let x = answer.x_m, let y = answer.y_m, !isSpace || answer.z_m != nil, abs(x) <= 1e9,
      abs(y) <= 1e9,
      abs(answer.z_m ?? 0) <= 1e9
    else { return .refused(.invalidAnswer) }
    guard let uncertainty = answer.uncertainty else { return .refused(.invalidAnswer) }
    return .located(
      Estimate(
        position: Point(x: x, y: y), height: isSpace ? answer.z_m : nil, uncertainty: uncertainty))
  }

  /// The covariance in the answer, or its absence; nil if it is not valid.
  private var uncertainty: Uncertainty? {
    guard let rows = covariance_m2 else { return .unavailable(.noErrorModel) }
    guard rows.count == 2 || rows.count == 3, rows.allSatisfy({ $0.count == rows.count }) else {
      return nil
    }
    for (i, row) in rows.enumerated() {
      for (j, element) in row.enumerated() {
        guard element.isFinite, abs(element - rows[j][i]) <= 1e-6 * (rows[i][i] + rows[j][j]) else {
          return nil
        }
      }
    }
    guard rows[0][0] > 0, rows[1][1] > 0, rows[0][0] * rows[1][1] > rows[0][1] * rows[0][1] else {
      return nil
    }
    return .covariance(
      Covariance(
        xx: rows[0][0], xy: rows[0][1], yy: rows[1][1],
        vertical: rows.count == 3
          ? .init(xz: rows[0][2], yz: rows[1][2], zz: rows[2][2]) : nil))
  }
}

/// The floor in the answer of a program, in a building.
// swift-format-ignore: AlwaysUseLowerCamelCase
struct FloorLine: Decodable {
  /// A floor by its name, which may be a number.
  struct Name: Decodable {
    var name: String

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      name = try (try? value.decode(Int.self)).map(String.init) ?? value.decode(String.self)
    }
  }

  var floor: Name?
  var floor_probability: Double?

  /// A Boolean value that is true unless the probability is impossible.
  var isValid: Bool { floor_probability.map { (0...1).contains($0) } ?? true }
}

private func lineOfJSON(_ value: some Encodable) -> [UInt8] {
  // Every number was checked when it was read, so JSON can hold it.
  guard let line = try? jsonLine(value) else { preconditionFailure("a line is encodable") }
  return line
}
