import Geometry
import Positioning
import Sites

/// The answer about one moving node at one instant.
struct LocatedPosition: Sendable {
  /// Nanoseconds since the Unix epoch.
  var time: Int64
  var node: MovingNode
  var outcome: Outcome
  /// How many were heard in the window.
  var anchors: Int
  /// The smallest room of the site that holds the position.
  var room: String?
  /// The spot at which the node is.
  var spot: String?

  var estimate: Estimate? {
    if case .located(let estimate) = outcome { estimate } else { nil }
  }

  /// The 95 % ellipse in the plane.
  var ellipse: ErrorEllipse? {
    estimate?.uncertainty.covariance.flatMap(ErrorEllipse.init)?.scaled(toHold: 0.95)
  }

  /// Why there is no position.
  var refusal: Refusal? {
    if case .refused(let refusal) = outcome { refusal } else { nil }
  }

  /// Why there is a position without a covariance.
  var withoutCovariance: Uncertainty.Reason? {
    if case .unavailable(let reason) = estimate?.uncertainty { reason } else { nil }
  }
}
