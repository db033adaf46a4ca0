import Advertising
import Sightings

@testable import Capture

/// Reads packets of the kernel's monitor channel, each after a byte with its length.
func readMonitor(_ input: [UInt8]) {
  var decoder = HCIEventDecoder()
  var builder = TraceBuilder(into: Discard(), blockRows: 16)
  for packet in pieces(of: input) {
    guard let (adapter, content) = MonitorPacket.read(packet.span) else { continue }
    switch content {
    case .event(let range):
      let event = Array(packet[range])
      if let reply = CommandReply(event: event.span) {
        precondition(reply.parameters.count <= event.count - 6, "parameters from nowhere")
      }
      must { try decoder.decode(event.span, time: 0, adapter: adapter, into: &builder) }
    case .command(_, let parameters):
      precondition(parameters.upperBound == packet.count && parameters.count == Int(packet[8]))
    case .identity(let address, _):
      precondition(DeviceAddress(address) != nil, "an invalid address")
    case .appeared, .disappeared, .on, .off, .other: break
    }
  }
  must { try decoder.flush(into: &builder) }
  may { _ = try builder.complete() }
}
