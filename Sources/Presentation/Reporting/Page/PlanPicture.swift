import Evaluation
import Geometry
import Positioning
import Support

/// The part of the floor plan that does not change: rooms, walls, anchors, spots and a scale.
struct PlanPicture {
  let site: ReportedSite
  let view: PlanView

  var html: HTML {
    let width = decimals(view.width, 0)
    let height = decimals(view.height, 0)
    return """
      <svg class="plan" id="plan-picture" viewBox="0 0 \(width) \(height)" role="img" aria-label="Floor plan with \(site.anchors.count) anchors" \
      data-left="\(decimals(view.left, 4))" data-top="\(decimals(view.top, 4))" data-scale="\(decimals(view.scale, 6))">
      <g class="base">\(grid)\(bounds)\(site.rooms.map(room))\(site.walls.map(wall))\(site.spots.map(spot))\(site.anchors.map(anchor))\(scaleBar)</g>
      <g id="plan-answers"></g></svg>

      """
  }

  private var grid: HTML {
    let right = view.left + view.width / view.scale
    let bottom = view.top - view.height / view.scale
    var lines: HTML = ""
    for index in Int((view.left / view.step).rounded(.up))...Int((right / view.step).rounded(.down))
    {
      let x = view.x(Double(index) * view.step)
      lines +=
        "<line class=\"grid\" x1=\"\(x)\" x2=\"\(x)\" y1=\"0\" y2=\"\(decimals(view.height, 0))\"/>"
    }
    for index in Int((bottom / view.step).rounded(.up))...Int((view.top / view.step).rounded(.down))
    {
      let y = view.y(Double(index) * view.step)
      lines +=
        "<line class=\"grid\" y1=\"\(y)\" y2=\"\(y)\" x1=\"0\" x2=\"\(decimals(view.width, 0))\"/>"
    }
    return lines
  }

  private var scaleBar: HTML {
    let right = view.width - 18
    let left = right - view.step * view.scale
    let y = decimals(view.height - 16, 1)
    return """
      <g class="scale-bar"><line x1="\(decimals(left, 1))" x2="\(decimals(right, 1))" y1="\(y)" y2="\(y)"/>\
      <text x="\(decimals((left + right) / 2, 1))" y="\(y)" dy="-0.5em" text-anchor="middle">\(NiceScale.label(view.step, step: view.step)) m</text></g>
      """
  }

  private var bounds: HTML {
    guard let bounds = site.bounds else { return "" }
    let (low, high) = (bounds.minimum, bounds.maximum)
    return """
      <polygon class="bounds" points="\(view.place(low)) \(view.x(high.x)),\(view.y(low.y)) \(view.place(high)) \(view.x(low.x)),\(view.y(high.y))"><title>where positions were looked for</title></polygon>
      """
  }

  private func room(_ room: Polygon) -> HTML {
    let corners = room.corners.map(view.place).joined(separator: " ")
    let count = Double(max(room.corners.count, 1))
    let middle = Point(
      x: room.corners.reduce(0) { $0 + $1.x } / count,
      y: room.corners.reduce(0) { $0 + $1.y } / count)
    return """
      <polygon class="room" points="\(corners)"/><text class="room-name" x="\(view.x(middle.x))" y="\(view.y(middle.y))" text-anchor="middle">\(Self.short(room.name))</text>
      """
  }

  private func wall(_ wall: ReportedSite.Wall) -> HTML {
    "<polyline class=\"wall\" points=\"\(wall.points.map(view.place).joined(separator: " "))\"><title>\(wall.kind)</title></polyline>"
  }

  private func spot(_ spot: ReportedSite.Spot) -> HTML {
    let x = view.x(spot.place.x)
    let y = view.y(spot.place.y)
    return """
      <g class="spot"><path transform="translate(\(x) \(y))" d="M0 -8 L8 0 L0 8 L-8 0 Z"/><text class="label" x="\(x)" y="\(y)" dx="12" dy="0.35em">\(Self.short(spot.name))</text><title>\(spot.name)</title></g>
      """
  }

  /// A name on the right of its mark, or on the left where it would leave the picture.
  private func anchor(_ anchor: ReportedSite.Anchor) -> HTML {
    let x = view.x(anchor.place.x)
    let y = view.y(anchor.place.y)
    let isRight = (anchor.place.x - view.left) * view.scale > view.width * 0.75
    let side: HTML = isRight ? " dx=\"-13\" text-anchor=\"end\"" : " dx=\"13\""
    let height = anchor.height.map { ", \(decimals($0, 2)) m high" } ?? ""
    return """
      <g class="anchor"><path transform="translate(\(x) \(y))" d="M0 -9 L8.5 7 L-8.5 7 Z"/><text class="label" x="\(x)" y="\(y)"\(side) dy="0.35em">\(Self.short(anchor.name))</text><title>\(anchor.name)\(height)</title></g>
      """
  }

  /// A name as long as there is room for.
  private static func short(_ name: String) -> String {
    name.count <= 20 ? name : name.prefix(9) + "…" + name.suffix(9)
  }
}
