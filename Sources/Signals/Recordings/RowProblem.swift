/// Why a row of a table or a line of a stream was refused.
enum RowProblem: String {
  case blank
  case lineTooLong = "line-too-long"
  case badQuotes = "bad-quotes"
  case badJSON = "bad-json"
  case wrongFieldCount = "wrong-field-count"
  case missingName = "missing-name"
  case badName = "bad-name"
  case badTime = "bad-time"
  case timeNotInSeconds = "time-not-in-seconds"
  case badRSSI = "bad-rssi"
  case badChannel = "bad-channel"
  case badDistance = "bad-distance"
  case badPosition = "bad-position"

  /// What to do where all rows have it.
  var advice: String? {
    self == .timeNotInSeconds
      ? "write Unix seconds: milliseconds divided by 1e3, microseconds by 1e6, nanoseconds by 1e9"
      : nil
  }
}
