import Advertising
import Sightings

@testable import Capture

/// Reads a message of a gateway: a byte for the dialect, whose last value means detection by the
/// message; the time of arrival in seconds, in four bytes; the topic after a byte with its length;
/// the payload.
func readGateway(_ input: [UInt8]) {
  guard input.count >= 6 else { return }
  let dialects = Dialect.allCases
  let choice = Int(input[0]) % (dialects.count + 1)
  let arrival = input[1..<5].reduce(Int64(0)) { $0 << 8 | Int64($1) } * Timestamp.second
  let topic = Array(input[6...].prefix(Int(input[5])))
  let message = BrokerMessage(
    topic: topic, payload: Array(input[(6 + topic.count)...]), arrival: arrival)
  var reader = GatewayReader(dialect: choice < dialects.count ? dialects[choice] : nil)
  var batch = GatewayBatch()
  var builder = TraceBuilder(into: Discard(), blockRows: 16)
  reader.read(message, into: &batch)
  var counts = DecodingCounts()
  batch.count(in: &counts)
  let isAccount = batch.account != nil && batch.entries.isEmpty && batch.rejected.isEmpty
  precondition(counts.packets == (isAccount ? 0 : 1), "a message is not one packet")
  for entry in batch.entries { must { try take(entry, of: batch, arrival, &builder) } }
  must { _ = try builder.complete() }
  let entries = batch.entries.count
  let rejected = batch.rejected.count
  reader.read(message, into: &batch)
  // room-assistant omits values that it has sent before.
  precondition(
    batch.entries.count <= entries && batch.rejected.count <= rejected, "a message left a trace")
}

private func take(
  _ entry: GatewayBatch.Entry, of batch: GatewayBatch, _ arrival: Int64,
  _ builder: inout TraceBuilder<Discard>
) throws {
  let name = String(validating: batch.bytes[entry.gateway], as: UTF8.self) ?? ""
  precondition(
    !name.isEmpty && name.utf8.count <= 128 && !name.utf8.contains(0), "a gateway without a name")
  precondition(
    batch.account != nil || entry.rssi.isNaN || entry.rssi < 0, "an implausible level")
  precondition(
    batch.account != nil || entry.channel < 40 || entry.channel == 255, "an invalid channel")
  // A time of the gateway's clock keeps the arrival, which replaces it if the clock is wrong.
  precondition(
    batch.account != nil || entry.time == arrival || entry.arrival == arrival,
    "a time without an arrival")
  switch entry.beacon {
  case .report(let report, let range):
    precondition(report.address.bits < 1 << 48 && range.count <= 1650)
    try builder.receive(report, payload: batch.bytes.span.extracting(range))
  case .data(let address, let range, let eventType, _):
    precondition(address.bits < 1 << 48 && address.type <= 3 && range.count <= 1650)
    try builder.receive(
      AdvertisingReport(time: entry.time, address: address, rssi: entry.rssi, eventType: eventType),
      payload: batch.bytes.span.extracting(range))
  case .name(let beacon, let power):
    precondition(!beacon.isEmpty && beacon.utf8.count <= 128 && !beacon.utf8.contains(0))
    precondition(power.isNaN || (-128...127).contains(power), "an invalid power")
    try builder.receive(
      beacon: beacon, measuredPower: power, adapter: 0, time: entry.time, rssi: entry.rssi,
      channel: entry.channel)
  }
}
