import RealModule

/// The sums of a `NoiseLikelihood` over a range of log λ, interpolated from a few evaluations.
///
/// The sums S of e² / F and D of log F are singular only at negative ratios, and S is 0 only there.
/// So log S and D are analytic functions of log λ up to π from the real axis, and polynomials through
/// n Chebyshev points of a range of half width w have errors of the order of exp(−n arsinh(π / w)).
/// Source: Trefethen, "Approximation theory and approximation practice", 2013, chapters 5 (the
/// barycentric formula) and 8 (the rate).
struct RatioPolynomials {
  typealias Lanes = NoiseLikelihood.Lanes

  private struct Node {
    var x: Double
    var weight: Double
    var logSquares: Double
    var logSpread: Double
  }

  private var nodes: [Node] = []

  /// - Parameter range: The range of log λ, wider than 0.
  init(_ likelihood: NoiseLikelihood, over range: ClosedRange<Double>) {
    let half = 0.5 * (range.upperBound - range.lowerBound)
    let middle = range.lowerBound + half
    // A rate of 1e-8; the sums vary so smoothly that their errors are about 1e-9.
    let passes = Int((18.4 / .asinh(.pi / half) / 4).rounded(.up))
    let angle = Double.pi / Double(4 * passes)
    for pass in 0..<passes {
      let angles = angle * (Double(4 * pass) + Lanes(0.5, 1.5, 2.5, 3.5))
      var (places, weights) = (Lanes(), Lanes())
      for lane in 0..<4 {
        places[lane] = middle - half * .cos(angles[lane])
        weights[lane] = .sin(angles[lane])
      }
      weights *= Lanes(1, -1, 1, -1)
      let (squares, logSpread) = likelihood.sums(NoiseLikelihood.exp(places))
      let logSquares = NoiseLikelihood.log(squares)
      for lane in 0..<4 {
        nodes.append(
          Node(
            x: places[lane], weight: weights[lane], logSquares: logSquares[lane],
            logSpread: logSpread[lane]))
      }
    }
  }

  /// Returns the sums at four values of log λ in the range.
  func sums(_ logRatios: Lanes) -> (squares: Lanes, logSpread: Lanes) {
    var (total, logSquares, logSpread) = (Lanes(), Lanes(), Lanes())
    for node in nodes {
      var distance = logRatios - node.x
      // At a node its weight exceeds all others.
      distance.replace(with: 1e-250, where: distance .== 0)
      let weight = node.weight / distance
      total += weight
      logSquares += weight * node.logSquares
      logSpread += weight * node.logSpread
    }
    return (NoiseLikelihood.exp(logSquares / total), logSpread / total)
  }
}
