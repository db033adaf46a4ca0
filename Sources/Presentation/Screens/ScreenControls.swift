/// What a person has chosen to see.
package struct ScreenControls: Equatable, Sendable {
  package var showsRadar = true
  /// Beacons above the first one shown.
  package private(set) var offset = 0

  package init() {}

  /// - Parameters:
  ///   - count: beacons that there are.
  ///   - visible: beacons for which there is room.
  package mutating func press(_ key: Key, count: Int, visible: Int) {
    switch key {
    case .quit: break
    case .radar: showsRadar.toggle()
    case .up: offset -= 1
    case .down: offset += 1
    case .pageUp: offset -= max(visible, 1)
    case .pageDown: offset += max(visible, 1)
    case .home: offset = 0
    case .end: offset = count
    }
    keep(count: count, visible: visible)
  }

  /// Keeps the list full where beacons have gone.
  package mutating func keep(count: Int, visible: Int) {
    offset = min(max(offset, 0), max(count - max(visible, 1), 0))
  }
}
