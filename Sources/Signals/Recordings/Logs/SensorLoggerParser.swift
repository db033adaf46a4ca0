internal import Advertising
internal import Sightings
internal import Support

/// A recording of Sensor Logger: `Bluetooth.csv`, a table of all sensors, or the objects of its JSON.
///
///     time,seconds_elapsed,sensor,id,rssi,manufacturerData,advertisement,serviceData
///     1698501144401674000,0.52,Bluetooth,5C:31:3E:4C:7A:A4,-66,4c000215…,,
///
/// Times are nanoseconds since the Unix epoch. The advertising payload is read if there is one, else
/// the manufacturer data, which are then marked as incomplete. An iPhone names devices by an
/// identifier of its own. Source: tszheichoi/awesome-sensor-logger, UNITS.md.
struct SensorLoggerParser: LogParser {
  private let document = JSONDocument()
  private var columns: [String]?
  private var isHeader: Bool

  init(isTable: Bool) {
    isHeader = isTable
    columns = isTable ? [] : nil
  }

  mutating func read(_ line: Span<UInt8>, into batch: inout LogBatch) {
    guard !line.isEmpty else { return }
    batch.nameReceiver("phone")
    guard columns != nil else {
      guard document.parse(line), document.root.kind == .object else { return batch.count(false) }
      let root = document.root
      func text(_ name: StaticString) -> ArraySlice<UInt8> {
        guard let member = root[name] else { return [] }
        return document.bytes[member.place][...]
      }
      return read(
        sensor: text("sensor"), time: text("time"), id: text("id"), rssi: text("rssi"),
        payload: text("advertisement"), manufacturer: text("manufacturerData"), into: &batch)
    }
    let text = line.indices.map { line[$0] }[...]
    let fields = text.fields()
    if isHeader {
      isHeader = false
      columns = fields.map { String(decoding: $0.trimmed, as: UTF8.self) }
      return
    }
    guard let columns, fields.count == columns.count else { return batch.count(false) }
    func field(_ name: String) -> ArraySlice<UInt8> {
      columns.firstIndex(of: name).map { fields[$0].trimmed } ?? []
    }
    let sensor = columns.contains("sensor") ? field("sensor") : Array("Bluetooth".utf8)[...]
    read(
      sensor: sensor, time: field("time"), id: field("id"), rssi: field("rssi"),
      payload: field("advertisement"), manufacturer: field("manufacturerData"), into: &batch)
  }

  private func read(
    sensor: ArraySlice<UInt8>, time: ArraySlice<UInt8>, id: ArraySlice<UInt8>,
    rssi: ArraySlice<UInt8>, payload: ArraySlice<UInt8>, manufacturer: ArraySlice<UInt8>,
    into batch: inout LogBatch
  ) {
    guard sensor.starts(with: "Bluetooth"), !sensor.starts(with: "BluetoothMetadata") else {
      let isRadio = ["WiFi", "Metadata", "BluetoothMetadata", "Annotation", "Network"].contains(
        String(decoding: sensor, as: UTF8.self))
      return batch.counts.otherEvents.add(isRadio ? .otherLine : .sensorLine)
    }
    guard let time = DecimalNumber.nanoseconds(time.span, power: -9) else {
      return batch.counts.rejectPacket(.badTime)
    }
    // A level may be missing.
    guard let level = rssi.isEmpty ? .nan : DecimalNumber.double(rssi.span) else {
      return batch.count(false)
    }
    let isWhole = !payload.isEmpty
    guard isWhole || !manufacturer.isEmpty, let bits = addressBits(id) else {
      let name = BeaconText.address(id) ?? String(decoding: id, as: UTF8.self)
      return batch.count(
        batch.add(LogBatch.NamedReport(time: time, rssi: Float(level), beacon: name)))
    }
    var report = AdvertisingReport(
      time: time, address: DeviceAddress(bits: bits, type: 0), rssi: Float(level),
      eventType: Sighting.unknownEventType)
    (report.primaryPHY, report.dataStatus) = (0, isWhole ? 0 : 1)
    let start = batch.bytes.count
    if !isWhole { batch.bytes += [0, ADStructure.manufacturerData] }
    guard appendHexadecimal(isWhole ? payload : manufacturer, to: &batch.bytes) else {
      return batch.count(false)
    }
    if !isWhole {
      guard let length = UInt8(exactly: batch.bytes.count - start - 1) else {
        return batch.count(false)
      }
      batch.bytes[start] = length
    }
    batch.count(batch.add(report, dataFrom: start))
  }
}
