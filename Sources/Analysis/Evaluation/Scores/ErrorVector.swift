package import Geometry
import Positioning

/// The bias and the covariance of the error vector, in metres and square metres.
package struct ErrorVector: Equatable, Sendable {
  /// The mean of estimate minus truth.
  package var biasX: Double
  package var biasY: Double
  /// The sample covariance of the errors; `nil` for a single error. It has vertical elements if
  /// every error does.
  package var covariance: Covariance?
  /// The axes of the covariance.
  package var ellipse: ErrorEllipse? { covariance.flatMap(ErrorEllipse.init) }

  /// The length of the mean error vector in the plane.
  package var bias: Double { (biasX * biasX + biasY * biasY).squareRoot() }
}

extension ErrorVector {
  /// Returns `nil` without answers.
  init?(_ answers: [AnsweredQuestion]) {
    guard !answers.isEmpty else { return nil }
    let count = Double(answers.count)
    biasX = answers.reduce(0) { $0 + $1.dx / count }
    biasY = answers.reduce(0) { $0 + $1.dy / count }
    guard answers.count > 1 else { return }
    let heights = answers.compactMap(\.dz)
    let biasZ = heights.reduce(0) { $0 + $1 / count }
    let hasHeights = heights.count == answers.count
    var sums = Covariance(xx: 0, xy: 0, yy: 0)
    var vertical = Covariance.Vertical(xz: 0, yz: 0, zz: 0)
    for answer in answers {
      let (x, y) = (answer.dx - biasX, answer.dy - biasY)
      sums.xx += x * x / (count - 1)
      sums.xy += x * y / (count - 1)
      sums.yy += y * y / (count - 1)
      guard hasHeights, let dz = answer.dz else { continue }
      let z = dz - biasZ
      vertical.xz += x * z / (count - 1)
      vertical.yz += y * z / (count - 1)
      vertical.zz += z * z / (count - 1)
    }
    if hasHeights { sums.vertical = vertical }
    covariance = sums
  }
}

/// The errors of the height, if those of truth and estimate are known; lengths in metres.
package struct VerticalErrors: Equatable, Sendable {
  /// The number of answered questions with both heights.
  package var count: Int
  /// The mean of estimate minus truth.
  package var bias: Double
  /// The size of the errors: its median is the VEP, its p95 the VE95.
  package var size: ErrorSummary
}

extension VerticalErrors {
  /// Returns `nil` if no truth and estimate have heights.
  init?(_ answers: [AnsweredQuestion]) {
    let errors = answers.compactMap(\.dz)
    guard let size = ErrorSummary(errors.map(abs)) else { return nil }
    count = errors.count
    bias = errors.reduce(0) { $0 + $1 / Double(errors.count) }
    self.size = size
  }
}

/// The errors along and across the true direction of motion; lengths in metres.
package struct TrackErrors: Equatable, Sendable {
  /// The number of answered questions at which the truth moved.
  package var count: Int
  /// The mean along the motion: negative if answers lag behind.
  package var alongMean: Double
  package var alongRMS: Double
  /// The mean across the motion: positive to its left.
  package var acrossMean: Double
  package var acrossRMS: Double
}

extension TrackErrors {
  /// Returns `nil` if the truth never moved, or its motion is unknown.
  init?(_ answers: [AnsweredQuestion]) {
    let turned = answers.compactMap { answer -> (along: Double, across: Double)? in
      guard let velocity = answer.question.velocity, velocity.speed > 0 else { return nil }
      let (ux, uy) = (velocity.x / velocity.speed, velocity.y / velocity.speed)
      return (ux * answer.dx + uy * answer.dy, ux * answer.dy - uy * answer.dx)
    }
    guard !turned.isEmpty else { return nil }
    count = turned.count
    func mean(_ of: ((along: Double, across: Double)) -> Double) -> Double {
      turned.reduce(0) { $0 + of($1) / Double(turned.count) }
    }
    alongMean = mean(\.along)
    acrossMean = mean(\.across)
    alongRMS = mean { $0.along * $0.along }.squareRoot()
    acrossRMS = mean { $0.across * $0.across }.squareRoot()
  }
}
