import RealModule

/// The exact confidence interval of a probability from independent trials.
///
/// Clopper & Pearson, "The use of confidence or fiducial limits illustrated in the case of the
/// binomial", Biometrika 26, 1934.
enum ClopperPearson {
  static func interval(successes: Int, trials: Int, confidence: Double) -> Interval {
    precondition(trials > 0 && (0...trials).contains(successes), "successes are some of the trials")
    let tail = (1 - confidence) / 2
    // The limits are quantiles of beta distributions, which are tails of the binomial one.
    let lower =
      successes == 0
      ? 0 : IncompleteBeta.inverse(tail, Double(successes), Double(trials - successes + 1))
    let upper =
      successes == trials
      ? 1 : IncompleteBeta.inverse(1 - tail, Double(successes + 1), Double(trials - successes))
    return Interval(lower: lower, upper: upper)
  }
}
