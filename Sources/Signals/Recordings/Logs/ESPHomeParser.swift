internal import Advertising
internal import Sightings

/// The log of an ESPHome proxy, or of Home Assistant with its proxies.
///
///     [18:17:29.460][V][bluetooth_proxy:100]: Queuing raw packet from D2:21:C1:46:47:7E, length 28. RSSI: -74 dB
///     [13:19:01][VV][esp32_ble_tracker:555]:   Address: A4:C1:38:B6:63:C9 (PUBLIC)
///     [13:19:01][VV][esp32_ble_tracker:558]:   RSSI: -89
///     [13:19:01][VV][esp32_ble_tracker:591]:   Adv data: 02.01.06 (3)
///
///     2023-08-03 11:32:56.076 DEBUG (MainThread) [aioesphomeapi.connection] kitchen @ 192.0.2.7: Got message of type BluetoothLERawAdvertisementsResponse: advertisements {
///       address: 123318265456547
///       rssi: -72
///       data: "\002\001\004"
///     }
///
/// A packet of the first form has no data, unless the tracker prints the same packet within the next
/// 64 or two seconds. A message of the second form is one packet with a report for each
/// advertisement. All other lines are counted. Source: ESPHome, bluetooth_proxy.cpp and
/// esp32_ble_tracker.cpp; the text format of protocol buffers.
struct ESPHomeParser: LogParser {
  private struct Heard {
    var address: DeviceAddress?
    var rssi: Float?
    var data: [UInt8] = []
    var time: Int64
    var adapter: UInt16
  }

  private var clock = LogClock()
  /// The packets that the proxy queued, which the tracker may print too.
  private var queued: [Heard] = []
  /// The packet that the tracker prints.
  private var printed: Heard?
  /// The message of Home Assistant, and the advertisement in it.
  private var message: (time: Int64, adapter: UInt16, reports: Int)?
  private var advertisement: Heard?

  private static let mostQueued = 64
  private static let longestWait = 2 * Timestamp.second

  var timeNote: String? { clock.note }

  mutating func read(_ line: Span<UInt8>, into batch: inout LogBatch) {
    let text = line.indices.map { line[$0] }[...].uncoloured[...]
    if message != nil, readMember(text, into: &batch) { return }
    let isMessage = text.after("Got message of type BluetoothLERawAdvertisementsResponse:") != nil
    guard isMessage || readDevice(text, into: &batch) else {
      if let rest = text.after("Successfully connected to ") ?? text.after("output from ") {
        let name = rest.prefix { $0 != 0x20 && $0 != UInt8(ascii: ".") }
        if !name.isEmpty { batch.nameReceiver(String(decoding: name, as: UTF8.self)) }
      }
      return batch.counts.otherEvents.add(.otherLine)
    }
    if isMessage { begin(text, into: &batch) }
  }

  mutating func finish(into batch: inout LogBatch) {
    end(into: &batch)
    while !queued.isEmpty { deliverFirst(into: &batch) }
  }

  // MARK: - Home Assistant

  private mutating func begin(_ text: ArraySlice<UInt8>, into batch: inout LogBatch) {
    let name = text.after("] ")?.before(": ") ?? []
    guard let time = clock.time(text.prefix(23)),
      let adapter = batch.adapter(named: (name.before(" @ ") ?? name).trimmed)
    else { return batch.count(false) }
    message = (time, adapter, 0)
    if text.last == UInt8(ascii: "{") { advertisement = Heard(time: time, adapter: adapter) }
  }

  /// Reads a line within a message; returns `false` for one behind it.
  private mutating func readMember(_ text: ArraySlice<UInt8>, into batch: inout LogBatch) -> Bool {
    guard let message else { return false }
    let text = text.trimmed
    if text.elementsEqual("advertisements {".utf8) {
      advertisement = Heard(time: message.time, adapter: message.adapter)
    } else if let value = text.after(": "), advertisement != nil {
      if text.starts(with: "address:") {
        let bits = value.leadingNumber.flatMap { UInt64(exactly: $0) }
        let type = advertisement?.address?.type ?? 0
        advertisement?.address = bits.flatMap {
          $0 < 1 << 48 ? DeviceAddress(bits: $0, type: type) : nil
        }
      } else if text.starts(with: "address_type:") {
        advertisement?.address?.type = UInt8(clamping: value.leadingNumber ?? 0)
      } else if text.starts(with: "rssi:") {
        advertisement?.rssi = value.leadingNumber.map { -127...20 ~= $0 ? Float($0) : .nan }
      } else if text.starts(with: "data:") {
        advertisement?.data = Self.unescaped(value)
      }
    } else if text.elementsEqual([UInt8(ascii: "}")]), let heard = advertisement.take() {
      deliver(heard, ofMessage: true, into: &batch)
      self.message?.reports += 1
    } else {
      end(into: &batch)
      return text.isEmpty
    }
    return true
  }

  /// Ends a message, which is one packet.
  private mutating func end(into batch: inout LogBatch) {
    guard let message = message.take() else { return }
    if advertisement.take() != nil {
      batch.counts.rejectReport(.badLine)
    } else if message.reports == 0 {
      return batch.counts.otherEvents.add(.otherLine)
    }
    batch.counts.packetsWithReports += 1
    if message.reports > 1 { batch.counts.packetsWithSeveralReports += 1 }
  }

