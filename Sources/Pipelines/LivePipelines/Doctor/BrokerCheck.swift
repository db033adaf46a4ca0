import Capture
import Sightings
import Support

/// Whether a broker takes a connection and a subscription.
///
/// - Throws: `RSSIError` of kind `usage` for what is not a broker's address.
func brokerCheck(
  _ broker: String, _ options: GatewayOptions, patience: Double, clock: MachineClock
) throws(RSSIError) -> MachineCheck {
  let advice = "the address is mqtt://[USER@]HOST[:PORT], or mqtts:// for TLS"
  do throws(RSSIError) {
    var channel = try BrokerChannel(broker: broker, topics: ["rssi/doctor"], options: options)
    let deadline = clock.monotonic() + Int64(patience * 1e9)
    while clock.monotonic() < deadline {
      guard case .connected = try channel.step(within: 50) else { continue }
      channel.close()
      return MachineCheck("broker", .ok, "\(channel.name) answers")
    }
    return MachineCheck(
      "broker", .problem, "\(channel.name) does not answer within \(plain(patience)) s",
      advice: "check its name and port, and whether a firewall lets this machine reach it")
  } catch {
    guard error.kind != .usage else { throw error }
    return MachineCheck("broker", error, advice: advice)
  }
}
