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
    warnings = leftOut + doubts(table.doubts)
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
