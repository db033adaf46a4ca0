/// How many characters a terminal has room for.
package struct ScreenSize: Equatable, Sendable {
  package var columns: Int
  package var rows: Int

  /// At least one of each, whatever a terminal states of itself.
  package init(columns: Int, rows: Int) {
    self.columns = min(max(columns, 1), 1000)
    self.rows = min(max(rows, 1), 1000)
  }
}
