import Evaluation
import Geometry
import Plotting
import Positioning
import Support

/// The part of the floor plan that does not change: rooms, walls, anchors, spots and a scale.
struct PlanPicture {
  let site: ReportedSite
  let view: PlanView
  /// The layer under walls, rooms and marks.
  var underlay: HTML = ""
  /// A Boolean value that is true if the picture has a scale bar.
  var hasScale = true
  /// The floors of a building, each with its own layer; nil for one plane.
  var floors: (panels: FloorPanels, underlays: [HTML])?
  /// The marks that are shown without a script.
  var answers: HTML = ""

  /// The picture as a file of its own.
  var standalone: String {
    picture(
      " xmlns=\"http://www.w3.org/2000/svg\" width=\"\(decimal(view.width, 0))\" height=\"\(decimal(view.height, 0))\"",
      "<style>\(PlanStyle.text)</style>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n"
    ).text
  }

  var html: HTML { picture("", "") }

  /// The picture as a document that becomes part of a page with the style.
  var inPage: String { picture(" xmlns=\"http://www.w3.org/2000/svg\"", "").text }

  private func picture(_ attributes: HTML, _ style: HTML) -> HTML {
    let width = decimal(view.width, 0)
    let height = decimal(view.height, 0)
    return """
      <svg\(attributes) class="plan" id="plan-picture" viewBox="0 0 \(width) \(height)" role="img" aria-label="Floor plan with \(site.anchors.count) anchors" \
      data-left="\(decimal(view.left, 4))" data-top="\(decimal(view.top, 4))" data-scale="\(decimal(view.scale, 6))"\(floorPlaces)>
      \(style)<g class="base">\(base)</g>
      <g id="plan-answers">\(answers)</g></svg>

      """
  }

  private var base: HTML {
    guard let floors else {
      return
        "\(floor)\(grid)\(underlay)\(bounds)\(site.rooms.map(room))\(site.walls.map(wall))\(site.spots.map(spot))\(site.anchors.map(anchor))\(scaleBar)"
    }
    let panels: [HTML] = floors.panels.panels.enumerated().map { index, panel in
      let (width, height) = (decimal(panel.view.width, 1), decimal(panel.view.height, 1))
      let plan = PlanPicture(
        site: panel.site, view: panel.view, underlay: floors.underlays[index],
        hasScale: index == floors.panels.panels.count - 1)
      return """
        <g transform="translate(\(decimal(panel.x, 1)) \(decimal(panel.y, 1)))"><text class="floor-name" x="2" y="-8">\(panel.name)</text>\
        <svg width="\(width)" height="\(height)">\(plan.base)</svg>\
        <rect class="frame" width="\(width)" height="\(height)"/></g>

        """
    }
    return "\(panels)"
  }

  private var floorPlaces: HTML { floors.map { " data-floors=\"\($0.panels.places)\"" } ?? "" }

