/// The choices of a user of a screen.
package struct ScreenControls: Equatable, Sendable {
  package private(set) var wantsEnd = false
  package private(set) var isPaused = false
  private(set) var showsRadar = true
  private(set) var showsHelp = false
  /// A Boolean value that is true if the details of the selected beacon are shown.
  private(set) var showsDetail = false
  private(set) var order = ListOrder.nearest
  /// The text that names or identities must contain; empty = anything.
  private(set) var search = ""
  /// A Boolean value that is true if the search is being typed.
  private(set) var isTyping = false
  /// The number of the selected beacon, which moves with it.
  private(set) var selected: Int?
  /// The number of beacons above the first visible one.
  package private(set) var offset = 0

  private static let longestSearch = 60

  package init() {}

  /// - Parameters:
  ///   - shown: the numbers of the beacons of the list, in its order.
  ///   - visible: the number of beacons for which there is room.
  package mutating func press(_ key: Key, shown: [Int], visible: Int) {
    if showsHelp {
      showsHelp = false
    } else if !isTyping || !type(key) {
      command(key, shown, max(visible, 1))
    }
  }

  /// Keeps the list full after beacons have left, and the selected one in sight.
  package mutating func keep(shown: [Int], visible: Int) {
    let visible = max(visible, 1)
    if let place = selected.flatMap(shown.firstIndex) {
      offset = min(max(offset, place - visible + 1), place)
    }
    offset = min(max(offset, 0), max(shown.count - visible, 0))
  }

  /// Takes a key of a search; returns false for keys with their usual meaning.
  private mutating func type(_ key: Key) -> Bool {
    switch key {
    case .character(let scalar):
      if search.unicodeScalars.count < Self.longestSearch { search.unicodeScalars.append(scalar) }
    case .backspace:
      if search.isEmpty { isTyping = false } else { search.unicodeScalars.removeLast() }
    case .enter: isTyping = false
    default: return false
    }
    return true
  }

  private mutating func command(_ key: Key, _ shown: [Int], _ visible: Int) {
    switch key {
    case .character("q"), .character("Q"): wantsEnd = true
    case .character("?"): showsHelp = true
    case .character(" "): isPaused.toggle()
    case .character("s"), .character("S"): order = order.next
    case .character("r"), .character("R"): showsRadar.toggle()
    case .character("/"): (search, isTyping, showsDetail) = ("", true, false)
    case .enter:
      if !showsDetail, selected.flatMap(shown.firstIndex) == nil { select(offset, shown) }
      showsDetail = !showsDetail && selected != nil
    case .escape: goBack()
    case .up: move(by: -1, shown)
    case .down: move(by: 1, shown)
    case .pageUp: move(by: -visible, shown, page: -visible)
    case .pageDown: move(by: visible, shown, page: visible)
    case .home: select(0, shown)
    case .end: select(shown.count - 1, shown)
    case .character, .backspace: break
    }
  }

  /// Undoes the latest choice.
  private mutating func goBack() {
    if showsDetail {
      showsDetail = false
    } else if isTyping || !search.isEmpty {
      (search, isTyping) = ("", false)
    } else {
      selected = nil
    }
  }

  /// Moves the selection; the first press selects the first beacon.
  private mutating func move(by count: Int, _ shown: [Int], page: Int = 0) {
    let place = selected.flatMap(shown.firstIndex)
    select(place.map { $0 + count } ?? offset + page, shown)
    offset += page
  }

  private mutating func select(_ place: Int, _ shown: [Int]) {
    guard !shown.isEmpty else { return }
    selected = shown[min(max(place, 0), shown.count - 1)]
  }
}
