/// What a filter found for one link.
package struct FilteredLink: Equatable, Sendable {
  package var beacon: UInt32
  package var receiver: UInt16
  /// Levels filtered.
  package var samples: UInt64
  /// Process noise, dB² per second (per second³ with a velocity); NaN for a filter that has none.
  package var q = Double.nan
  /// Measurement noise, dB²; NaN for a filter that has none.
  package var r = Double.nan
  /// Log-likelihood of the levels; NaN for a filter that has none.
  package var logLikelihood = Double.nan
  /// Where q and r come from.
  package var origin = NoiseOrigin.none
  /// Of q and r, where they are the link's own estimates; NaN elsewhere.
  package var qStandardError = Double.nan
  package var rStandardError = Double.nan
  /// 95 % intervals of q and r, where they are the link's own estimates; NaN elsewhere.
  package var qLow = Double.nan
  package var qHigh = Double.nan
  package var rLow = Double.nan
  package var rHigh = Double.nan
  /// Ljung-Box test of the prediction errors: Q, its lags and how often white noise has so large
  /// a Q; NaN and 0 where there was none.
  package var whiteness = Double.nan
  package var whitenessLags: UInt16 = 0
  package var whitenessP = Double.nan
  /// Mean of the squared prediction errors over their variances; near 1 where q and r suit.
  package var meanNIS = Double.nan

  package init(beacon: UInt32, receiver: UInt16, samples: UInt64) {
    self.beacon = beacon
    self.receiver = receiver
    self.samples = samples
  }
}

/// Where the noise that a filter used for a link comes from.
package enum NoiseOrigin: UInt8, Sendable {
  /// The filter has no noise.
  case none = 0
  /// Written by the user.
  case given = 1
  /// Estimated from the levels of the link.
  case link = 2
  /// Estimated from the levels of all links, since the link has too few.
  case pooled = 3
  /// That of a person walking, since the recording has too few levels.
  case assumed = 4
}
