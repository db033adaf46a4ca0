import Geometry

/// Errors along and across the way the truth moved, where it moved; lengths in metres.
package struct TrackErrors: Equatable, Sendable {
  /// Answered questions at which the truth moved.
  package var count: Int
  /// Mean along the motion: negative where answers lag behind.
  package var alongMean: Double
  package var alongRMS: Double
  /// Mean across the motion: positive to its left.
  package var acrossMean: Double
  package var acrossRMS: Double
}

extension TrackErrors {
  /// Nil where the truth never moved, or its motion is not known.
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
