import Advertising

/// Keeps every report and its data, for tests to look at.
struct ReportCollector: ReportSink {
  var reports: [AdvertisingReport] = []
  var payloads: [[UInt8]] = []

  mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) {
    reports.append(report)
    payloads.append(payload.indices.map { payload[$0] })
  }
}

/// Decodes whole events, flushes, and returns what came out.
func decode(
  _ events: [[UInt8]], adapter: UInt16 = 0, interval: Int64 = 1_000_000
) throws -> (collector: ReportCollector, counts: DecodingCounts) {
  var decoder = HCIEventDecoder()
  var collector = ReportCollector()
  for (index, event) in events.enumerated() {
    try decoder.decode(
      event.span, time: Int64(index) * interval, adapter: adapter, into: &collector)
  }
  try decoder.flush(into: &collector)
  return (collector, decoder.counts)
}

/// An event of subevent 0x02 around reports.
func legacyEvent(_ reports: [[UInt8]]) -> [UInt8] { metaEvent(0x02, reports) }

/// An event of subevent 0x0D around reports.
func extendedEvent(_ reports: [[UInt8]]) -> [UInt8] { metaEvent(0x0D, reports) }

/// An event of subevent 0x0B around reports.
func directedEvent(_ reports: [[UInt8]]) -> [UInt8] { metaEvent(0x0B, reports) }

private func metaEvent(_ subevent: UInt8, _ reports: [[UInt8]]) -> [UInt8] {
  let body = reports.flatMap { $0 }
  return [0x3E, UInt8(body.count + 2), subevent, UInt8(reports.count)] + body
}

/// A report of subevent 0x02 from AA:BB:CC:DD:EE:`last`.
func legacyReport(
  type: UInt8 = 3, addressType: UInt8 = 1, last: UInt8 = 0xFF, data: [UInt8] = [2, 1, 6],
  rssi: Int8 = -60
) -> [UInt8] {
  [type, addressType, last, 0xEE, 0xDD, 0xCC, 0xBB, 0xAA, UInt8(data.count)] + data
    + [UInt8(bitPattern: rssi)]
}

/// A report of subevent 0x0B from AA:BB:CC:DD:EE:`last`, directed to a random address.
func directedReport(addressType: UInt8 = 1, last: UInt8 = 0xFF, rssi: Int8 = -60) -> [UInt8] {
  [1, addressType, last, 0xEE, 0xDD, 0xCC, 0xBB, 0xAA, 1, 6, 5, 4, 3, 2, 0x41]
    + [UInt8(bitPattern: rssi)]
}

/// A report of subevent 0x0D from AA:BB:CC:DD:EE:`last`.
func extendedReport(
  type: UInt16 = 0, addressType: UInt8 = 1, last: UInt8 = 0xFF, sid: UInt8 = 5,
  data: [UInt8] = [2, 1, 6], rssi: Int8 = -60
) -> [UInt8] {
  [UInt8(type & 0xFF), UInt8(type >> 8), addressType, last, 0xEE, 0xDD, 0xCC, 0xBB, 0xAA]
    + [1, 2, sid, UInt8(bitPattern: 7), UInt8(bitPattern: rssi)]
    + [0x50, 0, 0, 1, 2, 3, 4, 5, 6] + [UInt8(data.count)] + data
}
