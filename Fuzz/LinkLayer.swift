import Sightings

@testable import Advertising

/// Reads packets of a sniffer: the first byte selects the header before the access address and,
/// with its highest bit, the correction of checksums, so that they keep nothing out; then the
/// packets, each after its length.
func readLinkLayer(_ input: [UInt8]) {
  guard let choice = input.first else { return }
  let framing = [LinkLayerFraming.none, .radio, .nordic][Int(choice & 0x7F) % 3]
  var decoder = LinkLayerDecoder(framing: framing)
  var reports = CheckedReports()
  let packets = pieces(of: Array(input.dropFirst()))
  for (number, packet) in packets.enumerated() {
    let packet = choice < 0x80 ? packet : withRightChecksum(packet, framing)
    must { try decoder.decode(packet.span, time: Int64(number) << 16, into: &reports) }
  }
  must { try decoder.flush(into: &reports) }
  must { _ = try reports.builder.complete() }
  let counts = decoder.counts
  precondition(counts.sightings == reports.count)
  precondition(counts.packets == packets.count, "a packet is not accounted for, or twice")
  precondition(counts.reports == counts.packetsWithReports, "a packet became more than one thing")
}

private func withRightChecksum(_ packet: [UInt8], _ framing: LinkLayerFraming) -> [UInt8] {
  guard let reception = try? framing.reception(of: packet.span) else { return packet }
  let header = reception.start + (reception.phy == 3 ? 5 : 4)
  guard packet.count >= header + 2 else { return packet }
  let end = header + 2 + Int(packet[header + 1])
  guard packet.count >= end + 3 else { return packet }
  let checksum = LinkLayerChecksum.of(packet.span.extracting(header..<end))
  var packet = packet
  for byte in 0..<3 { packet[end + byte] = UInt8(truncatingIfNeeded: checksum >> (8 * byte)) }
  return packet
}

/// A sink that checks the guarantees of every report of a sniffer.
private struct CheckedReports: ReportSink, ~Copyable {
  var builder = TraceBuilder(into: Discard(), blockRows: 16)
  var count = 0

  mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
    count += 1
    precondition(report.rssi.isNaN || (-127...20).contains(report.rssi), "an invalid level")
    precondition(report.channel < 40 || report.channel == 255, "an invalid channel")
    precondition(
      (1...3).contains(report.primaryPHY) && report.secondaryPHY <= 3, "an invalid PHY")
    precondition(report.dataStatus <= 2 && payload.count <= 1650)
    try builder.receive(report, payload: payload)
  }
}
