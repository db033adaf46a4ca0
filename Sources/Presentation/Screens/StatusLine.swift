/// What the user has to know now, and the keys that there is room for.
struct StatusLine {
  let controls: ScreenControls
  let message: String
  let pause: WatchScreen.Pause?
  let hasKeys: Bool
  /// The places of the beacons that are seen, counted from 1; nil where all are.
  let places: ClosedRange<Int>?
  /// Beacons in the list, and in sight.
  let listed: Int
  let inSight: Int

  func draw(on canvas: inout Canvas, in area: ScreenArea) {
    var at = area.column
    func room() -> Int { area.column + area.columns - at }
    if let state, !state.isEmpty {
      at += canvas.put(state, row: area.row, column: at, width: room(), .strong) + 2
    }
    for hint in hints where hint.count <= room() {
      at += canvas.put(hint, row: area.row, column: at, width: room(), .quiet) + 2
    }
  }

  private var state: String? {
    if controls.isTyping { return "/\(controls.search)_" }
    switch pause {
    case .replay: return "PAUSED, the replay waits"
    case .screen(let received): return "PAUSED, receiving: \(received) more"
    case nil: break
    }
    return message.isEmpty ? nil : message
  }

  private var hints: [String] {
    if controls.showsHelp { return ["any key closes the help"] }
    let count = "\(listed) of \(inSight)"
    if controls.isTyping { return [count, "Enter keep", "Esc clear"] }
    if pause != nil { return ["Space goes on", "? help", "q quit"] }
    guard message.isEmpty else { return [] }
    let position = places.map { "\($0.lowerBound)–\($0.upperBound) of \(listed)" }
    guard hasKeys else { return ["Ctrl-C ends"] + [position].compactMap(\.self) }
    if controls.showsDetail { return ["Esc back", "? help", "Up, Down next", "Space pause"] }
    let search = controls.search.isEmpty ? nil : "/\(controls.search): \(count)"
    return [
      "q quit", "? help", search, position, "s sort: \(controls.order.words)", "Enter detail",
      "Space pause", "/ search", "r radar",
    ].compactMap(\.self)
  }
}
