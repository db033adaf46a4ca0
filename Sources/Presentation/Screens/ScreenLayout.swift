/// What goes where, by the room that there is.
///
/// Below 40 × 10 only the list. With 100 columns the radar stands beside list and events, with
/// 50 × 20 beside the events below the list; with less there is none.
struct ScreenLayout: Equatable {
  private(set) var header: ScreenArea?
  private(set) var seek: ScreenArea?
  private(set) var list: ScreenArea
  private(set) var radar: ScreenArea?
  private(set) var events: ScreenArea?
  private(set) var status: ScreenArea?

  init(_ size: ScreenSize, showsRadar: Bool, isSeeking: Bool) {
    list = ScreenArea(row: 0, column: 0, rows: size.rows, columns: size.columns)
    guard size.columns >= 40, size.rows >= 10 else {
      if isSeeking { (seek, list.rows) = (list, 0) }
      return
    }
    header = list.takeTop(1)
    status = list.takeBottom(1)
    if isSeeking {
      // The search comes first; where nothing useful would remain, it has all the room.
      seek = list.rows < SeekPanel.rows + 4 ? list.takeTop(list.rows) : list.takeTop(SeekPanel.rows)
      guard list.rows > 0 else { return }
    }
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
    } else {
      events = list.takeBottom(list.rows >= 8 ? min(max(list.rows / 4, 2), 12) : 0)
    }
  }
}
