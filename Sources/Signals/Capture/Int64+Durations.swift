/// Durations in nanoseconds.
extension Int64 {
  static var second: Int64 { 1_000_000_000 }
  static var millisecond: Int64 { 1_000_000 }
}
