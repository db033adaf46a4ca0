internal import Sightings
import Support

extension Schema<Floor> {
  /// The schema of `/floors`: the floors of a building. A trace without floors has no such table,
  /// and none of the columns that refer to it.
  static var floors: Schema {
    Schema(
      "floors", empty: Floor(name: ""), limit: Int(UInt16.max),
      [
        .text(\.name, "name", .floor, "Name of the floor"),
        .coded(
          \.level, "level", missing: Int16.min,
          "Storeys above the ground floor; -32768 = not known",
          code: { $0.map { Int16(clamping: $0) } ?? .min }, value: { $0 == .min ? nil : Int($0) }),
        .number(
          \.height, "height_m", units: "m", missing: .nan,
          "Height above the ground; NaN = not known"
        ),
        .number(
          \.shiftX, "shift_x_m", units: "m", missing: .nan,
          "Origin in the building's frame; NaN = not known"),
        .number(
          \.shiftY, "shift_y_m", units: "m", missing: .nan,
          "Origin in the building's frame; NaN = not known"),
      ])
  }
}

extension SchemaColumn {
  /// Returns the column of the floor of a row.
  static func floor(_ place: WritableKeyPath<Row, UInt16?>) -> Self {
    occasional(
      place, "floor", missing: UInt16.max, "Row of /floors; 65535 = not known",
      code: { $0 ?? .max }, value: { $0 == .max ? nil : $0 })
  }
}

extension Catalogue {
  /// Removes references to floors that the file does not contain.
  ///
  /// - Returns: `true` if there are any.
  mutating func removeUnknownFloors() -> Bool {
    let count = floors.count
    var isDamaged = false
    func check(_ floor: inout UInt16?) {
      guard let number = floor, Int(number) >= count else { return }
      floor = nil
      isDamaged = true
    }
    for row in beacons.indices { check(&beacons[row].floor) }
    for row in receivers.indices { check(&receivers[row].floor) }
    for row in truth.indices { check(&truth[row].floor) }
    for trace in traceFloors.keys { check(&traceFloors[trace]) }
    return isDamaged
  }
}
