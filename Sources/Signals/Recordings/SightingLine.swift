package import Sightings

/// A sighting as one line of NDJSON.
package struct SightingLine {
  /// The line with its end.
  package let text: String

  /// - Parameters:
  ///   - rows: the block that holds the sighting; distance and channel are written where known.
  ///   - row: its row.
  ///   - catalogue: the tables that its indices point into.
  ///   - level: dBm, in place of the raw level; NaN is written as null. As a file keeps it, in
  ///     single precision, so that a stream and a file say the same.
  ///   - variance: dB²; left out where it is NaN.
  ///   - place: where the receiver was; left out where it is nil.
  package init(
    _ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue, level: Float,
    variance: Float = .nan, place: TruthPoint? = nil
  ) {
    var line = "{\"time_s\":" + Timestamp.decimalSeconds(rows.time[row])
    line += ",\"beacon\":" + jsonQuoted(catalogue.beacons[Int(rows.beacon[row])].id)
    line += ",\"receiver\":" + jsonQuoted(catalogue.receivers[Int(rows.receiver[row])].id)
    line += ",\"rssi_dbm\":" + number(level)
    if row < rows.channel.count, rows.channel[row] != 255 {
      line += ",\"channel\":\(rows.channel[row])"
    }
    line += ",\"trace\":" + jsonQuoted(catalogue.traces[Int(rows.trace[row])])
    if row < rows.dwell.count, Int(rows.dwell[row]) < catalogue.dwells.count {
      let stay = catalogue.dwells[Int(rows.dwell[row])]
      line += ",\"distance_m\":" + number(stay.distance)
      if !stay.pose.isEmpty { line += ",\"pose\":" + jsonQuoted(stay.pose) }
    }
    if let place {
      line += ",\"x_m\":" + number(place.x) + ",\"y_m\":" + number(place.y)
      if place.z.isFinite { line += ",\"z_m\":" + number(place.z) }
    }
    if variance.isFinite { line += ",\"variance_db2\":" + number(variance) }
    text = line + "}\n"
  }
}

/// A number as JSON writes it: no ".0", null where there is none.
private func number<Value: BinaryFloatingPoint & LosslessStringConvertible>(_ value: Value)
  -> String
{
  guard value.isFinite else { return "null" }
  return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
}

/// A text as JSON writes it.
package func jsonQuoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\u{0}"..<" ":
      let digits = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
