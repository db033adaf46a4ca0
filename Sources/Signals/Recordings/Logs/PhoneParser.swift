internal import Advertising
import Glibc
internal import Sightings
internal import Support

/// The log of a phone that walks: iBeacons, and waypoints as truth of the phone.
///
/// XYZ10 and the path files of its competition, separated by tabs:
///
///     #   startTime:1574659531598
///     #   SiteID:… SiteName:… FloorId:… FloorName:F1
///     1574659531598   TYPE_WAYPOINT   196.41   117.84
///     1574659531641   TYPE_BEACON   UUID   MAJOR   MINOR   POWER   RSSI   DISTANCE   MAC   TIME
///
/// GetSensorData, which the competitions of IPIN use, separated by semicolons:
///
///     BLE4;12.345;iBeacon;MAC;RSSI;POWER;MAJOR;MINOR;UUID
///     BLE4;12.345;Eddystone;MAC;RSSI;INSTANCE;TELEMETRY
///     POSI;12.0;1;LATITUDE;LONGITUDE;FLOOR;BUILDING
///
/// Places in degrees become metres east and north of the first of them, on a sphere.
///
/// Source: location-competition/indoor-location-competition-20, README; the comments at the start of
/// logs of GetSensorData.
struct PhoneParser: LogParser {
  private let isXYZ10: Bool
  /// The floor of a file of XYZ10.
  private var floor = ""
  /// The first place, in degrees.
  private var origin: (latitude: Double, longitude: Double)?
  /// The rows of GetSensorData that come from neither a radio nor the user.
  private static let sensors = [
    "ACCE", "GYRO", "MAGN", "PRES", "LIGH", "PROX", "HUMI", "TEMP", "AHRS", "GNSS", "IMUX", "IMUL",
    "SOUN",
  ]
  /// The mean radius of the Earth, in metres.
  private static let radiusM = 6_371_008.8

  init(isXYZ10: Bool) { self.isXYZ10 = isXYZ10 }

  var timeNote: String? {
    guard !isXYZ10 else { return nil }
    let place = origin.map { "; its waypoints are in metres from \($0.latitude), \($0.longitude)" }
    return "its times count from the start of the app" + (place ?? "")
  }

  mutating func read(_ line: Span<UInt8>, into batch: inout LogBatch) {
    batch.nameReceiver("phone")
    let text = line.indices.map { line[$0] }[...]
    if isXYZ10 { readXYZ10(text, into: &batch) } else { readGetSensorData(text, into: &batch) }
  }

  // MARK: - XYZ10

  private mutating func readXYZ10(_ text: ArraySlice<UInt8>, into batch: inout LogBatch) {
    let fields = text.split(separator: 0x09, omittingEmptySubsequences: false).map(\.trimmed)
    if text.first == UInt8(ascii: "#") {
      if let name = text.after("FloorName:") {
        floor = String(decoding: name.prefix { $0 != 0x09 }.trimmed, as: UTF8.self)
      }
      return batch.counts.otherEvents.add(.otherLine)
    }
    guard fields.count > 1, fields[1].starts(with: "TYPE_") else {
      return batch.counts.otherEvents.add(.otherLine)
    }
    let isBeacon = fields[1].elementsEqual("TYPE_BEACON".utf8)
    guard isBeacon || fields[1].elementsEqual("TYPE_WAYPOINT".utf8) else {
      let isRadio = fields[1].elementsEqual("TYPE_WIFI".utf8)
      return batch.counts.otherEvents.add(isRadio ? .otherLine : .sensorLine)
    }
    let stamp = fields[0]
    guard let time = DecimalNumber.nanoseconds(stamp.span, power: -3) else {
      return batch.counts.rejectPacket(.badTime)
    }
    if isBeacon {
      guard fields.count >= 9 else { return batch.count(false) }
      addBeacon(
        time, uuid: fields[2], fields[3], fields[4], power: fields[5], rssi: fields[6],
        address: fields[8], into: &batch)
    } else if fields.count >= 4, let x = number(fields[2]), let y = number(fields[3]) {
      add(time, x, y, floor, into: &batch)
    } else {
      batch.count(false)
    }
  }

