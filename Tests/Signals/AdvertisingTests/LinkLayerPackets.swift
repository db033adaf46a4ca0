import Advertising
import TestSupport

/// Decodes whole packets a millisecond apart, flushes, and returns what came out.
func decode(
  _ packets: [[UInt8]], _ framing: LinkLayerFraming, interval: Int64 = 1_000_000
) throws -> (collector: ReportCollector, counts: DecodingCounts) {
  var decoder = LinkLayerDecoder(framing: framing)
  var collector = ReportCollector()
  for (index, packet) in packets.enumerated() {
    try decoder.decode(packet.span, time: Int64(index) * interval, into: &collector)
  }
  try decoder.flush(into: &collector)
  return (collector, decoder.counts)
}

/// The address AA:BB:CC:DD:EE:FF as it is sent.
let sentAddress: [UInt8] = [0xFF, 0xEE, 0xDD, 0xCC, 0xBB, 0xAA]

/// A legacy packet from AA:BB:CC:DD:EE:FF, a random address.
func legacyPacket(type: UInt8 = 2, data: [UInt8] = [2, 1, 6]) -> [UInt8] {
  linkLayerPacket(header: 0x40 | type, payload: sentAddress + data)
}

/// The payload of an extended advertising PDU.
///
/// - Parameters:
///   - mode: 0 neither, 1 connectable, 2 scannable.
///   - pointer: the channel of the PDU that follows.
func extendedPayload(
  mode: UInt8 = 0, address: [UInt8]? = nil, target: [UInt8]? = nil, dataInformation: UInt16? = nil,
  pointer: UInt8? = nil, txPower: Int8? = nil, data: [UInt8] = []
) -> [UInt8] {
  var flags: UInt8 = 0
  var fields: [UInt8] = []
  func add(_ bit: UInt8, _ bytes: [UInt8]?) {
    guard let bytes else { return }
    flags |= 1 << bit
    fields += bytes
  }
  add(0, address)
  add(1, target)
  add(3, dataInformation.map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
  add(4, pointer.map { [$0, 10, 0x20] })
  add(6, txPower.map { [UInt8(bitPattern: $0)] })
  let header = flags == 0 ? [] : [flags] + fields
  return [mode << 6 | UInt8(header.count)] + header + data
}

/// An extended advertising packet of link type 256 with only its channel.
func extendedPacket(rfChannel: UInt8, signal: Int8 = -60, _ payload: [UInt8]) -> [UInt8] {
  radioPacket(
    linkLayerPacket(header: 0x47, payload: payload), rfChannel: rfChannel, signal: signal)
}
