import Geometry
import NumericalMethods
import RealModule

/// The links of a site with every anchor at its known place, for likelihoods of other places.
///
/// The exponent and the losses by up to three kinds of walls are the elements of vectors.
struct LinkField: Sendable {
  let links: AnchorLinks
  /// The factors of the exponent and the wall losses, by link.
  let columns: [SIMD4<Double>]
  /// The prior means and variances of the exponent and the wall losses; 0 for kinds that are not
  /// there.
  let (means, variances): (SIMD4<Double>, SIMD4<Double>)
  /// The inverse of the covariance besides exponent and walls, row by row, and its root.
  let (inverse, root): ([Double], [Double])
  /// K⁻¹ times each column, by link.
  let solved: [SIMD4<Double>]
  let area: Bounds

  init(_ links: AnchorLinks, _ observed: Observed) {
    self.links = links
    let count = links.links.count
    let columns = links.links.map { SIMD4(padding: links.columns($0)) }
    let factor = CholeskyFactor(observed.rest, size: count)
    let inverse = factor?.inverse ?? [Double](repeating: 0, count: count * count)
    root = factor?.lower ?? inverse
    solved = (0..<count).map { row in
      (0..<count).reduce(into: SIMD4<Double>.zero) { $0 += inverse[row * count + $1] * columns[$1] }
    }
    (self.columns, self.inverse) = (columns, inverse)
    let priors = links.columnPriors
    (means, variances) = (SIMD4(padding: priors.means), SIMD4(padding: priors.variances))
    let zero = Point(x: 0, y: 0)
    let box = Bounds(around: links.places) ?? Bounds(minimum: zero, maximum: zero)
    area = Bounds(
      minimum: Point(x: box.minimum.x - 5, y: box.minimum.y - 5),
      maximum: Point(x: box.maximum.x + 5, y: box.maximum.y + 5))
  }

  /// A drawn site with every anchor at its place.
  struct Draw: Sendable {
    /// The exponent and the wall losses.
    var coefficients: SIMD4<Double>
    /// K⁻¹ times the levels, and its products with the columns.
    var weights: [Double]
    var base: SIMD4<Double>
    /// The direction of a displacement, in radians.
    var angle: Double
  }

  /// Returns a site where everything is drawn.
  func draw(_ random: inout RandomStream<Xoshiro256>) -> Draw {
    let count = columns.count
    let white = (0..<count).map { _ in random.gaussian() }
    var coefficients = means
    for index in 0..<4 { coefficients[index] += variances[index].squareRoot() * random.gaussian() }
    let levels = (0..<count).map { row in
      var sum = (columns[row] * coefficients).sum()
      for column in 0...row { sum += root[row * count + column] * white[column] }
      return sum
    }
    let weights = weights(of: levels)
    return Draw(
      coefficients: coefficients, weights: weights, base: products(weights),
      angle: 2 * Double.pi * random.uniform())
  }

  /// Returns the products of the columns with weights.
  func products(_ weights: [Double]) -> SIMD4<Double> {
    zip(columns, weights).reduce(into: SIMD4<Double>.zero) { $0 += $1.1 * $1.0 }
  }

  /// Returns K⁻¹ times levels less the mean power.
  func weights(of levels: [Double]) -> [Double] {
    let count = levels.count
    return (0..<count).map { row in
      var sum = 0.0
      for column in 0..<count { sum += inverse[row * count + column] * levels[column] }
      return sum
    }
  }
}

extension SIMD4<Double> {
  fileprivate init(padding values: [Double]) {
    self = .zero
    for (index, value) in values.prefix(4).enumerated() { self[index] = value }
  }
}

/// The likelihoods of the places of one anchor.
struct PlaceSurface: Sendable {
  let anchor: Int
  /// The links of the anchor, and the number of those that were heard.
  let links: [Int]
  let heard: Int
  private let known: Point
  private let side: Double
  /// The known place and those of the lattice.
  private let places: [Point]
  /// The differences of the columns of the anchor's links from those of the known place, by place.
  private let changes: [SIMD4<Double>]
  private let forms: [Form]

  /// The quadratic form of the coefficients at a place.
  private struct Form {
    /// The columns of the inverse of XᵀK⁻¹X + V⁻¹.
    var (first, second, third, fourth): (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)
    /// XᵀK⁻¹X times the prior means.
    var means: SIMD4<Double>
    /// The part of the logarithm that no levels change.
    var constant: Double
  }

  /// The largest number of cells.
  private static let mostCells = 400.0

  init(_ anchor: Int, of field: LinkField) {
    let all = field.links
    let own = all.links.indices.filter {
      let (a, b) = all.ends(all.links[$0])
      return (a == anchor) != (b == anchor)
    }
    let lattice = CellGrid(over: field.area, atMost: Self.mostCells, smallest: 1)
    let places = [all.places[anchor]] + lattice.places
    (self.anchor, links, side, self.places) = (anchor, own, lattice.cell, places)
    (known, heard) = (all.places[anchor], own.count { all.links[$0].level != nil })
    var changes: [SIMD4<Double>] = []
    var forms: [Form] = []
    var products = [SIMD4<Double>](repeating: .zero, count: 4)
    for (column, solved) in zip(field.columns, field.solved) {
      for index in 0..<4 { products[index] += column[index] * solved }
    }
    for place in places {
      let change = own.map {
        SIMD4(padding: all.columns(all.links[$0], moving: anchor, to: place)) - field.columns[$0]
      }
      changes += change
      forms.append(Self.form(change, own, products, field))
    }
    (self.changes, self.forms) = (changes, forms)
  }