  /// The picture of the floor, which is turned and scaled to where it belongs.
  private var floor: HTML {
    guard let floor = site.floor else { return "" }
    let scale = view.scale
    let matrix = [
      floor.x.u * scale, -floor.y.u * scale, floor.x.v * scale, -floor.y.v * scale,
      (floor.x.origin - view.left) * scale, (view.top - floor.y.origin) * scale,
    ].map { decimal($0, 6) }.joined(separator: " ")
    return """
      <image class="floor" href="\(floor.uri)" width="\(floor.width)" height="\(floor.height)" preserveAspectRatio="none" transform="matrix(\(matrix))"><title>\(floor.name)</title></image>
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
        "<line class=\"grid\" x1=\"\(x)\" x2=\"\(x)\" y1=\"0\" y2=\"\(decimal(view.height, 0))\"/>"
      // The scale bar is to the right.
      if !hasScale || Double(index) * view.step < right - 2.5 * view.step {
        lines +=
          "<text class=\"axis\" x=\"\(x)\" y=\"\(decimal(view.height - 5, 0))\" text-anchor=\"middle\">\(NiceScale.label(Double(index) * view.step, step: view.step))</text>"
      }
    }
    for index in Int((bottom / view.step).rounded(.up))...Int((view.top / view.step).rounded(.down))
    {
      let y = view.y(Double(index) * view.step)
      lines +=
        "<line class=\"grid\" y1=\"\(y)\" y2=\"\(y)\" x1=\"0\" x2=\"\(decimal(view.width, 0))\"/>"
      // Labels at the corners would be cut off, or meet those of x.
      if (24..<view.height - 24).contains(Double(y) ?? 0) {
        lines +=
          "<text class=\"axis\" x=\"4\" y=\"\(y)\" dy=\"-0.25em\">\(NiceScale.label(Double(index) * view.step, step: view.step))</text>"
      }
    }
    return lines
  }

  private var scaleBar: HTML {
    guard hasScale else { return "" }
    let right = view.width - 18
    let left = right - view.step * view.scale
    let y = decimal(view.height - 16, 1)
    return """
      <g class="scale-bar"><line x1="\(decimal(left, 1))" x2="\(decimal(right, 1))" y1="\(y)" y2="\(y)"/>\
      <text x="\(decimal((left + right) / 2, 1))" y="\(y)" dy="-0.5em" text-anchor="middle">\(NiceScale.label(view.step, step: view.step)) m</text></g>
      """
  }

  private var bounds: HTML {
    guard let bounds = site.bounds else { return "" }
    let (low, high) = (bounds.minimum, bounds.maximum)
    return """
      <polygon class="bounds" points="\(view.place(low)) \(view.x(high.x)),\(view.y(low.y)) \(view.place(high)) \(view.x(low.x)),\(view.y(high.y))"><title>search area</title></polygon>
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
      <g class="spot"><g transform="translate(\(x) \(y))"><path d="M0 -8 L8 0 L0 8 L-8 0 Z"/></g><text class="label" x="\(x)" y="\(y)" dx="0.8em" dy="0.35em">\(Self.short(spot.name))</text><title>\(spot.name)</title></g>
      """
  }

  /// Returns an anchor with its name beside and above the mark, clear of a wall along it.
  private func anchor(_ anchor: ReportedSite.Anchor) -> HTML {
    let x = view.x(anchor.place.x)
    let y = view.y(anchor.place.y)
    let isRight = (anchor.place.x - view.left) * view.scale > view.width * 0.75
    let side: HTML = isRight ? " dx=\"-0.87em\" text-anchor=\"end\"" : " dx=\"0.87em\""
    let height = anchor.height.map { ", \(decimal($0, 2)) m high" } ?? ""
    return """
      <g class="anchor"><g transform="translate(\(x) \(y))"><path d="M0 -9 L8.5 7 L-8.5 7 Z"/></g><text class="label" x="\(x)" y="\(y)"\(side) dy="-0.45em">\(Self.short(anchor.name))</text><title>\(anchor.name)\(height)</title></g>
      """
  }

  /// Returns a short name: of an identity with many parts, the last ones.
  static func short(_ name: String) -> String {
    guard name.count > 18 else { return name }
    let parts = name.split(separator: ":")
    let end = parts.suffix(parts.count >= 4 ? 2 : 1).joined(separator: ":")
    return parts.count >= 3 && end.count <= 16 ? "…" + end : name.prefix(8) + "…" + name.suffix(8)
  }

  /// Returns the picture, the readout beside it, and the controls of time below it.
  ///
  /// - Parameters:
  ///   - key: the meaning of the marks.
  ///   - step: the name of a step, such as `epoch`.
  ///   - curve: the label of the curve below the picture.
  ///   - legend: the meaning of the colours of the underlay.
  func withPlayer(key: HTML, step: String, curve: String, legend: HTML = "") -> HTML {
    """
    <div class="split"><figure>
    \(html)</figure>
    <div class="readout">
    <p class="key" aria-hidden="true">\(key)</p>
    <dl id="plan-readout" aria-live="polite"></dl>\(legend)</div></div>
    <div class="controls epoch script-only">
    <button type="button" id="plan-back" aria-label="Previous \(step)">◀</button>
    <button type="button" id="plan-play" aria-pressed="false">Play</button>
    <button type="button" id="plan-forward" aria-label="Next \(step)">▶</button>
    <label class="wide"><span class="hidden-label">Step to a \(step)</span><input type="range" id="plan-epoch" min="0" max="0" value="0"></label>
    </div>
    <svg class="timeline script-only" id="plan-timeline" viewBox="0 0 1000 90" preserveAspectRatio="none" role="img" aria-label="\(curve)"></svg>
    <p class="timeline-note script-only" id="plan-timeline-note"></p>

    """
  }

  /// Marks of the plan with their meaning.
  static func key(_ marks: [Mark]) -> HTML { "\(marks.map(\.html))" }

  enum Mark {
    case anchor, truth, ellipse
    case estimate(String)

    var html: HTML {
      switch self {
      case .anchor:
        "<span><svg viewBox=\"0 0 20 14\"><path class=\"anchor-mark\" d=\"M10 1 L17 13 L3 13 Z\"/></svg>anchor</span>\n"
      case .truth:
        "<span><svg viewBox=\"0 0 20 14\"><circle class=\"truth-mark\" cx=\"10\" cy=\"7\" r=\"5\"/></svg>truth</span>\n"
      case .estimate(let name):
        "<span><svg viewBox=\"0 0 20 14\"><circle class=\"estimate-mark\" cx=\"10\" cy=\"7\" r=\"5\"/></svg>\(name)</span>\n"
      case .ellipse:
        "<span><svg viewBox=\"0 0 20 14\"><ellipse class=\"ellipse-mark\" cx=\"10\" cy=\"7\" rx=\"9\" ry=\"5\"/></svg>95\u{2009}% ellipse</span>\n"
      }
    }
  }
}

/// The style of a floor plan that is a file of its own.
///
/// Plain rules, unlike those of a page: what draws or prints SVG elsewhere has no variables.
enum PlanStyle {
  static let text = HTML(
    trusted: rules(.light) + "@media (prefers-color-scheme: dark) {\n" + rules(.dark)
      + ".floor { filter: invert(1) hue-rotate(180deg); }\n}\n")

  private static func rules(_ colours: Colours) -> String {
    """
    .page { fill: \(colours.page); }
    text { font: 15px system-ui, sans-serif; fill: \(colours.soft); paint-order: stroke; stroke: \(colours.page); stroke-width: 4px; stroke-linejoin: round; }
    .floor { opacity: 0.7; }
    .grid { stroke: \(colours.grid); stroke-width: 1; }
    text.axis { font-size: 12px; }
    .bounds { fill: none; stroke: \(colours.faint); stroke-width: 1.5; stroke-dasharray: 8 6; }
    .room { fill: \(colours.room); stroke: none; }
    .floor ~ .room { fill: none; stroke: \(colours.faint); }
    .room-name, .floor-name { font-size: 17px; }
    .frame { fill: none; stroke: \(colours.faint); }
    .wall { fill: none; stroke: \(colours.wall); stroke-width: 4; stroke-linejoin: round; stroke-linecap: round; }
    .spot path { fill: none; stroke: \(colours.soft); stroke-width: 2; }
    .anchor path { fill: \(colours.ink); }
    .scale-bar line { stroke: \(colours.ink); stroke-width: 3; }
    .joined { fill: none; stroke: currentColor; stroke-width: 1.4; opacity: 0.55; stroke-linejoin: round; }
    .place { color: \(colours.ink); }
    .place ellipse { fill: currentColor; fill-opacity: 0.13; stroke: currentColor; stroke-width: 1.6; }
    .place circle { fill: currentColor; }
    .place.apparent circle { fill: none; stroke: currentColor; stroke-width: 1.6; }
    .surveyed { fill: none; stroke: \(colours.faint); stroke-width: 4; stroke-linecap: round; }
    .cloud { stroke: currentColor; stroke-width: 7; stroke-linecap: round; opacity: 0.4; }
    .cloud.dense { stroke-width: 4; opacity: 0.25; }
    \(colours.series.enumerated().map { ".c\($0) { color: \($1); }" }.joined(separator: "\n"))

    """
  }
}
