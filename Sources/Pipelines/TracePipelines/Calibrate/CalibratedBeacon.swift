public import PathLoss
public import Sightings
import Support

/// The result of a calibration for one beacon.
public struct CalibratedBeacon: Sendable {
  /// The level of one receiver in one pose.
  public struct Pose: Sendable {
    /// The name, shared by all receivers in the pose and by no other pose at this distance.
    public var name: String
    /// The name of the receiver.
    public var receiver: String
    /// The distance from the receiver to the beacon, in metres.
    public var distance: Double
    /// The times of the first and last packet, in nanoseconds since the Unix epoch.
    public var span: ClosedRange<Int64>
    /// The mean level of the pose.
    public var mean: PoseMean
    /// A Boolean value that is true if its level is in the mean of the measured power.
    public var isAtOneMetre: Bool { MeasuredPower.isOneMetre(distance) }
  }

  /// The identity of the beacon.
  public let beacon: String
  /// Each pose, as each receiver has it; none is empty.
  let byPose: [[Pose]]
  /// The target half-width of its interval, in dB.
  public let precision: Double
  /// The measured power; nil if no pose was at 1 m.
  public let power: MeasuredPower?
  /// The power extrapolated from poses at other distances, or the reason why there is none.
  public let extrapolated: Result<ExtrapolatedPower, ExtrapolatedPower.Impossible>
  /// The power that the beacon advertises, in dBm at 1 m; nil if it advertises none.
  public let configured: Double?
  /// The warnings about this beacon.
  public private(set) var warnings: [String] = []

