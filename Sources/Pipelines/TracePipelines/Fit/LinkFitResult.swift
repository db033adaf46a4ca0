import NumericalMethods
public import PathLoss
package import Positioning
import RealModule
public import TraceStore

/// The calibration of nodes that hear each other.
public struct LinkFitResult: Sendable {
  /// The names of the anchors, and of the beacons and the receivers.
  package var names: [String]
  package var beacons: [String]
  package var receivers: [String]
  package var links: AnchorLinks
  package var constants: LinkCalibration
  package var places: LinkPlaces
  /// The standard deviation of packets about the mean of their link, in dB; nil for single packets.
  package var packetDeviation: Double?
  package var inputs: [Calibration.Input]
  package var configuration: FitConfiguration

  /// Returns the constants for positioning.
  ///
  /// Phones among these beacons need a fit for each beacon, tags among these receivers one for each
  /// receiver. Offsets that a group does not know are a part of its sigma.
  public func calibration(by grouping: Grouping, of tool: ToolIdentity) -> Calibration {
    let numbers = (
      beacons: grouping.parts.contains(.beacon) ? beacons.indices.map { $0 } : [nil],
      receivers: grouping.parts.contains(.receiver) ? receivers.indices.map { $0 } : [nil]
    )
    let groups = numbers.beacons.flatMap { beacon in
      numbers.receivers.map { group(beacon: beacon, receiver: $0) }
    }
    return Calibration(
      toolVersion: tool.version, commandLine: tool.commandLine,
      model: (links.kinds.isEmpty ? ModelName.logDistance : .walls).rawValue,
      estimator: PathLossEstimator.censored.rawValue, settings: configuration,
      by: grouping.description, groups: groups.filter { $0.samples > 0 }.sorted { $0.key < $1.key },
      pooled: group(beacon: nil, receiver: nil), excluded: [:], inputs: inputs, stations: [])
  }

  private func group(beacon: Int?, receiver: Int?) -> PathLossGroup {
    let own = links.links.filter {
      $0.level != nil && (beacon == nil || $0.beacon == beacon)
        && (receiver == nil || $0.receiver == receiver)
    }
    let (beaconName, receiverName) = (beacon.map { beacons[$0] }, receiver.map { receivers[$0] })
    let parts = [beaconName, receiverName].compactMap(\.self)
    var group = PathLossGroup(
      key: parts.isEmpty ? "pooled" : parts.joined(separator: "/"),
      samples: Int(own.reduce(0) { $0 + $1.packets }), positions: own.count)
    (group.beacon, group.receiver) = (beaconName, receiverName)
    let (power, cross) = constants.power(ofBeacon: beacon, atReceiver: receiver)
    (group.measuredPower, group.exponent) = (power.mean, constants.exponent.mean)
    (group.powerError, group.powerInterval) = (power.deviation, power.interval)
    group.exponentError = constants.exponent.deviation
    group.exponentInterval = constants.exponent.interval
    (group.powerExponentCovariance, group.errorBasis) = (cross, .positions)
    let deviations = constants.deviations
    let shared =
      deviations.shadowing * deviations.shadowing + deviations.direction * deviations.direction
      + (beacon == nil ? deviations.power * deviations.power : 0)
      + (receiver == nil ? deviations.offset * deviations.offset : 0)
    group.positionDeviation = shared.squareRoot()
    group.packetDeviation = packetDeviation
    group.sigma = Double.hypot(shared.squareRoot(), packetDeviation ?? 0)
    let distances = own.map { links.distance($0) }
    group.distances = Set(distances).count
    if let nearest = distances.min(), let farthest = distances.max() {
      group.distanceRange = Interval(lower: nearest, upper: farthest)
    }
    if !links.kinds.isEmpty {
      group.walls = zip(links.kinds, constants.wallLosses).map { kind, loss in
        WallLoss(
          kind: kind, attenuation: loss.mean, standardError: loss.deviation,
          interval: loss.interval)
      }
    }
    return group
  }
}
