/// What receives advertising reports: a store, a counter, a test.
public protocol ReportSink: ~Copyable {
  /// Takes one report with its advertising data (0 to 1650 bytes); the bytes are gone when it
  /// returns.
  ///
  /// - Throws: what stops the reading, such as a full disk; the reader passes it on unchanged.
  mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws
}