  package init(_ beacon: String, in table: PoseMeasurements, precision: Double) {
    self.beacon = beacon
    self.precision = precision
    configured = table.advertised[beacon]
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

  /// The poses, one for each receiver that heard them.
  public var poses: [Pose] { byPose.flatMap(\.self) }

  /// The power to configure; nil if the power is too uncertain, or there is none.
  public var advertised: AdvertisedPower? {
    power.flatMap { $0.isSureEnough ? AdvertisedPower($0.mean) : nil }
  }

  /// The mean over poses of the level that the three channels have in common, in dBm; nil unless
  /// every pose at 1 m has all three.
  public var channelBalanced: Double? {
    average(
      byPose.filter { $0[0].isAtOneMetre }.map { average($0.map(\.mean.channelBalanced)) })
  }

  /// The mean over poses at 1 m of the mean of all packets, in dBm; nil if no pose was at 1 m.
  ///
  /// It is the measured power as a path-loss fit estimates it. The measured power here trims
  /// packets, so that a person in between moves it less.
  public var untrimmedPower: Double? {
    average(byPose.filter { $0[0].isAtOneMetre }.map { average($0.map(\.mean.mean)) })
  }

  /// The measured power less the one without trimming, in dB; nil if no pose was at 1 m.
  public var trimmingDifference: Double? {
    power.flatMap { power in untrimmedPower.map { power.mean - $0 } }
  }

  /// The measured power less the extrapolated one, in dB; nil if one is missing.
  public var extrapolatedDifference: Double? {
    guard let power, case .success(let fit) = extrapolated else { return nil }
    return power.mean - fit.measuredPower
  }

  /// The measured power less the one that the beacon advertises, in dB; nil if one is missing.
  public var configuredDifference: Double? {
    power.flatMap { power in configured.map { power.mean - $0 } }
  }

  /// The probability with which the suggested number of poses reaches the target precision.
  public static let assurance = 0.8

  /// The number of poses that reach the target precision with `assurance`; nil if it is not known,
  /// or no number would.
  public var posesNeeded: Int? {
    power?.posesNeeded(precision: precision, assurance: Self.assurance)
  }

  /// The number of further poses.
  public var furtherPoses: Int? {
    power.flatMap { power in posesNeeded.map { max(0, $0 - power.poses) } }
  }

  /// The largest number of further poses to suggest: beyond it, their spread is the problem.
  public static let mostPosesAdvised = 50

  /// The number of further poses for the target precision, in words.
  public var needed: String {
    if furtherPoses == 0 { return "enough for ± \(plain(precision)) dB" }
    return advice(precision: precision) ?? "their spread is too large for ± \(plain(precision)) dB"
  }

  /// Returns the number of further poses in words; nil if more poses would not help.
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

/// Returns the mean; nil of no values, and if a value is missing.
private func average(_ values: [Double?]) -> Double? {
  let known = values.compactMap(\.self)
  return known.isEmpty || known.count < values.count
    ? nil : known.reduce(0, +) / Double(known.count)
}

/// Returns a distance in metres as text.
package func metres(_ distance: Double) -> String { "\(plain((distance * 1e6).rounded() / 1e6)) m" }

extension CalibratedBeacon {
  /// A difference in dB above which two values of one thing need an explanation.
  private static let remarkable = 3.0
  /// A standard deviation of poses in dB above which something other than the beacon's orientation
  /// makes them differ.
  private static let widestSpread = 6.0
  /// An effect of trimming in dB that fading alone does not have: for Rician fading it is at most
  /// 0.54 dB.
  private static let mostTrimmed = 0.75

  /// Returns the reasons to doubt the measured power.
  ///
  /// - Parameter smoothing: receivers whose levels are not of single packets.
  func doubts(_ smoothing: [String: Radio.RSSIKind]) -> [String] {
    var doubts: [String] = []
    guard let power else {
      return ["the measured power is the level at 1 m, and no pose there has enough packets"]
    }
    doubts += intervalDoubts(power)
    if let difference = extrapolatedDifference, abs(difference) > Self.remarkable {
      doubts.append(
        "the level at 1 m is \(decimal(abs(difference), 1)) dB "
          + "\(difference > 0 ? "above" : "below") the level that the other distances predict: check the "
          + "distances, and look for something that reflects"
      )
    }
    if let difference = configuredDifference, abs(difference) > Self.remarkable {
      doubts.append(
        "the beacon advertises \(decimal(configured, 0)) dBm, \(decimal(abs(difference), 1)) dB "
          + "\(difference > 0 ? "below" : "above") the measured power: it was calibrated with "
          + "another receiver or transmit power, or not at all"
      )
    }
    if let difference = trimmingDifference, difference > Self.mostTrimmed {
      doubts.append(
        "without trimming the measured power would be \(decimal(difference, 1)) dB lower, more than "
          + "fading explains: a person or an object was in between for some packets; record again"
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
          "\(receiver) smooths levels before it reports them, so levels from before a pose are in "
            + "its level"
        )
      case .raw, nil: break
      }
    }
    return doubts
  }

  /// Returns the doubts about the interval and the number of poses.
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

/// A pose as all the receivers that heard a beacon in it have it: they heard the same placement of
/// the beacon, so together they are one pose.
struct SharedPose {
  /// A name that distinguishes poses at one distance.
  var name: String
  /// The measurements of the receivers, at one distance.
  var parts: [PoseMeasurements.Pose]

  /// Returns the poses of one beacon that have a distance, in order.
  ///
  /// Receivers share a pose of one name and distance if half of the shorter one's time is common to
  /// both: a receiver that hears little of a pose begins later and ends earlier.
  static func all(of poses: [PoseMeasurements.Pose]) -> [SharedPose] {
    var shared: [SharedPose] = []
    var alike: [String: [Int]] = [:]
    for pose in poses {
      guard let distance = pose.distance else { continue }
      let key = "\(pose.name)\u{0}\(distance)"
      let others = alike[key] ?? []
      if let same = others.last(where: { shared[$0].isHeard(by: pose) }) {
        shared[same].parts.append(pose)
      } else {
        alike[key, default: []].append(shared.count)
        let name = others.isEmpty ? pose.name : "\(pose.name) (\(others.count + 1))"
        shared.append(SharedPose(name: name, parts: [pose]))
      }
    }
    return shared
  }

  /// Returns whether another receiver's pose is this one.
  private func isHeard(by other: PoseMeasurements.Pose) -> Bool {
    parts.contains { $0.isAtTheTime(of: other) }
      && parts.allSatisfy { $0.receiver != other.receiver }
  }
}

extension PoseMeasurements.Pose {
  fileprivate func isAtTheTime(of other: PoseMeasurements.Pose) -> Bool {
    // Floating point, because a file may hold any times.
    let common = Double(min(end, other.end)) - Double(max(start, other.start))
    let shorter = min(Double(end) - Double(start), Double(other.end) - Double(other.start))
    return common >= shorter / 2
  }
}