  /// Returns the bytes of a string of the text format, with its quotes.
  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text.dropFirst()
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      guard byte == UInt8(ascii: "\\"), let code = rest.popFirst() else {
        bytes.append(byte)
        continue
      }
      switch code {
      case UInt8(ascii: "0")...UInt8(ascii: "7"):
        var value = Int(code - 48)
        for _ in 0..<2 {
          guard let digit = rest.first, (48...55).contains(digit) else { break }
          value = value * 8 + Int(digit - 48)
          rest.removeFirst()
        }
        bytes.append(UInt8(truncatingIfNeeded: value))
      case UInt8(ascii: "x"):
        _ = appendHexadecimal(rest.prefix(2), to: &bytes)
        rest = rest.dropFirst(2)
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "r"): bytes.append(0x0D)
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "a"): bytes.append(0x07)
      case UInt8(ascii: "b"): bytes.append(0x08)
      case UInt8(ascii: "f"): bytes.append(0x0C)
      case UInt8(ascii: "v"): bytes.append(0x0B)
      default: bytes.append(code)
      }
    }
    return bytes
  }

  // MARK: - The log of a proxy

  /// Reads a line of a proxy; returns `false` for one without a part of a packet.
  private mutating func readDevice(_ text: ArraySlice<UInt8>, into batch: inout LogBatch) -> Bool {
    let queuing = text.after("Queuing raw packet from ")
    let part = queuing == nil ? text.after("[esp32_ble_tracker:")?.after("]:") : nil
    guard queuing != nil || part != nil else { return false }
    guard let time = time(of: text) else {
      batch.count(false)
      return true
    }
    while let first = queued.first,
      queued.count >= Self.mostQueued || Timestamp.moved(first.time, by: Self.longestWait) < time
    {
      deliverFirst(into: &batch)
    }
    // In the log of Home Assistant the name of the proxy is before its line.
    let name = text.after(") [")?.after("] ")?.before(": [")
    let adapter = name.flatMap { batch.adapter(named: $0) } ?? 0
    if let queuing {
      let address = DeviceAddress(
        String(decoding: queuing.prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self))
      guard let address, let rssi = queuing.after("RSSI: ")?.leadingNumber else {
        batch.count(false)
        return true
      }
      queued.append(
        Heard(address: address, rssi: Self.level(rssi), time: time, adapter: adapter))
      return true
    }
    guard let part = part?.trimmed else { return false }
    if part.starts(with: "Parse Result:") {
      printed = Heard(time: time, adapter: adapter)
    } else if part.starts(with: "Address: "), printed != nil {
      let text = String(decoding: part.dropFirst(9), as: UTF8.self)
      let kind = part.after("(") ?? []
      printed?.address = DeviceAddress(String(text.prefix { $0 != " " })).map {
        DeviceAddress(bits: $0.bits, type: kind.starts(with: "RANDOM") ? 1 : 0)
      }
    } else if part.starts(with: "RSSI: "), printed != nil {
      printed?.rssi = part.dropFirst(6).leadingNumber.map(Self.level)
    } else if part.starts(with: "Adv data: "), var heard = printed.take() {
      let digits = part.dropFirst(10).prefix { $0 != 0x20 }
      guard appendHexadecimal(digits, separator: digits.dropFirst(2).first ?? 0, to: &heard.data)
      else {
        batch.count(false)
        return true
      }
      // The line of the queue is the same packet.
      if let index = queued.firstIndex(where: {
        $0.address?.bits == heard.address?.bits && $0.rssi == heard.rssi
      }) {
        queued.remove(at: index)
        batch.counts.otherEvents.add(.otherLine)
      }
      deliver(heard, ofMessage: false, into: &batch)
      return true
    } else {
      return false
    }
    batch.counts.otherEvents.add(.otherLine)
    return true
  }

  /// Returns the time of a line: that of Home Assistant, or the one in its first brackets.
  private mutating func time(of text: ArraySlice<UInt8>) -> Int64? {
    if text.first.map({ 48...57 ~= $0 }) == true, text.count > 23,
      let time = clock.time(text.prefix(23))
    {
      return time
    }
    // A colour that lost its escape character is another bracket before it.
    guard let inside = text.after("[")?.before("]") else { return nil }
    let start = inside.lastIndex(of: UInt8(ascii: "[")).map { $0 + 1 } ?? inside.startIndex
    return clock.time(inside[start...])
  }

  private static func level(_ rssi: Int) -> Float { -127...20 ~= rssi ? Float(rssi) : .nan }

  // MARK: - Reports

  private mutating func deliverFirst(into batch: inout LogBatch) {
    guard !queued.isEmpty else { return }
    deliver(queued.removeFirst(), ofMessage: false, into: &batch)
  }

  private func deliver(_ heard: Heard, ofMessage: Bool, into batch: inout LogBatch) {
    if heard.adapter == 0 { batch.nameReceiver("esphome") }
    var isWhole = false
    if let address = heard.address, let rssi = heard.rssi {
      if heard.data.isEmpty, !ofMessage {
        var report = LogBatch.NamedReport(
          time: heard.time, rssi: rssi, beacon: "addr:\(address)")
        report.adapter = heard.adapter
        isWhole = batch.add(report)
      } else {
        var report = AdvertisingReport(
          time: heard.time, address: address, rssi: rssi, eventType: Sighting.unknownEventType)
        (report.adapter, report.primaryPHY) = (heard.adapter, 0)
        let start = batch.bytes.count
        batch.bytes += heard.data
        isWhole = batch.add(report, dataFrom: start)
      }
    }
    guard ofMessage else { return batch.count(isWhole) }
    if !isWhole { batch.counts.rejectReport(.badLine) }
  }
}
