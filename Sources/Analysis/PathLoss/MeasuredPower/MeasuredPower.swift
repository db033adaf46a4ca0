public import NumericalMethods

/// The level at 1 m from the means of several poses, and how well it is known.
///
/// All packets of a pose share its reflections and the pattern of the antenna, so poses are what is
/// independent, not packets: the interval is Student's t over the means of poses. Receivers show
/// whole decibels, so poses that seem to agree may differ by less than that: what the interval
/// takes for their deviation is at least that of rounding.
///
/// ```swift
/// let power = MeasuredPower(poseMeans: [-60.8, -58.0, -58.2, -60.4])
/// print(power?.mean ?? .nan)
/// ```
public struct MeasuredPower: Equatable, Sendable {
  /// Fewer poses are never enough: two that agree by chance would look as if all did.
  public static let fewestPoses = 3
  /// Fewer poses state too little of how poses differ to show how many more it takes.
  package static let fewestToAdvise = 4
  /// The standard deviation of what rounding to 1 dB hides, dB.
  public static let roundingDeviation = (1.0 / 12).squareRoot()

  /// The half width of the 95 % interval above which a power is too uncertain to advertise, dB: an
  /// error of 6 dB is a factor of 2 in distance at an exponent of 2.
  public static let widestToAdvertise = 6.0

  /// Returns whether a distance is the one at which measured power is defined, to a centimetre.
  package static func isOneMetre(_ distance: Double) -> Bool { abs(distance - 1) <= 0.01 + 1e-9 }

  /// The number of poses.
  public var poses: Int
  /// The mean over poses, dBm.
  public var mean: Double
  /// The standard deviation from pose to pose, dB, as measured; nil of one pose.
  public var poseDeviation: Double?

  /// Creates the mean of some poses.
  ///
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

  /// The standard error of the mean, in dB; nil of one pose.
  public var standardError: Double? { deviation.map { $0 / Double(poses).squareRoot() } }

  /// Half the width of the 95 % interval, dB, with one degree of freedom less than poses; nil of
  /// one.
  public var halfWidth: Double? { deviation.map { intervalHalfWidth(of: poses, $0) } }

  /// The 95 % interval, dBm; nil of one pose.
  public var interval: Interval? {
    halfWidth.map { Interval(lower: mean - $0, upper: mean + $0) }
  }

  /// A Boolean value that is true if the interval is narrow enough to advertise the mean; false of
  /// one pose, whose interval is not known.
  public var isSureEnough: Bool { halfWidth.map { $0 <= Self.widestToAdvertise } ?? false }

  /// Returns the number of poses, these included and three at least, for an interval of ±
  /// `precision` dB.
  ///
  /// It assumes that the standard deviation stays what it is. Returns nil for one pose, which does
  /// not show how poses differ, and if no feasible number is enough.
  ///
  /// It is what it takes for one half of all benches, at best: see
  /// ``posesNeeded(precision:assurance:)``.
  public func posesNeeded(precision: Double) -> Int? {
    guard let deviation, precision > 0, deviation / precision < 1e7 else { return nil }
    return first(from: Self.fewestPoses) { intervalHalfWidth(of: $0, deviation) <= precision }
  }

  /// Returns the number of poses for an interval of ± `precision` dB with a probability.
  ///
  /// These poses are included, and the number is three at least. The deviation that few poses show
  /// is itself uncertain. Returns nil as ``posesNeeded(precision:)`` does.
  ///
  /// K poses with the variance s², and m more of the same beacon, have the sum of squares (K − 1)
  /// s² + m s² F, with F of Fisher's distribution with m and K − 1 degrees of freedom, whatever the
  /// true variance is. Source: Hahn and Meeker, "Statistical intervals", 1991, section 8.3 (sample
  /// sizes with an assurance).
  ///
  /// - Parameter assurance: the probability, above 0.5 and below 1.
  public func posesNeeded(precision: Double, assurance: Double) -> Int? {
    guard let deviation, let least = posesNeeded(precision: precision) else { return nil }
    if least <= poses { return max(poses, Self.fewestPoses) }
    let freedom = Double(poses - 1)
    return first(from: least) { count in
      let more = Double(count - poses)
      // The standard deviation with which that many have the precision, over that of these.
      let limit = precision / intervalHalfWidth(of: count, deviation)
      let ratio = (limit * limit * Double(count - 1) - freedom) / more
      return ratio > 0
        && FDistribution(numerator: more, denominator: freedom).below(ratio) >= assurance
    }
  }

  /// The first number that is enough, where all above it are.
  private func first(from least: Int, where isEnough: (Int) -> Bool) -> Int {
    var enough = least
    while !isEnough(enough) { enough *= 2 }
    // It lies between two doublings.
    var tooFew = enough == least ? enough - 1 : enough / 2
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
