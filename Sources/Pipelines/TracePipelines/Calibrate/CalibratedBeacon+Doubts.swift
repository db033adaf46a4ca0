import PathLoss
import Sightings
import Support

extension CalibratedBeacon {
  /// A difference in dB above which two values of one thing need an explanation.
  private static let remarkable = 3.0
  /// A standard deviation of poses in dB above which something other than the beacon's orientation
  /// makes them differ.
  private static let widestSpread = 6.0

  /// What a person has to think about before using the measured power.
  ///
  /// - Parameter smoothing: receivers whose levels are not of single packets.
  func doubts(_ smoothing: [String: Radio.RSSIKind]) -> [String] {
    var doubts: [String] = []
    guard let power else {
      return ["no pose at 1 m with enough packets: the measured power is the level there"]
    }
    doubts += intervalDoubts(power)
    if let difference = extrapolatedDifference, abs(difference) > Self.remarkable {
      doubts.append(
        "the level at 1 m is \(decimal(abs(difference), 1)) dB "
          + "\(difference > 0 ? "above" : "below") what the other distances promise: check the "
          + "distances, and look for something that reflects"
      )
    }
    if let difference = statedDifference, abs(difference) > Self.remarkable {
      doubts.append(
        "the beacon states \(decimal(stated, 0)) dBm, \(decimal(abs(difference), 1)) dB "
          + "\(difference > 0 ? "below" : "above") what was measured: it was calibrated with "
          + "another receiver or transmit power, or not at all"
      )
    }
    if let balanced = channelBalanced, abs(balanced - power.mean) > 1 {
      doubts.append(
        "the channels were heard unequally often and differ: balanced, the measured power would be "
          + "\(decimal(balanced, 2)) dBm"
      )
    }
    doubts += [AdvertisedPower.doubt(power.mean)].compactMap(\.self)
    doubts += advertised?.refusals ?? []
    let receivers = Set(poses.map(\.receiver)).sorted()
    if receivers.count > 1 {
      let isUneven = byPose.contains { $0.count < receivers.count }
      doubts.append(
        "\(receivers.count) receivers are "
          + "averaged\(isUneven ? ", though not every pose has all of them" : ""), which differ by "
          + "some dB: choose one of \(receivers.prefix(5).joined(separator: ", "))"
      )
    }
    for receiver in receivers {
      switch smoothing[receiver] {
      case .last: doubts.append("\(receiver) reports the last of several advertisements only")
      case .filtered:
        doubts.append(
          "\(receiver) smooths levels before it reports them, so what it heard before a pose is in "
            + "its level"
        )
      case .raw, nil: break
      }
    }
    return doubts
  }

  /// What the interval and the number of poses give reason to doubt.
  private func intervalDoubts(_ power: MeasuredPower) -> [String] {
    guard let half = power.halfWidth else {
      return [
        "one pose has no interval, so no byte is named: levels differ by some dB from pose to pose, "
          + "and one pose does not show by how many; record 3 or more"
      ]
    }
    let deviation = power.poseDeviation ?? 0
    let spread =
      "poses differ by \(decimal(deviation, 1)) dB (sd), more than turning a beacon does: look for "
      + "metal, walls and bodies nearby, check distance and antennas, then record again"
    guard half > precision || !power.isSureEnough else {
      if deviation > Self.widestSpread { return [spread] }
      return power.poses < MeasuredPower.fewestPoses
        ? ["\(power.poses) poses may agree by chance: record \(MeasuredPower.fewestPoses) or more"]
        : []
    }
    let limit = MeasuredPower.widestToAdvertise
    let target = min(precision, limit)
    let judged =
      power.isSureEnough
      ? "wider than ± \(plain(precision)) dB"
      : "too uncertain to flash, so no byte is named (± \(plain(limit)) dB is a factor of 2 in "
        + "distance)"
    let remedy =
      if deviation <= Self.widestSpread, let advice = advice(precision: target) {
        "poses differ by \(decimal(deviation, 1)) dB (sd): \(advice); more packets do not help"
      } else if deviation > Self.remarkable {
        spread
      } else {
        "more poses than \(Self.mostPosesAdvised) would be needed, since these differ by "
          + "\(decimal(deviation, 1)) dB (sd): ask for a wider interval"
      }
    return ["the interval is ± \(decimal(half, 2)) dB, \(judged): \(remedy)"]
  }
}
