import PathLoss
import RealModule
import Support
import TracePipelines

/// The level over distance by the constants of a group.
struct FittedCurve {
  private let power: Double
  private let exponent: Double
  private let bend: TwoSlope?
  private let losses: [String: Double]
  /// The curve with its uncertainty, if known.
  let line: FittedLine?
  /// The constants in words.
  let words: String

  /// Nil where the constants are not known.
  init?(_ group: PathLossGroup) {
    guard let power = group.measuredPower, let exponent = group.exponent else { return nil }
    self.power = power
    self.exponent = exponent
    bend = group.twoSlope
    losses = (group.walls ?? []).reduce(into: [:]) { $0[$1.kind] = $1.attenuation }
    line = group.line
    func number(_ value: Double, _ error: Double?, _ digits: Int) -> String {
      decimal(value, digits) + (error.map { " (se \(decimal($0, digits)))" } ?? "")
    }
    var words = "P \(number(power, group.powerError, 1)) dBm"
    words += ", n \(number(exponent, group.exponentError, 2))"
    if let bend {
      words += " to \(decimal(bend.breakpoint, 1)) m"
      words += ", then \(number(bend.farExponent, bend.farExponentError, 2))"
    }
    self.words = words
  }

  /// dBm.
  ///
  /// - Parameter walls: between the two ends, by kind; none where nil.
  func level(atDistance distance: Double, walls: [String: Int]? = nil) -> Double {
    let x = -10 * Double.log10(distance)
    var level = power + exponent * x
    if let bend {
      level += (bend.farExponent - exponent) * min(0, x + 10 * Double.log10(bend.breakpoint))
    }
    for (kind, count) in walls ?? [:] { level -= Double(count) * (losses[kind] ?? 0) }
    return level
  }
}

/// The curves of all groups of a calibration.
struct FittedCurves {
  private let grouping: Grouping
  private let countsWalls: Bool
  private var curves: [String: FittedCurve] = [:]

  init(_ calibration: Calibration, by grouping: Grouping) {
    self.grouping = grouping
    countsWalls = calibration.model == PathLossModel.walls.name
    for group in calibration.groups {
      curves[grouping.parts.isEmpty ? "" : group.key] = FittedCurve(group)
    }
  }

  /// Returns the residual of a level about the curve of its group in dB; NaN without a curve.
  func residual(_ level: Double, at station: Station) -> Double {
    guard let curve = curves[grouping.members(of: station).key] else { return .nan }
    let known = countsWalls ? station.knownLoss : 0
    return level + known - curve.level(atDistance: station.distance, walls: station.walls)
  }
}
