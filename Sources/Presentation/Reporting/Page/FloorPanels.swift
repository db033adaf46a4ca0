import Evaluation
import Geometry
import Positioning
import Support

/// The floors of a building beside each other, each in a panel, on one scale.
///
/// All panels show the same part of the building's frame. If shifts of floors into it are unknown and
/// their planes are too far apart to be in one frame, each panel shows its own floor.
struct FloorPanels {
  struct Panel {
    let name: String
    let site: ReportedSite
    let view: PlanView
    /// The upper left corner in the whole picture.
    let x: Double
    let y: Double
  }

  let panels: [Panel]
  /// The whole picture.
  let view: PlanView

  /// The room for the name of a floor above its panel, and between panels.
  private static let (heading, gap) = (26.0, 14.0)
  /// The ratio of width to height of the room for a plan on a page.
  private static let aspect = 1.5

  /// Returns nil for a single plane.
  ///
  /// - Parameters:
  ///   - places: further places to show.
  ///   - estimates: positions whose ellipses are shown.
  init?(
    _ site: ReportedSite, around places: [(floor: Int, place: Point)] = [],
    estimates: [Estimate] = []
  ) {
    let storeys = site.storeys
    guard storeys.count > 1 else { return nil }
    var truths = [[Point]](repeating: [], count: storeys.count)
    for (floor, place) in places { truths[floor].append(place) }
    var answers = [[Estimate]](repeating: [], count: storeys.count)
    for estimate in estimates {
      if let floor = estimate.floor, answers.indices.contains(floor) {
        answers[floor].append(estimate)
      }
    }
    let shifts = storeys.compactMap(\.shift)
    let areShifted = shifts.count == storeys.count
    let views = storeys.indices.map {
      PlanView(storeys[$0].content, around: truths[$0], ellipses: answers[$0])
    }
    // The rectangles in metres, in the frame of the building if it is known.
    var boxes = views.indices.map { index in
      let (view, shift) = (views[index], areShifted ? shifts[index] : Point(x: 0, y: 0))
      let (left, top) = (view.left + shift.x, view.top + shift.y)
      return Bounds(
        minimum: Point(x: left, y: top - view.height / view.scale),
        maximum: Point(x: left + view.width / view.scale, y: top))
    }
    var width = boxes.map { $0.maximum.x - $0.minimum.x }.max() ?? 1
    var height = boxes.map { $0.maximum.y - $0.minimum.y }.max() ?? 1
    if let all = Bounds(around: boxes.flatMap { [$0.minimum, $0.maximum] }) {
      let (across, upright) = (all.maximum.x - all.minimum.x, all.maximum.y - all.minimum.y)
      if areShifted || across < 1.5 * width && upright < 1.5 * height {
        boxes = boxes.map { _ in all }
        (width, height) = (across, upright)
      }
    }
    func size(_ columns: Int) -> Double {
      let rows = (storeys.count + columns - 1) / columns
      return min(Self.aspect / (Double(columns) * width), 1 / (Double(rows) * height))
    }
    let columns = (1...storeys.count).max { size($0) < size($1) } ?? 1
    let rows = (storeys.count + columns - 1) / columns
    let scale = min(
      (1000 - Double(columns - 1) * Self.gap) / (Double(columns) * width),
      1000 / (Double(rows) * height))
    panels = storeys.indices.map { index in
      let (box, shift) = (boxes[index], areShifted ? shifts[index] : Point(x: 0, y: 0))
      let left = (box.minimum.x + box.maximum.x - width) / 2 - shift.x
      let top = (box.minimum.y + box.maximum.y + height) / 2 - shift.y
      return Panel(
        name: site.floors[index], site: storeys[index].content,
        view: PlanView(left: left, top: top, width: width, height: height, scale: scale),
        x: Double(index % columns) * (width * scale + Self.gap),
        y: Double(index / columns) * (height * scale + Self.heading + Self.gap) + Self.heading)
    }
    view = PlanView(
      left: 0, top: 0,
      width: Double(columns) * width + Double(columns - 1) * Self.gap / scale,
      height: Double(rows) * (height + Self.heading / scale)
        + Double(rows - 1) * Self.gap / scale,
      scale: scale)
  }

  /// The picture of all floors, without marks.
  func picture(of site: ReportedSite) -> PlanPicture {
    var picture = PlanPicture(site: site, view: view)
    picture.floors = (self, panels.map { _ in "" })
    return picture
  }

  /// Returns a place on a floor in the picture, as text.
  func place(_ point: Point, on floor: Int) -> String {
    let panel = panels[floor]
    let (x, y) = (
      panel.x + (point.x - panel.view.left) * panel.view.scale,
      panel.y + (panel.view.top - point.y) * panel.view.scale
    )
    return "\(decimal(x, 1)),\(decimal(y, 1))"
  }

  /// The rectangle of each panel, and the place of its floor's origin, in the picture.
  var places: String {
    panels.map { panel in
      [
        panel.x, panel.y, panel.view.width, panel.view.height,
        panel.x - panel.view.left * panel.view.scale, panel.y + panel.view.top * panel.view.scale,
      ].map { decimal($0, 2) }.joined(separator: ",")
    }.joined(separator: " ")
  }
}