  // MARK: - GetSensorData

  private mutating func readGetSensorData(_ text: ArraySlice<UInt8>, into batch: inout LogBatch) {
    let fields = text.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map(\.trimmed)
    let kind = String(decoding: fields.first ?? [], as: UTF8.self)
    guard kind == "BLE4" || kind == "POSI" else {
      return batch.counts.otherEvents.add(Self.sensors.contains(kind) ? .sensorLine : .otherLine)
    }
    guard fields.count > 4 else { return batch.count(false) }
    let stamp = fields[1]
    guard let time = DecimalNumber.nanoseconds(stamp.span) else {
      return batch.counts.rejectPacket(.badTime)
    }
    if kind == "POSI" { return addPlace(time, fields, into: &batch) }
    if fields[2].elementsEqual("iBeacon".utf8), fields.count >= 9 {
      addBeacon(
        time, uuid: fields[8], fields[6], fields[7], power: fields[5], rssi: fields[4],
        address: fields[3], into: &batch)
    } else if let address = BeaconText.address(fields[3]) {
      addReport(time, address, rssi: fields[4], into: &batch)
    } else {
      // The first versions: major, minor and level, without a UUID.
      let name = fields[2...3].map { String(decoding: $0, as: UTF8.self) }.joined(separator: ":")
      addReport(time, name, rssi: fields[4], into: &batch)
    }
  }

  private mutating func addPlace(
    _ time: Int64, _ fields: [ArraySlice<UInt8>], into batch: inout LogBatch
  ) {
    guard let latitude = number(fields[3]), let longitude = number(fields[4]),
      -90...90 ~= latitude, -180...180 ~= longitude
    else { return batch.count(false) }
    let first = origin ?? (latitude, longitude)
    origin = first
    let radian = Double.pi / 180
    let x = Self.radiusM * (longitude - first.longitude) * radian * cos(first.latitude * radian)
    let y = Self.radiusM * (latitude - first.latitude) * radian
    let floor = fields.count > 5 ? String(decoding: fields[5], as: UTF8.self) : ""
    add(time, (x * 1000).rounded() / 1000, (y * 1000).rounded() / 1000, floor, into: &batch)
  }

  // MARK: - Rows

  private func number(_ text: ArraySlice<UInt8>) -> Double? { DecimalNumber.double(text.span) }

  private func addBeacon(
    _ time: Int64, uuid: ArraySlice<UInt8>, _ major: ArraySlice<UInt8>, _ minor: ArraySlice<UInt8>,
    power: ArraySlice<UInt8>, rssi: ArraySlice<UInt8>, address: ArraySlice<UInt8>,
    into batch: inout LogBatch
  ) {
    // Competitions replace UUIDs by other identifiers.
    let name =
      BeaconText.iBeacon(uuid, BeaconText.decimal(major), BeaconText.decimal(minor))
      ?? [uuid, major, minor].map { String(decoding: $0, as: UTF8.self) }.joined(separator: ":")
    let measured = number(power).flatMap { -127...20 ~= $0 ? Float($0) : nil }
    addReport(time, name, measured ?? .nan, rssi: rssi, into: &batch)
  }

  private func addReport(
    _ time: Int64, _ name: String, _ power: Float = .nan, rssi: ArraySlice<UInt8>,
    into batch: inout LogBatch
  ) {
    guard let level = number(rssi) else { return batch.count(false) }
    var report = LogBatch.NamedReport(time: time, rssi: Float(level), beacon: name)
    report.measuredPower = power
    batch.count(batch.add(report))
  }

  private func add(
    _ time: Int64, _ x: Double, _ y: Double, _ floor: String, into batch: inout LogBatch
  ) {
    guard Node.coordinates.contains(x), Node.coordinates.contains(y),
      TextLimit.floor.admits(floor)
    else { return batch.count(false) }
    batch.add(.truth(nil, LogBatch.Place(time: time, x: x, y: y, z: .nan, floor: floor)))
    batch.counts.otherEvents.add(.waypoint)
  }
}
