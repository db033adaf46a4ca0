internal import Advertising
package import Sightings
package import Support

/// A sighting as one line of NDJSON.
package struct SightingLine {
  /// The line with its end.
  package let text: String

  /// - Parameters:
  ///   - rows: The block with the sighting; distance and channel are written if known.
  ///   - row: The row of the sighting.
  ///   - catalogue: The tables to which its indices refer.
  ///   - level: The level in dBm that replaces the raw level; NaN is written as null. It is in
  ///     single precision as in a file, so that a stream and a file agree.
  ///   - variance: The variance in dB²; omitted if it is NaN.
  ///   - place: The place of the receiver; omitted if it is `nil`.
  ///   - estimate: The distance from the level, which replaces the true one, then
  ///     `true_distance_m`; `nil` writes only the true one.
  ///     `true_distance_m`; nil writes the true one alone.
  package init(
    _ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue, level: Float,
    variance: Float = .nan, place: TruthPoint? = nil, estimate: EstimatedDistance? = nil
  ) {
    text = JSONWriter.line { line in
      line.member("time_s", written: Timestamp.decimalSeconds(rows.time[row]))
      line.member("beacon", catalogue.beacons[Int(rows.beacon[row])].id)
      line.member("receiver", catalogue.receivers[Int(rows.receiver[row])].id)
      line.member("rssi_dbm", number: level)
      if row < rows.channel.count, rows.channel[row] != 255 {
        line.member("channel", Int(rows.channel[row]))
      }
      let angle = rows.angle(row)
      if !angle.azimuthDeg.isNaN { line.member("azimuth_deg", number: angle.azimuthDeg) }
      if !angle.elevationDeg.isNaN { line.member("elevation_deg", number: angle.elevationDeg) }
      line.member("trace", catalogue.traces[Int(rows.trace[row])])
      if let estimate {
        for (name, text) in zip(EstimatedDistance.names, estimate.texts) {
          line.member(name, written: text)
        }
      }
      if row < rows.stay.count, Int(rows.stay[row]) < catalogue.stays.count {
        let stay = catalogue.stays[Int(rows.stay[row])]
        line.member(
          estimate == nil ? "distance_m" : "true_distance_m", number: stay.distance)
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

/// A distance estimated from a level, with the limits of its 95 % interval, in metres; `nil` for
/// none.
package struct EstimatedDistance: Sendable {
  package var distance, lower, upper: Double?

  package init(distance: Double? = nil, lower: Double? = nil, upper: Double? = nil) {
    (self.distance, self.lower, self.upper) = (distance, lower, upper)
  }

  /// The columns and keys of the values, in order. A table with the second has estimates in the
  /// first.
  static let names = ["distance_m", "distance_low_m", "distance_high_m"]

  /// The values in millimetres, as `rssi watch` shows them.
  package var texts: [String?] {
    [distance, lower, upper].map { value in
      value.flatMap { $0.isFinite ? decimal($0, 3) : nil }
    }
  }
}

/// A sink that writes sightings as lines of NDJSON for the next stage, block by block.
package struct SightingLineSink: SightingSink {
  private let output: any LineWriter
  private let place: (x: Double, y: Double, z: Double)?

  /// - Parameter place: The place of the receiver in metres, which each line then contains.
  package init(_ output: any LineWriter, at place: (x: Double, y: Double, z: Double)? = nil) {
    (self.output, self.place) = (output, place)
  }

  package mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    for row in 0..<rows.count {
      let point = place.map { place in
        TruthPoint(
          time: rows.time[row], role: .receiver, node: UInt32(rows.receiver[row]),
          trace: rows.trace[row], x: place.x, y: place.y, z: place.z)
      }
      try output.write(
        SightingLine(rows, row, catalogue, level: rows.rssi[row], place: point).text)
    }
    try output.flush()
  }
}
