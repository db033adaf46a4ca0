import Sightings

/// The clock that a trace was recorded by, and how far it was off.
package struct PartClock {
  /// Whether times of receivers are of the machine whose clock was compared.
  let isMachines: Bool
  let track: OffsetTrack

  /// A clock that is right.
  package init() { (isMachines, track) = (false, OffsetTrack([])) }

  /// - Parameter track: what to add to the machine's times.
  package init(of track: OffsetTrack) { (isMachines, self.track) = (true, track) }

  /// Whether a receiver's times are of the machine's clock: gateways stamp by other clocks.
  func isOf(_ receiver: Node) -> Bool {
    let foreign: [Radio.TimeKind] = [.gatewaySeconds, .gatewayMilliseconds, .recorded]
    return isMachines && !foreign.contains(receiver.radio.timeKind)
  }
}
