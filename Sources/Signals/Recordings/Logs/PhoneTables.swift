internal import Advertising
internal import Sightings
internal import Support

/// A table of WiGLE, which phones and boards write on the road: a line on the device, a header, and a
/// row per observation of a network, a cell or a device.
///
///     WigleWifi-1.6,appRelease=2.78,model=X-37B,release=11.0.0,device=…,brand=Moog,star=Sol,…
///     MAC,SSID,AuthMode,FirstSeen,Channel,Frequency,RSSI,CurrentLatitude,…,RCOIs,MfgrId,Type
///     00:00:5e:00:53:30,,Misc [LE],2018-08-03 18:14:12,0,,-67,1.25,…,,72,BLE
///
/// Rows of the type `BLE` are sightings. Their channel is always 0, and their frequency is not one.
/// Source: api.wigle.net, csvFormat.html, versions 1.4 and 1.6.
struct WiGLEParser: LogParser {
  private struct Columns {
    var count, address, time, level, type: Int
  }

  private var columns: Columns?
  private var clock = LogClock()

  var timeNote: String? { clock.note }

  static func recognises(_ line: ArraySlice<UInt8>) -> Bool { line.starts(with: "WigleWifi-") }

  mutating func read(_ line: Span<UInt8>, into batch: inout LogBatch) {
    guard !line.isEmpty else { return }
    batch.nameReceiver("phone")
    let text = line.indices.map { line[$0] }[...]
    let fields = text.fields()
    // Files joined by `cat` have several headers.
    if Self.recognises(text) { return batch.counts.otherEvents.add(.otherLine) }
    if let found = Self.columns(fields) {
      columns = found
      return batch.counts.otherEvents.add(.otherLine)
    }
    guard let columns, fields.count == columns.count else { return batch.count(false) }
    guard fields[columns.type].trimmed.elementsEqual("BLE".utf8) else {
      return batch.counts.otherEvents.add(.otherLine)
    }
    guard let time = clock.time(fields[columns.time]) else {
      return batch.counts.rejectPacket(.badTime)
    }
    guard let level = DecimalNumber.double(fields[columns.level].trimmed.span),
      let address = BeaconText.address(fields[columns.address].trimmed)
    else { return batch.count(false) }
    batch.count(
      batch.add(LogBatch.NamedReport(time: time, rssi: Float(level), beacon: address)))
  }

  private static func columns(_ fields: [ArraySlice<UInt8>]) -> Columns? {
    func place(_ name: String) -> Int? { fields.firstIndex { $0.trimmed.elementsEqual(name.utf8) } }
    guard let address = place("MAC"), let time = place("FirstSeen"), let level = place("RSSI"),
      let type = place("Type")
    else { return nil }
    return Columns(count: fields.count, address: address, time: time, level: level, type: type)
  }
}

/// The contacts of a phone with Herald. Measurements are sightings.
///
///     time,sensor,id,detect,read,measure,share,visit,data
///     2020-08-11 20:07:50,BLE,5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365,1,,,,,
///     2020-08-11 20:07:50,BLE,5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365,,,3,,,RSSI:-77.0
///
/// The data of a measurement may go on with the advertised power. An iPhone names devices by an
/// identifier of its own. Source: theheraldproject, ContactLog and herald-analysis.
struct HeraldParser: LogParser {
  private static let header = "time,sensor,id,detect,read,measure,share,visit,data"

  private var clock = LogClock()

  var timeNote: String? { clock.note }

  static func recognises(_ line: ArraySlice<UInt8>) -> Bool {
    line.trimmed.elementsEqual(header.utf8)
  }

  mutating func read(_ line: Span<UInt8>, into batch: inout LogBatch) {
    guard !line.isEmpty else { return }
    batch.nameReceiver("phone")
    let text = line.indices.map { line[$0] }[...]
    let fields = text.fields()
    guard fields.count == 9 else { return batch.count(false) }
    guard fields[1].elementsEqual("BLE".utf8), fields[5].elementsEqual("3".utf8) else {
      return batch.counts.otherEvents.add(.otherLine)
    }
    guard let time = clock.time(fields[0]) else { return batch.counts.rejectPacket(.badTime) }
    let number = fields[8].after("RSSI:")?.prefix { $0 != UInt8(ascii: ",") }.trimmed ?? []
    guard let level = DecimalNumber.double(number.span) else { return batch.count(false) }
    let name = BeaconText.address(fields[2]) ?? String(decoding: fields[2], as: UTF8.self)
    batch.count(batch.add(LogBatch.NamedReport(time: time, rssi: Float(level), beacon: name)))
  }
}
