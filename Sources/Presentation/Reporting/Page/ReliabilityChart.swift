import Evaluation
import Geometry
import Positioning
import RealModule
import Support

/// The coverage of claimed ellipses over their claim. Claims on the diagonal are right; below it
/// ellipses are too small.
///
/// Of a Gaussian in the plane the ellipse of probability p holds the errors whose squared score
/// eᵀC⁻¹e is at most -2 ln(1 - p).
struct ReliabilityChart {
  /// The curves: the place of an algorithm in the leaderboard, and its squared scores.
  private let curves: [(place: Int, name: String, scores: SortedSample)]

  /// The maximum number of curves, the first of the leaderboard.
  private static let mostCurves = 8
  private static let claims = (0...40).map { Double($0) / 40 }

  /// Nil where no algorithm claims an ellipse.
  init?(_ document: EvaluationDocument) {
    curves = document.ranked.compactMap { one in
      var scores: [Double] = []
      for (trace, outcomes) in one.answers.outcomes.enumerated() {
        for (question, outcome) in zip(document.traces[trace].questions, outcomes) {
          guard let estimate = outcome.estimate,
            let covariance = estimate.uncertainty.covariance,
            let score = covariance.planeScore(
              estimate.position.x - question.truth.x, estimate.position.y - question.truth.y)
          else { continue }
          scores.append(score)
        }
      }
      return scores.isEmpty ? nil : (one.place, one.name, SortedSample(scores))
    }.prefix(Self.mostCurves).map(\.self)
    guard !curves.isEmpty else { return nil }
  }

  /// The share of scores within the ellipse that claims a probability.
  private static func held(_ scores: SortedSample, _ claim: Double) -> Double {
    guard claim < 1 else { return 1 }
    let limit = -2 * Double.log(onePlus: -claim)
    return Double(scores.count(upTo: limit)) / Double(scores.values.count)
  }

  static func x(_ share: Double) -> String { decimal(58 + 400 * share, 1) }
  static func y(_ share: Double) -> String { decimal(414 - 400 * share, 1) }

  /// Returns a square of two shares with its diagonal.
  static func square(_ label: String, x across: String, y up: String, _ content: HTML) -> HTML {
    let grid: [HTML] = [0.0, 0.25, 0.5, 0.75, 1].map { share in
      let label = decimal(share * 100, 0)
      return """
        <line class="grid" x1="58" x2="458" y1="\(y(share))" y2="\(y(share))"/><text x="50" y="\(y(share))" dy="0.35em" text-anchor="end">\(label)</text>\
        <line class="grid" y1="14" y2="414" x1="\(x(share))" x2="\(x(share))"/><text x="\(x(share))" y="434" text-anchor="middle">\(label)</text>
        """
    }
    return """
      <figure class="reliability"><svg class="chart" viewBox="0 0 480 466" role="img" aria-label="\(label)">
      \(grid)<line class="reference" x1="58" y1="414" x2="458" y2="14"/>\(content)\
      <text x="258" y="458" text-anchor="middle">\(across)</text>\
      <text transform="translate(14 214) rotate(-90)" text-anchor="middle">\(up)</text></svg></figure>
      """
  }

  var html: HTML {
    let lines: [HTML] = curves.reversed().map { curve in
      let path = Self.claims.map { claim in
        "\(Self.x(claim)) \(Self.y(Self.held(curve.scores, claim)))"
      }
      return """
        <path class="curve \(PagePalette.colourClass(curve.place))" stroke-dasharray="\(PagePalette.dash(curve.place))" \
        d="M\(path.joined(separator: "L"))"/>
        """
    }
    return """
      <div class="split close">\(Self.square("Share of the truths that ellipses hold, over the share that they claim", x: "claimed, %", y: "contain the truth, %", "\(lines)"))
      <ul class="legend">\(curves.map { "<li><span>\(PagePalette.swatch($0.place)) \(HTML.name($0.name))</span></li>\n" as HTML })</ul></div>

      """
  }
}
