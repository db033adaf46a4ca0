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
}
