package import Geometry
import NumericalMethods
import Support

/// The check of the known places of anchors by the links between them.
///
/// For each anchor the likelihood of all links is computed with that anchor at each place of a
/// lattice and the others where they are known, and everything else integrated out. The statistic
/// is the logarithm of the ratio of the most likely place and the known one. Its limit is simulated
/// for the site, so that the largest of all anchors exceeds it with the known probability if none
/// is misplaced.
package struct LinkPlaces: Sendable {
  /// An anchor, as if its place were unknown.
  package struct Checked: Sendable {
    /// The index of the anchor, and the number of its heard links.
    package var anchor: Int
    package var heard: Int
    /// The logarithm of the ratio of the likelihoods of the best place and the known one.
    package var logRatio: Double
    /// The place from its links with the others, with its covariance.
    package var mean: Point
    package var covariance: Covariance
    /// The displacement that is named with 80 % power, in metres; nil above half the site's
    /// diagonal.
    package var detectable: Double?
  }

  /// The anchors, in order.
  package let anchors: [Checked]
  /// The limit of ``Checked/logRatio``.
  package let threshold: Double

  /// The anchor that is named as misplaced: that with the largest ratio, if it exceeds the limit.
  package var misplaced: Int? {
    anchors.max { $0.logRatio < $1.logRatio }.flatMap { $0.logRatio > threshold ? $0.anchor : nil }
  }

  /// The numbers of simulated sites for the limit, and of draws for each displacement and anchor.
  private static let (sites, draws) = (400, 100)
  private static let power = 0.8

  /// - Parameters:
  ///   - falseAlarms: The probability that any anchor in its place is named.
  ///   - seed: The seed of the simulated sites.
  package init(
    _ links: AnchorLinks, _ calibration: LinkCalibration, falseAlarms: Double = 0.05,
    seed: UInt64 = 1
  ) {
    let observed = calibration.observed
    let field = LinkField(links, observed)
    let surfaces = parallel(links.places.count) { PlaceSurface($0, of: field) }
    let draws = parallel(Self.sites) { site in
      var random = RandomStream(Xoshiro256(seed: seed &+ UInt64(site)))
      return field.draw(&random)
    }
    let null = parallel(Self.sites) { site -> Double in
      surfaces.reduce(0) { max($0, $1.ratio(draws[site], field)) }
    }.sorted()
    let threshold = null[min(Self.sites - 1, Int(Double(Self.sites) * (1 - falseAlarms)))]
    self.threshold = threshold
    // Errors are about the prior means of exponent and walls as well.
    let levels = zip(observed.errors, field.columns).map { $0 + ($1 * field.means).sum() }
    let weights = field.weights(of: levels)
    let base = field.products(weights)
    let diagonal = field.area.minimum.distance(to: field.area.maximum)
    anchors = parallel(links.places.count) { anchor in
      let surface = surfaces[anchor]
      let values = surface.logLikelihoods(field, base, surface.links.map { weights[$0] })
      let (mean, covariance) = surface.moments(Array(values.dropFirst()))
      return Checked(
        anchor: anchor, heard: surface.heard, logRatio: (values.max() ?? 0) - values[0],
        mean: mean, covariance: covariance,
        detectable: surface.displacement(
          found: Self.power, at: threshold, upTo: diagonal / 2, field,
          Array(draws.prefix(Self.draws))))
    }
  }
}