  /// - Parameter products: The rows of XᵀK⁻¹X with the anchor at its known place.
  private static func form(
    _ changes: [SIMD4<Double>], _ links: [Int], _ products: [SIMD4<Double>], _ field: LinkField
  ) -> Form {
    var rows = products
    let count = field.columns.count
    for (change, link) in zip(changes, links) {
      let solved = field.solved[link]
      var inner = SIMD4<Double>.zero
      for (other, its) in zip(changes, links) {
        inner += field.inverse[link * count + its] * other
      }
      for index in 0..<4 {
        rows[index] += change[index] * (solved + inner) + solved[index] * change
      }
    }
    var means = SIMD4<Double>.zero
    for index in 0..<4 { means[index] = (rows[index] * field.means).sum() }
    var matrix = rows.flatMap { row in (0..<4).map { row[$0] } }
    for index in 0..<4 {
      matrix[5 * index] += field.variances[index] > 0 ? 1 / field.variances[index] : 1
    }
    let factor = CholeskyFactor(matrix, size: 4)
    let inverse = factor?.inverse ?? matrix
    func column(_ index: Int) -> SIMD4<Double> {
      SIMD4(padding: Array(inverse[(4 * index)..<(4 * index + 4)]))
    }
    return Form(
      first: column(0), second: column(1), third: column(2), fourth: column(3), means: means,
      constant: -0.5 * (field.means * means).sum() - 0.5 * (factor?.logDeterminant ?? .infinity))
  }

  /// Returns the logarithm of the likelihood at the known place and at each place of the lattice.
  ///
  /// - Parameters:
  ///   - base: The products of the columns with K⁻¹ times the levels.
  ///   - own: K⁻¹ times the levels, for the anchor's links.
  func logLikelihoods(
    _ field: LinkField, _ base: SIMD4<Double>, _ own: [Double]
  ) -> [Double] {
    forms.indices.map { place in
      let form = forms[place]
      var products = base
      let start = place * own.count
      for index in own.indices { products += own[index] * changes[start + index] }
      let right = products - form.means
      var solved = right[0] * form.first
      solved += right[1] * form.second
      solved += right[2] * form.third
      solved += right[3] * form.fourth
      return form.constant + (field.means * products).sum() + 0.5 * (right * solved).sum()
    }
  }

  /// Returns the logarithm of the ratio of the best place and the known one in a drawn site.
  ///
  /// - Parameter displacement: The distance of the anchor from its known place, in metres.
  func ratio(_ draw: LinkField.Draw, _ field: LinkField, displacement: Double = 0) -> Double {
    var (base, own) = (draw.base, links.map { draw.weights[$0] })
    if displacement > 0 {
      let place = Point(
        x: known.x + displacement * Double.cos(draw.angle),
        y: known.y + displacement * Double.sin(draw.angle))
      let shifts = links.map { link in
        let moved = SIMD4<Double>(
          padding: field.links.columns(field.links.links[link], moving: anchor, to: place))
        return ((moved - field.columns[link]) * draw.coefficients).sum()
      }
      for (shift, link) in zip(shifts, links) {
        base += shift * field.solved[link]
        for (index, other) in links.enumerated() {
          own[index] += field.inverse[other * field.columns.count + link] * shift
        }
      }
    }
    let values = logLikelihoods(field, base, own)
    return (values.max() ?? 0) - values[0]
  }

  func moments(_ values: [Double]) -> (Point, Covariance) {
    let largest = values.max() ?? 0
    var (x, y, xx, xy, yy, total) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for (value, place) in zip(values, places.dropFirst()) {
      let weight = Double.exp(value - largest)
      let (dx, dy) = (place.x - known.x, place.y - known.y)
      total += weight
      x += weight * dx
      y += weight * dy
      xx += weight * dx * dx
      xy += weight * dx * dy
      yy += weight * dy * dy
    }
    let mean = Point(x: x / total, y: y / total)
    let own = side * side / 12
    return (
      Point(x: known.x + mean.x, y: known.y + mean.y),
      Covariance(
        xx: xx / total - mean.x * mean.x + own, xy: xy / total - mean.x * mean.y,
        yy: yy / total - mean.y * mean.y + own)
    )
  }

  /// Returns the shortest displacement that is found with a power, in steps of a sixth.
  func displacement(
    found power: Double, at threshold: Double, upTo longest: Double, _ field: LinkField,
    _ draws: [LinkField.Draw]
  ) -> Double? {
    var displacement = 1.0
    while displacement < longest {
      let found = draws.count { ratio($0, field, displacement: displacement) > threshold }
      if Double(found) >= power * Double(draws.count) { return displacement }
      displacement *= 7.0 / 6
    }
    return nil
  }
}
