package import Sightings
internal import Support

/// A sighting as one line of NDJSON.
package struct SightingLine {
  /// The line with its end.
  package let text: String

  /// - Parameters:
  ///   - rows: the block that holds the sighting; distance and channel are written where known.
  ///   - row: its row.
  ///   - catalogue: the tables that its indices point into.
  ///   - level: dBm, in place of the raw level; NaN is written as null. As a file keeps it, in
  ///     single precision, so that a stream and a file state the same.
  ///   - variance: dB²; left out where it is NaN.
  ///   - place: where the receiver was; left out where it is nil.
  package init(
    _ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue, level: Float,
    variance: Float = .nan, place: TruthPoint? = nil
  ) {
    text = JSONWriter.line { line in
      line.member("time_s", written: Timestamp.decimalSeconds(rows.time[row]))
      line.member("beacon", catalogue.beacons[Int(rows.beacon[row])].id)
      line.member("receiver", catalogue.receivers[Int(rows.receiver[row])].id)
      line.member("rssi_dbm", number: level)
      if row < rows.channel.count, rows.channel[row] != 255 {
        line.member("channel", Int(rows.channel[row]))
      }
      line.member("trace", catalogue.traces[Int(rows.trace[row])])
      if row < rows.dwell.count, Int(rows.dwell[row]) < catalogue.dwells.count {
        let stay = catalogue.dwells[Int(rows.dwell[row])]
        line.member("distance_m", number: stay.distance)
        if !stay.pose.isEmpty { line.member("pose", stay.pose) }
      }
      if let place {
        line.member("x_m", number: place.x)
        line.member("y_m", number: place.y)
        if place.z.isFinite { line.member("z_m", number: place.z) }
      }
      if variance.isFinite { line.member("variance_db2", number: variance) }
    }
  }
}
