/// How many characters a terminal has room for.
public struct ScreenSize: Equatable, Sendable {
  public var columns: Int
  public var rows: Int

  /// At least one of each, whatever a terminal says of itself.
  public init(columns: Int, rows: Int) {
    self.columns = min(max(columns, 1), 1000)
    self.rows = min(max(rows, 1), 1000)
  }
}
