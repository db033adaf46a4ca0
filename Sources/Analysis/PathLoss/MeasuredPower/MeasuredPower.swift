public import NumericalMethods

/// The level at 1 m from the means of several poses, with its uncertainty.
///
/// All packets of a pose share its reflections and the pattern of the antenna, so poses are the
/// independent units, not packets: the interval is Student's t over the means of poses. Receivers
/// report whole decibels, so poses that seem to agree may differ by less than that: the standard
/// deviation in the interval is at least that of rounding.
///
/// ```swift
/// let power = MeasuredPower(poseMeans: [-60.8, -58.0, -58.2, -60.4])
/// print(power?.mean ?? .nan)
/// ```
public struct MeasuredPower: Equatable, Sendable {
  /// The smallest number of poses: two that agree by chance would look certain.
  public static let fewestPoses = 3
  /// The smallest number of poses for an estimate of the number still needed.
  package static let fewestToAdvise = 4
  /// The standard deviation of rounding to 1 dB, in dB.
  public static let roundingDeviation = (1.0 / 12).squareRoot()

  /// The half-width of the 95 % interval above which a power is too uncertain to advertise, in dB:
  /// an error of 6 dB is a factor of 2 in distance at an exponent of 2.
  public static let widestToAdvertise = 6.0

  /// Returns a Boolean value that is true if a distance is 1 m, where measured power is defined, to
  /// a centimetre.
  package static func isOneMetre(_ distance: Double) -> Bool { abs(distance - 1) <= 0.01 + 1e-9 }

  /// The number of poses.
  public var poses: Int
  /// The mean over poses, in dBm.
  public var mean: Double
  /// The measured standard deviation between poses, in dB; `nil` for one pose.
  public var poseDeviation: Double?

  /// Creates the mean of some poses, or returns `nil` without poses.
  ///
  /// - Parameter poseMeans: The mean levels in dBm, one per pose.
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

  /// The standard deviation for the interval, in dB: at least that of rounding.
  private var deviation: Double? { poseDeviation.map { max($0, Self.roundingDeviation) } }

  /// The standard error of the mean, in dB; `nil` for one pose.
  public var standardError: Double? { deviation.map { $0 / Double(poses).squareRoot() } }

  /// The half-width of the 95 % interval, in dB, with one degree of freedom less than poses; `nil`
  /// for one pose.
  public var halfWidth: Double? { deviation.map { intervalHalfWidth(of: poses, $0) } }

  /// The 95 % interval, in dBm; `nil` for one pose.
  public var interval: Interval? {
    halfWidth.map { Interval(lower: mean - $0, upper: mean + $0) }
  }

  /// A Boolean value that is true if the interval is narrow enough to advertise the mean; false for
  /// one pose, whose interval is unknown.
  public var isSureEnough: Bool { halfWidth.map { $0 <= Self.widestToAdvertise } ?? false }

  /// Returns the total number of poses, at least three, for an interval of ± `precision` dB.
  ///
  /// It assumes that the standard deviation stays the same. It returns `nil` for one pose, which
  /// shows no differences between poses, and if no feasible number suffices.
  ///
  /// The number suffices with a probability of at most one half: see
  /// ``posesNeeded(precision:assurance:)``.
  public func posesNeeded(precision: Double) -> Int? {
    guard let deviation, precision > 0, deviation / precision < 1e7 else { return nil }
    return first(from: Self.fewestPoses) { intervalHalfWidth(of: $0, deviation) <= precision }
  }

  /// Returns the total number of poses for an interval of ± `precision` dB with a given
  /// probability.
  ///
  /// The number includes these poses and is at least three. It accounts for the uncertainty of the
  /// standard deviation of few poses. It returns `nil` in the same cases as
  /// ``posesNeeded(precision:)``.
  ///
  /// K poses with the variance s², and m more of the same beacon, have the sum of squares (K − 1)
  /// s² + m s² F, with F of Fisher's distribution with m and K − 1 degrees of freedom, for any true
  /// variance. Source: Hahn and Meeker, "Statistical intervals", 1991, section 8.3 (sample sizes
  /// with an assurance).
  ///
  /// - Parameter assurance: The probability, above 0.5 and below 1.
  public func posesNeeded(precision: Double, assurance: Double) -> Int? {
    guard let deviation, let least = posesNeeded(precision: precision) else { return nil }
    if least <= poses { return max(poses, Self.fewestPoses) }
    let freedom = Double(poses - 1)
    return first(from: least) { count in
      let more = Double(count - poses)
      // The standard deviation for which that many poses have the precision, over that of these.
      let limit = precision / intervalHalfWidth(of: count, deviation)
      let ratio = (limit * limit * Double(count - 1) - freedom) / more
      return ratio > 0
        && FDistribution(numerator: more, denominator: freedom).below(ratio) >= assurance
    }
  }

  /// Returns the first number that suffices, if all numbers above it do.
  private func first(from least: Int, where isEnough: (Int) -> Bool) -> Int {
    var enough = least
    while !isEnough(enough) { enough *= 2 }
    // The answer is between two doublings.
    var tooFew = enough == least ? enough - 1 : enough / 2
    while enough - tooFew > 1 {
      let middle = (enough + tooFew) / 2
      if isEnough(middle) { enough = middle } else { tooFew = middle }
    }
    return enough
  }
}

/// Returns the half-width in dB; it needs at least two poses.
private func intervalHalfWidth(of poses: Int, _ deviation: Double) -> Double {
  StudentTDistribution(degreesOfFreedom: Double(poses - 1)).quantile(0.975) * deviation
    / Double(poses).squareRoot()
}
