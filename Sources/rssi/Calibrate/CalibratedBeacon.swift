import PathLoss
import Sightings

/// What a calibration found of one beacon.
struct CalibratedBeacon {
  struct Pose {
    var name: String
    var receiver: String
    /// Metres.
    var distance: Double
    /// First and last packet, nanoseconds since the Unix epoch.
    var span: ClosedRange<Int64>
    var mean: PoseMean
    /// Whether it is one of those that the measured power is the mean of.
    var isAtOneMetre: Bool { isOneMetre(distance) }
  }

  let beacon: String
  let poses: [Pose]
  /// Half the width that its interval is wished to have, dB.
  let precision: Double
  /// Nil where no pose was at 1 m.
  let power: MeasuredPower?
  let extrapolated: Result<ExtrapolatedPower, ExtrapolatedPower.Impossible>
  /// What the beacon says of itself, dBm at 1 m.
  let stated: Double?
  private(set) var warnings: [String] = []

  init(_ beacon: String, in table: PoseTable, precision: Double) {
    self.beacon = beacon
    self.precision = precision
    stated = table.stated[beacon]
    var poses: [Pose] = []
    var leftOut: [String] = []
    for (pose, name) in Self.named(table.poses.filter { $0.beacon == beacon }) {
      guard let distance = pose.distance, let mean = PoseMean(pose.levels) else { continue }
      if distance > 0, mean.samples >= PoseLevels.fewest {
        poses.append(
          Pose(
            name: name, receiver: pose.receiver, distance: distance, span: pose.start...pose.end,
            mean: mean))
      } else {
        leftOut.append(
          "the pose \"\(name)\" at \(metres(distance)) is left out: "
            + (distance > 0
              ? "it has \(mean.samples) packets, and a mean takes \(PoseLevels.fewest)"
              : "a beacon at no distance has no level"))
      }
    }
    self.poses = poses
    power = MeasuredPower(poseMeans: poses.filter(\.isAtOneMetre).map(\.mean.trimmedMean))
    extrapolated = ExtrapolatedPower.fit(
      poses.filter { !$0.isAtOneMetre }.map { ($0.distance, $0.mean.trimmedMean) })
    warnings = leftOut + doubts(table)
  }

  var advertised: AdvertisedPower? { power.map { AdvertisedPower($0.mean) } }

  /// The mean over poses of what the three channels have in common, dBm; nil unless every pose at 1 m
  /// has all three.
  var channelBalanced: Double? {
    let means = poses.filter(\.isAtOneMetre).map(\.mean.channelBalanced)
    return MeasuredPower(poseMeans: means.compactMap(\.self)).flatMap {
      $0.poses == means.count ? $0.mean : nil
    }
  }

  /// dB from the extrapolated value to the measured one; nil where one is missing.
  var extrapolatedDifference: Double? {
    guard let power, case .success(let fit) = extrapolated else { return nil }
    return power.mean - fit.measuredPower
  }

  /// dB from what the beacon says to the measured value; nil where one is missing.
  var statedDifference: Double? { power.flatMap { power in stated.map { power.mean - $0 } } }

  /// Poses still missing for the precision wished for; nil where that is not known.
  var furtherPoses: Int? {
    power.flatMap { power in
      power.posesNeeded(precision: precision).map { max(0, $0 - power.poses) }
    }
  }

  /// A difference in dB above which two values of one thing need an explanation.
  private static let remarkable = 3.0

  private func doubts(_ table: PoseTable) -> [String] {
    var doubts: [String] = []
    guard let power else {
      return ["no pose at 1 m with enough packets: the measured power is the level there"]
    }
    if power.poses == 1 {
      doubts.append(
        "one pose has no interval: levels differ by some dB from pose to pose, and nobody knows by how many here; record 3 or more"
      )
    } else if let half = power.halfWidth, half > precision, let furtherPoses {
      doubts.append(
        "the interval is ± \(decimal(half, 2)) dB, wider than ± \(plain(precision)) dB: it takes \(counted(furtherPoses, "more pose")), if they differ as these do; more packets do not help"
      )
    }
    if let deviation = power.poseDeviation, deviation > 6 {
      doubts.append(
        "poses differ by \(decimal(deviation, 1)) dB (sd), more than turning a beacon does: look for metal, walls and bodies near it before taking more"
      )
    }
    if let difference = extrapolatedDifference, abs(difference) > Self.remarkable {
      doubts.append(
        "the level at 1 m is \(decimal(abs(difference), 1)) dB \(difference > 0 ? "above" : "below") what the other distances promise: check the distances, and look for something that reflects"
      )
    }
    if let difference = statedDifference, abs(difference) > Self.remarkable {
      doubts.append(
        "the beacon states \(decimal(stated, 0)) dBm, \(decimal(abs(difference), 1)) dB \(difference > 0 ? "below" : "above") what was measured: it was calibrated with another receiver or transmit power, or not at all"
      )
    }
    if let balanced = channelBalanced, abs(balanced - power.mean) > 1 {
      doubts.append(
        "the channels were heard unequally often and differ: balanced, the measured power would be \(decimal(balanced, 2)) dBm"
      )
    }
    doubts += AdvertisedPower(power.mean).refusals
    let receivers = Set(poses.map(\.receiver)).sorted()
    if receivers.count > 1 {
      doubts.append(
        "\(receivers.count) receivers are averaged, which differ by some dB: --receiver takes one of \(receivers.prefix(5).joined(separator: ", "))"
      )
    }
    for receiver in receivers {
      switch table.doubts[receiver] {
      case .last: doubts.append("\(receiver) tells the last of several advertisements only")
      case .filtered:
        doubts.append(
          "\(receiver) smooths levels before it tells them, so what it heard before a pose is in its level"
        )
      case .raw, nil: break
      }
    }
    return doubts
  }

  /// Poses with names that tell those at one distance apart.
  private static func named(_ poses: [PoseTable.Pose]) -> [(PoseTable.Pose, String)] {
    var seen: [String: Int] = [:]
    return poses.filter { $0.distance != nil }.map { pose in
      let key = "\(pose.name)\u{0}\(pose.distance ?? 0)"
      seen[key, default: 0] += 1
      let count = seen[key] ?? 1
      return (pose, count == 1 ? pose.name : "\(pose.name) (\(count))")
    }
  }
}

/// Whether a distance is the one at which measured power is defined, to a centimetre.
func isOneMetre(_ distance: Double) -> Bool { abs(distance - 1) <= 0.01 + 1e-9 }

/// A distance as people write it.
func metres(_ distance: Double) -> String { "\(plain((distance * 1e6).rounded() / 1e6)) m" }

/// A number of things, in words.
func counted(_ count: Int, _ thing: String) -> String { "\(count) \(thing)\(count == 1 ? "" : "s")" }
