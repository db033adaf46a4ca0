internal import Advertising
internal import Sightings
internal import Support

/// The contacts of a phone with Herald, of which the measurements are sightings.
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
