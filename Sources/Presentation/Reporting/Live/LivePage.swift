package import Evaluation
package import TraceStore

/// The frame of the live page, whose script fills it from the HTTP interface.
package struct LivePage {
  private let site: ReportedSite?
  private let title: String
  private let tool: ToolIdentity
  private let hasCalibration: Bool
  private let rooms: [String]?

  /// - Parameters:
  ///   - site: the site on the floor plan; nil without one.
  ///   - title: the title, such as the source.
  ///   - hasCalibration: true if distances have intervals of a calibration.
  ///   - rooms: the names of known rooms; nil if rooms are neither shown nor recorded.
  package init(
    on site: ReportedSite?, title: String, hasCalibration: Bool, rooms: [String]? = nil,
    by tool: ToolIdentity
  ) {
    (self.site, self.title, self.tool) = (site, title, tool)
    (self.hasCalibration, self.rooms) = (hasCalibration, rooms)
  }

  /// The floor plan as a picture (SVG) whose colours are those of the page's style.
  package var plan: String? {
    guard let site else { return nil }
    let picture =
      FloorPanels(site)?.picture(of: site) ?? PlanPicture(site: site, view: PlanView(site))
    return picture.inPage
  }

  /// The names of the floors of a building; empty for one plane.
  var floors: [String] { site?.floors ?? [] }

  package var text: String {
    let sections = [
      plan == nil ? nil : floorPlan, rooms.map(section), beacons, events, health,
    ].compactMap(\.self)
    let page: HTML = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title) – live</title>
      <link rel="icon" href="data:,">
      <link rel="stylesheet" href="page.css">
      </head>
      <body class="live">
      <a class="skip" href="#\(sections[0].name)">Skip to the \(sections[0].short.lowercased())</a>
      <header>
      <p class="kicker">Live</p>
      <h1>\(HTML.name(title))</h1>
      <p id="connection" class="remark" role="status">The page needs JavaScript.</p>
      <dl class="facts" id="facts"></dl>
      <div id="recording" class="controls" hidden>
      <button type="button" id="record" aria-pressed="false">Record</button>
      <span id="recording-text" role="status"></span>
      </div>
      </header>
      <nav aria-label="Sections"><ul>\(sections.map(\.link))</ul></nav>
      <main>
      \(sections.map(\.html))</main>
      <footer><p>Served by rssi \(tool.version). The page loads nothing from elsewhere; <a href="openapi.json">its interface</a> is open to other programs.</p></footer>
      <script src="page.js"></script>
      <script src="live.js"></script>
      </body>
      </html>

      """
    return page.text
  }

  private var floorChoice: HTML {
    let options: [HTML] = floors.map { "<option>\($0)</option>" }
    return options.isEmpty
      ? "" : "<label>Floor <select id=\"mark-floor\">\(options)</select></label>\n"
  }

  private var floorPlan: PageSection {
    PageSection(
      name: "plan", heading: "Floor plan", short: "Floor plan",
      introduction:
        "Position of each node with its claimed 95\u{2009}% ellipse.",
      content: """
        <div class="controls">
        <label>Node <select id="plan-node"></select></label>
        <label><input type="checkbox" id="plan-joined" checked> paths</label>
        <label><input type="checkbox" id="plan-names"\((site?.anchors.count ?? 0) <= 16 ? " checked" : "" as HTML)> names</label>
        <label><input type="checkbox" id="plan-past"> history</label>
        </div>
        <div class="split"><figure id="plan-place"></figure>
        <div class="readout">
        <p class="key" aria-hidden="true">\(PlanPicture.key([.anchor, .estimate("position"), .ellipse]))</p>
        <dl id="plan-readout" aria-live="off"></dl>
        <div id="marking" hidden><h3>I am here</h3>
        <p class="remark">Choose yourself, then click your position on the plan, or type it. Mark each stop when you arrive and when you leave: between two marks the truth is a straight line.</p>
        <div class="controls">
        <label>Who <select id="mark-node"></select></label>
        \(floorChoice)<label>x, m <input type="number" id="mark-x" step="0.01"></label>
        <label>y, m <input type="number" id="mark-y" step="0.01"></label>
        <button type="button" id="mark">I am here</button>
        </div></div></div></div>
        <div class="controls epoch" id="past" hidden>
        <button type="button" id="plan-back" aria-label="Previous instant">◀</button>
        <button type="button" id="plan-play" aria-pressed="false">Play</button>
        <button type="button" id="plan-forward" aria-label="Next instant">▶</button>
        <label class="wide"><span class="hidden-label">Step to an instant</span><input type="range" id="plan-epoch" min="0" max="0" value="0"></label>
        </div>
        <svg class="timeline" id="plan-timeline" viewBox="0 0 1000 90" preserveAspectRatio="none" role="img" aria-label="Longer half axis of the 95 % ellipse over the history" hidden></svg>
        <p class="timeline-note" id="plan-timeline-note"></p>
        """)
  }

  private func section(_ rooms: [String]) -> PageSection {
    let names: [HTML] = rooms.map { "<option value=\"\($0)\"></option>" }
    return PageSection(
      name: "rooms", heading: "Rooms", short: "Rooms",
      introduction: "Announced room of each node with its probability, and other candidates.",
      content: """
        <div class="scroll"><table id="room-table"><thead><tr><th class="text" scope="col">node</th><th class="text" scope="col">room</th><th scope="col">probability</th><th scope="col">for</th><th class="text" scope="col">other candidates</th></tr></thead><tbody></tbody></table></div>
        <p class="remark" id="room-note">No node in a room yet.</p>
        <div id="room-marking" hidden><h3>I am in this room</h3>
        <p class="remark">Name the room when you enter it, for <code>rssi rooms train</code>.</p>
        <div class="controls">
        <label>Who <select id="room-node"></select></label>
        <label>Room <input id="room-name" list="room-names" maxlength="128"></label>
        <datalist id="room-names">\(names)</datalist>
        <button type="button" id="room-enter">I am here</button>
        <button type="button" id="room-leave">I left</button>
        <span id="room-marked" role="status"></span>
        </div></div>
        """)
  }

  private var beacons: PageSection {
    PageSection(
      name: "beacons", heading: "Beacons", short: "Beacons",
      introduction:
        "The nearest first, at most 200 per region.\(hasCalibration ? " Distances have 95\u{2009}% intervals." : "" as HTML) Curves: levels of the last minute.",
      content: """
        <div class="scroll"><table id="beacon-table"><thead><tr><th class="text" scope="col">beacon</th><th scope="col">distance, m</th><th scope="col">95\u{2009}%</th><th class="text" scope="col">zone</th><th scope="col">RSSI, dBm</th><th class="text" scope="col">last minute</th><th scope="col">silence, s</th><th class="text" scope="col">receiver</th><th class="text" scope="col">region</th></tr></thead><tbody></tbody></table></div>
        <p class="remark" id="beacon-note">No beacon received yet.</p>
        """)
  }

  private var events: PageSection {
    PageSection(
      name: "events", heading: "Events", short: "Events",
      introduction: "Changes, the latest first.",
      content: "<ol class=\"happened\" id=\"event-list\" role=\"log\"></ol>")
  }

  private var health: PageSection {
    PageSection(
      name: "health", heading: "Health of the source", short: "Health",
      introduction: "Rates of reception, losses and refusals.",
      content: "<dl class=\"facts\" id=\"health-facts\"></dl>\n<ul id=\"health-list\"></ul>")
  }
}
