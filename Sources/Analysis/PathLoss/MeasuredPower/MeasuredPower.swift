public import NumericalMethods

/// The level at 1 m from the means of several poses, and how well it is known.
///
/// All packets of a pose share its reflections and the pattern of the antenna, so poses are what is
/// independent, not packets: the interval is Student's t over the means of poses. Receivers tell
/// whole decibels, so poses that seem to agree may differ by less than that: what the interval
/// takes for their deviation is at least that of rounding.
public struct MeasuredPower: Equatable, Sendable {
  /// Fewer poses are never enough: two that agree by chance would look as if all did.
  public static let fewestPoses = 3
  /// The standard deviation of what rounding to 1 dB hides, dB.
  public static let roundingDeviation = (1.0 / 12).squareRoot()

  /// The half width of the 95 % interval above which a power is too uncertain to advertise, dB: an
  /// error of 6 dB is a factor of 2 in distance at an exponent of 2.
  public static let widestToAdvertise = 6.0

  /// Whether a distance is the one at which measured power is defined, to a centimetre.
  package static func isOneMetre(_ distance: Double) -> Bool { abs(distance - 1) <= 0.01 + 1e-9 }

  public var poses: Int
  /// The mean over poses, dBm.
  public var mean: Double
  /// The standard deviation from pose to pose, dB, as measured; nil of one pose.
  public var poseDeviation: Double?

  /// - Parameter poseMeans: dBm, one a pose; nil of none.
  public init?(poseMeans: [Double]) {
    guard !poseMeans.isEmpty else { return nil }
    let count = Double(poseMeans.count)
    let mean = poseMeans.reduce(0, +) / count
    self.mean = mean
    poses = poseMeans.count
    guard poses > 1 else { return }
    let squares = poseMeans.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    poseDeviation = (squares / (count - 1)).squareRoot()
  }

  /// What the interval takes for it, dB: no less than rounding hides.
  private var deviation: Double? { poseDeviation.map { max($0, Self.roundingDeviation) } }

  /// Of the mean, dB; nil of one pose.
  public var standardError: Double? { deviation.map { $0 / Double(poses).squareRoot() } }

  /// Half the width of the 95 % interval, dB, with one degree of freedom less than poses; nil of
  /// one.
  public var halfWidth: Double? { deviation.map { intervalHalfWidth(of: poses, $0) } }

  /// The 95 % interval, dBm; nil of one pose.
  public var interval: Interval? {
    halfWidth.map { Interval(lower: mean - $0, upper: mean + $0) }
  }

  /// Whether the interval is narrow enough to advertise the mean; false of one pose, whose interval
  /// is not known.
  public var isSureEnough: Bool { halfWidth.map { $0 <= Self.widestToAdvertise } ?? false }

  /// How many poses, these included and three at least, give an interval of at most ± `precision`
  /// dB, if poses go on to differ as they did; nil where one pose does not tell how they differ, or
  /// no number that anybody can take would do.
  public func posesNeeded(precision: Double) -> Int? {
    guard let deviation, precision > 0, deviation / precision < 1e7 else { return nil }
    func isEnough(_ poses: Int) -> Bool { intervalHalfWidth(of: poses, deviation) <= precision }
    // The width falls with every pose, so the first that is enough lies between two doublings.
    var enough = Self.fewestPoses
    while !isEnough(enough) { enough *= 2 }
    var tooFew = enough == Self.fewestPoses ? enough - 1 : enough / 2
    while enough - tooFew > 1 {
      let middle = (enough + tooFew) / 2
      if isEnough(middle) { enough = middle } else { tooFew = middle }
    }
    return enough
  }
}

/// dB; at least two poses.
private func intervalHalfWidth(of poses: Int, _ deviation: Double) -> Double {
  StudentTDistribution(degreesOfFreedom: Double(poses - 1)).quantile(0.975) * deviation
    / Double(poses).squareRoot()
}
