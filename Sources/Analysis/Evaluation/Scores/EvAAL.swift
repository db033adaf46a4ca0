/// The scores of the EvAAL and IPIN competitions.
package struct EvAAL: Equatable, Sendable {
  /// The third quartile of the horizontal error in metres: the score since 2014. Nil without
  /// answers.
  package var thirdQuartile: Double?
  /// The accuracy score of 2013, from 0 to 10. Nil without answers.
  package var score2013: Double?
}

extension EvAAL {
  package init(_ score: Score) { self.init(thirdQuartile: score.statistics.errors?.p75) }

  /// - Parameter thirdQuartile: of the horizontal error, in metres.
  package init(thirdQuartile: Double?) {
    self.thirdQuartile = thirdQuartile
    score2013 = thirdQuartile.map { error in
      switch error {
      case ...0.5: 10
      case ...2: 10 + 4 * (0.5 - error)
      case ...4: 2 * (4 - error)
      default: 0
      }
    }
  }
}
