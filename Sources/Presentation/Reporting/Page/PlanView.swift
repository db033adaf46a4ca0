import Evaluation
import Geometry
import Positioning
import Support

/// The mapping from the site to the floor plan's picture, 1 000 units wide or high, north up.
struct PlanView {
  /// The site's x at the picture's left and y at its top, in metres.
  let left: Double
  let top: Double
  /// Units of the picture per metre.
  let scale: Double
  let width: Double
  let height: Double
  /// Metres between the lines of the grid.
  let step: Double

  /// Shows the site, the truth and ellipses around it.
  init(_ document: EvaluationDocument) {
    self.init(
      document.site, around: document.traces.flatMap { $0.questions.map(\.truth) },
      ellipses: document.ranked.flatMap { $0.answers.outcomes.joined().compactMap(\.estimate) })
  }

  /// - Parameters:
  ///   - others: further places to show.
  ///   - ellipses: positions whose 95 % ellipses are shown, up to an eighth of the site beyond it:
  ///     one that is kilometres off would hide all else.
  init(_ site: ReportedSite, around others: [Point] = [], ellipses: [Estimate] = []) {
    var places = site.anchors.map(\.place) + site.walls.flatMap(\.points)
    places += site.rooms.flatMap(\.corners) + site.spots.map(\.place)
    places += site.floor?.corners ?? []
    if let bounds = site.bounds { places += [bounds.minimum, bounds.maximum] }
    places += others
    let finite = places.filter { abs($0.x) < 1e7 && abs($0.y) < 1e7 }
    var box =
      Bounds(around: finite) ?? Bounds(minimum: Point(x: 0, y: 0), maximum: Point(x: 1, y: 1))
    let longer = max(box.maximum.x - box.minimum.x, box.maximum.y - box.minimum.y, 1)
    let (low, high) = (box.minimum, box.maximum)
    for one in ellipses {
      guard let covariance = one.uncertainty.covariance else { continue }
      let x = 2.45 * max(covariance.xx, 0).squareRoot()
      let y = 2.45 * max(covariance.yy, 0).squareRoot()
      let (at, reach) = (one.position, longer / 8)
      box.minimum.x = min(box.minimum.x, max(at.x - x, low.x - reach))
      box.minimum.y = min(box.minimum.y, max(at.y - y, low.y - reach))
      box.maximum.x = max(box.maximum.x, min(at.x + x, high.x + reach))
      box.maximum.y = max(box.maximum.y, min(at.y + y, high.y + reach))
    }
    let margin = longer * 0.05
    // A corridor one metre wide still has room for what is drawn beside it.
    let centre = Point(
      x: (box.minimum.x + box.maximum.x) / 2, y: (box.minimum.y + box.maximum.y) / 2)
    let across = max(box.maximum.x - box.minimum.x, longer / 4) + 2 * margin
    let upright = max(box.maximum.y - box.minimum.y, longer / 4) + 2 * margin
    scale = 1000 / max(across, upright)
    left = centre.x - across / 2
    top = centre.y + upright / 2
    width = across * scale
    height = upright * scale
    step = NiceScale.step(longer, atMost: 12)
  }

  /// Shows a rectangle whose upper left corner and sizes are in metres.
  init(left: Double, top: Double, width: Double, height: Double, scale: Double) {
    (self.left, self.top, self.scale) = (left, top, scale)
    (self.width, self.height) = (width * scale, height * scale)
    step = NiceScale.step(max(width, height), atMost: 8)
  }

  func x(_ x: Double) -> String { decimal((x - left) * scale, 1) }
  func y(_ y: Double) -> String { decimal((top - y) * scale, 1) }
  func place(_ point: Point) -> String { "\(x(point.x)),\(y(point.y))" }
}
