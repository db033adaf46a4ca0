/// The exact confidence interval of a probability from independent trials.
///
/// Source: Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case
/// of the binomial", Biometrika 26 (1934).
///
/// - Parameters:
///   - successes: from 0 to `trials`.
///   - trials: at least 1.
///   - confidence: between 0 and 1.
package func clopperPearsonInterval(
  successes: Int, trials: Int, confidence: Double
) -> Interval {
  precondition(trials > 0 && (0...trials).contains(successes), "successes are some of the trials")
  let tail = (1 - confidence) / 2
  let (k, n) = (Double(successes), Double(trials))
  // The tails of the binomial distribution are those of beta distributions.
  return Interval(
    lower: successes == 0 ? 0 : BetaDistribution(a: k, b: n - k + 1).quantile(tail),
    upper: successes == trials ? 1 : BetaDistribution(a: k + 1, b: n - k).quantile(1 - tail))
}
