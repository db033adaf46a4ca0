/// A way to tell a position from the signal levels of one epoch.
///
/// An algorithm keeps no state between epochs, so one value serves all cores at once.
public protocol PositioningAlgorithm: Sendable {
  /// The name on the command line and in reports, such as `power-center`.
  var name: String { get }
  /// Answers with a position, or says by name why it cannot.
  func locate(_ observations: [Observation]) -> Outcome
}

/// The answer of an algorithm at one epoch.
public enum Outcome: Equatable, Sendable {
  case located(Estimate)
  case refused(Refusal)
}

/// A position with its uncertainty.
public struct Estimate: Equatable, Sendable {
  public var position: Point
  /// The position's error covariance, or why there is none.
  public var uncertainty: Uncertainty

  public init(position: Point, uncertainty: Uncertainty) {
    self.position = position
    self.uncertainty = uncertainty
  }
}

/// How sure an algorithm is of a position.
public enum Uncertainty: Equatable, Sendable {
  case covariance(Covariance)
  /// The algorithm has no error model.
  case noErrorModel
  /// There are no more equations than unknowns, or the geometry leaves a direction undetermined.
  case undetermined
}

/// The covariance of a position in the plane, in square metres.
public struct Covariance: Equatable, Sendable {
  public var xx: Double
  public var xy: Double
  public var yy: Double

  public init(xx: Double, xy: Double, yy: Double) {
    self.xx = xx
    self.xy = xy
    self.yy = yy
  }
}

/// Why an algorithm gave no position.
public enum Refusal: Hashable, Sendable {
  /// Fewer anchors were heard than the algorithm needs.
  case tooFewAnchors
  /// The anchors stand on one line, so two mirrored places explain the levels equally well.
  case collinearAnchors
  /// Anchors stand at the same place.
  case coincidentAnchors
  /// A level, constant or coordinate is not a finite number, or a range is not positive.
  case invalidRange
  /// The circles have no common point within the algorithm's domain.
  case noCommonPoint
  /// The answer lies outside the domain in which the algorithm is consistent.
  case outsideDomain
  /// The iteration did not converge.
  case notConverged
}

extension Refusal: CaseIterable, CustomStringConvertible {
  /// The name in reports, such as `too-few-anchors`.
  public var description: String {
    switch self {
    case .tooFewAnchors: "too-few-anchors"
    case .collinearAnchors: "collinear-anchors"
    case .coincidentAnchors: "coincident-anchors"
    case .invalidRange: "invalid-range"
    case .noCommonPoint: "no-common-point"
    case .outsideDomain: "outside-domain"
    case .notConverged: "not-converged"
    }
  }
}
