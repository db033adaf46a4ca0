/// What goes where, by the room that there is: with less, first the radar is left out, then the
/// header and the events; a row of the list and the status always remain.
///
/// With 100 columns the radar stands beside list and events, with 50 × 20 beside the events below
/// the list; with less there is none.
struct ScreenLayout: Equatable {
  private(set) var header: ScreenArea?
  private(set) var seek: ScreenArea?
  private(set) var list: ScreenArea
  private(set) var radar: ScreenArea?
  private(set) var events: ScreenArea?
  private(set) var status: ScreenArea
  /// Where there is one thing instead of all, between header and status.
  let body: ScreenArea

  /// With less nothing can be shown but that.
  static let least = ScreenSize(columns: 18, rows: 3)

  static func fits(_ size: ScreenSize) -> Bool {
    size.columns >= least.columns && size.rows >= least.rows
  }

  init(_ size: ScreenSize, showsRadar: Bool, isSeeking: Bool) {
    list = ScreenArea(row: 0, column: 0, rows: size.rows, columns: size.columns)
    status = list.takeBottom(1)
    let isLarge = size.columns >= 40 && size.rows >= 10
    if isLarge { header = list.takeTop(1) }
    body = list
    if isSeeking {
      // The search comes first, but leaves some of the list.
      seek = list.takeTop(min(SeekPanel.rows, list.rows - (list.rows >= 8 ? 3 : 1)))
    }
    guard isLarge else { return }
    if showsRadar, list.columns >= 100, list.rows >= 10 {
      // As wide as it is high, a character being twice as high as wide, and a gap.
      radar = list.takeRight(min((list.rows - 1) * 2 + 2, list.columns * 2 / 5))
      list.columns -= 2
      events = list.takeBottom(min(max(list.rows / 4, 3), 12))
    } else if showsRadar, list.rows >= 18, list.columns >= 50 {
      var lower = list.takeBottom(list.rows * 11 / 20)
      radar = lower.takeRight(min((lower.rows - 1) * 2 + 2, lower.columns / 2))
      lower.columns -= 1
      events = lower
    } else if list.rows >= 8 {
      events = list.takeBottom(min(max(list.rows / 4, 2), 12))
    }
  }
}
