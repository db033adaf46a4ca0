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
