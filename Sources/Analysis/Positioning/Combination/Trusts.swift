package import Support

/// How much each member of a combination counts, as the published library defines it.
///
/// Trusts are divided by their sum; where none is above 1e-5 all count alike.
///
/// olferuk/IBeaconLocation, commit 8687e7d, `Processor`.
package struct Trusts: Equatable, Sendable {
  /// The share of each member, in the order of the trusts; they sum to 1.
  package let weights: [Double]

  /// - Throws: a sentence about what is not a trust: none at all, a negative one, or no number.
  package init(_ trusts: [Double]) throws(RSSIError) {
    guard !trusts.isEmpty else {
      throw RSSIError(
        .usage,
        "a combination has no members: write them with trusts, as power-center=1,epta=0.5")
    }
    for trust in trusts where !(trust >= 0 && trust.isFinite) {
      throw RSSIError(
        .usage, "a trust of \(trust) in a combination: it must be 0 or a positive number")
    }
    // By the greatest first, so that no sum overflows.
    let greatest = trusts.max() ?? 0
    guard greatest > 1e-5 else {
      weights = trusts.map { _ in 1 / Double(trusts.count) }
      return
    }
    let total = trusts.reduce(0) { $0 + $1 / greatest }
    weights = trusts.map { $0 / greatest / total }
  }
}
