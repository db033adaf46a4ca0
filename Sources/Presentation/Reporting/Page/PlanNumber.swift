import Geometry
import Positioning
import RealModule

/// Numbers of a floor plan as whole ones.
enum PlanNumber {
  /// To the nearest, and no farther than can be drawn: 10,000 km in centimetres.
  static func whole(_ value: Double) -> Int {
    value.isNaN ? 0 : Int(min(max(value, -1e9), 1e9).rounded(.toNearestOrAwayFromZero))
  }

  static func centimetres(_ metres: Double) -> Int { whole(metres * 100) }

  /// Standard deviations along the axes in centimetres, and the longer one's direction; without
  /// them the first is -1 minus the reason's number.
  static func ellipse(_ uncertainty: Uncertainty) -> (major: Int, minor: Int, degrees: Int) {
    switch uncertainty {
    case .covariance(let covariance):
      guard let ellipse = ErrorEllipse(covariance) else { return (0, 0, 0) }
      return (
        centimetres(ellipse.semiMajor), centimetres(ellipse.semiMinor),
        whole(ellipse.angle * 180 / .pi)
      )
    case .unavailable(let reason):
      return (-1 - (Uncertainty.Reason.allCases.firstIndex(of: reason) ?? 0), 0, 0)
    }
  }
}
