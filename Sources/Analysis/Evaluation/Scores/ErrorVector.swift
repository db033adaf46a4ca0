package import Geometry
import Positioning

/// Where errors point: their mean and their scatter, in metres and square metres.
package struct ErrorVector: Equatable, Sendable {
  /// The mean of estimate minus truth.
  package var biasX: Double
  package var biasY: Double
  /// The covariance of the errors about their mean, with n - 1; nil for a single error. It has
  /// vertical elements where every error does.
  package var covariance: Covariance?
  /// The axes of the covariance.
  package var ellipse: ErrorEllipse? { covariance.flatMap(ErrorEllipse.init) }

  /// The length of the mean error vector in the plane.
  package var bias: Double { (biasX * biasX + biasY * biasY).squareRoot() }
}

extension ErrorVector {
  /// Nil without answers.
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
