package import PathLoss
package import Sightings
import Support

/// What a calibration found of one beacon.
package struct CalibratedBeacon {
  /// What one receiver heard in one pose.
  package struct Pose {
    /// Of all receivers that heard the pose; no other pose at this distance has it.
    package var name: String
    package var receiver: String
    /// Metres.
    package var distance: Double
    /// First and last packet, nanoseconds since the Unix epoch.
    package var span: ClosedRange<Int64>
    package var mean: PoseMean
    /// Whether it is one of those that the measured power is the mean of.
    package var isAtOneMetre: Bool { MeasuredPower.isOneMetre(distance) }
  }

  package let beacon: String
  /// Each pose, as each receiver has it; none is empty.
  let byPose: [[Pose]]
  /// Half the width that its interval is wished to have, dB.
  package let precision: Double
  /// Nil where no pose was at 1 m.
  package let power: MeasuredPower?
  package let extrapolated: Result<ExtrapolatedPower, ExtrapolatedPower.Impossible>
  /// What the beacon states itself, dBm at 1 m.
  package let stated: Double?
  package private(set) var warnings: [String] = []

  package init(_ beacon: String, in table: PoseTable, precision: Double) {
    self.beacon = beacon
    self.precision = precision
    stated = table.stated[beacon]
    var leftOut: [String] = []
    let own = table.poses.filter { $0.beacon == beacon }
    let isOfSeveral = Set(own.map(\.receiver)).count > 1
    let byPose = SharedPose.all(of: own).map { shared in
      shared.parts.compactMap { pose -> Pose? in
        guard let distance = pose.distance, let mean = PoseMean(pose.levels) else { return nil }
        guard distance >= Station.nearest, mean.samples >= PoseLevels.fewest else {
          leftOut.append(
            "the pose \"\(shared.name)\" at \(metres(distance))"
              + (isOfSeveral ? ", as \(pose.receiver) heard it," : "") + " is left out: "
              + (distance >= Station.nearest
                ? "it has \(mean.samples) packets, and a mean takes \(PoseLevels.fewest)"
                : "no level is measured nearer than 1 cm: check the distance and its unit"))
          return nil
        }
        return Pose(
          name: shared.name, receiver: pose.receiver, distance: distance,
          span: pose.start...pose.end, mean: mean)
      }
    }.filter { !$0.isEmpty }
    self.byPose = byPose
    power = MeasuredPower(
      poseMeans: byPose.filter { $0[0].isAtOneMetre }.compactMap {
        average($0.map(\.mean.trimmedMean))
      })
    extrapolated = ExtrapolatedPower.fit(
      byPose.filter { !$0[0].isAtOneMetre }.compactMap { pose in
        average(pose.map(\.mean.trimmedMean)).map { (pose[0].distance, $0) }
      })
    warnings = leftOut + doubts(table.doubts)
  }

  package var poses: [Pose] { byPose.flatMap(\.self) }

  /// What to flash; nil where the power is too uncertain, or there is none.
  package var advertised: AdvertisedPower? {
    power.flatMap { $0.isSureEnough ? AdvertisedPower($0.mean) : nil }
  }

  /// The mean over poses of what the three channels have in common, dBm; nil unless every pose at 1
  /// m has all three.
  package var channelBalanced: Double? {
    average(
      byPose.filter { $0[0].isAtOneMetre }.map { average($0.map(\.mean.channelBalanced)) })
  }

  /// dB from the extrapolated value to the measured one; nil where one is missing.
  package var extrapolatedDifference: Double? {
    guard let power, case .success(let fit) = extrapolated else { return nil }
    return power.mean - fit.measuredPower
  }

  /// dB from what the beacon states to the measured value; nil where one is missing.
  package var statedDifference: Double? {
    power.flatMap { power in stated.map { power.mean - $0 } }
  }

  /// The probability with which the poses that are advised give the precision wished for.
  package static let assurance = 0.8

  /// Poses for the precision wished for, with `assurance`; nil where that is not known, or none would
  /// do.
  package var posesNeeded: Int? {
    power?.posesNeeded(precision: precision, assurance: Self.assurance)
  }

  /// Those still missing.
  package var furtherPoses: Int? {
    power.flatMap { power in posesNeeded.map { max(0, $0 - power.poses) } }
  }

  /// Above this number of further poses, their spread is the problem and not their number.
  package static let mostPosesAdvised = 50

  /// What they mean for the precision, in words.
  package var needed: String {
    if furtherPoses == 0 { return "enough for ± \(plain(precision)) dB" }
    return advice(precision: precision) ?? "their spread is too large for ± \(plain(precision)) dB"
  }

  /// How many more poses it takes, in words; nil where more poses are not the advice.
  func advice(precision: Double) -> String? {
    guard let power, let least = power.posesNeeded(precision: precision),
      least - power.poses <= Self.mostPosesAdvised
    else { return nil }
    guard power.poses >= MeasuredPower.fewestToAdvise else {
      return "\(MeasuredPower.fewestToAdvise) or more show how many it takes for "
        + "± \(plain(precision)) dB"
    }
    guard let needed = power.posesNeeded(precision: precision, assurance: Self.assurance),
      needed - power.poses <= Self.mostPosesAdvised
    else { return nil }
    return "\(counted(needed - power.poses, "more pose")) for ± \(plain(precision)) dB with a "
      + "probability of \(plain(Self.assurance * 100)) %"
  }
}

/// Nil of nothing, and where a value is missing.
private func average(_ values: [Double?]) -> Double? {
  let known = values.compactMap(\.self)
  return known.isEmpty || known.count < values.count
    ? nil : known.reduce(0, +) / Double(known.count)
}

/// A distance as people write it.
package func metres(_ distance: Double) -> String { "\(plain((distance * 1e6).rounded() / 1e6)) m" }
