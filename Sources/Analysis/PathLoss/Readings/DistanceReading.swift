public import Support

/// A level that was received at a known distance: a reading to fit path loss to.
public struct DistanceReading: Hashable, Sendable {
  /// The beacon that transmitted; may be empty.
  public var beacon: String
  /// The receiver that measured the level; may be empty.
  public var receiver: String
  /// The distance between beacon and receiver, in metres.
  public var distance: Double
  /// The level, in dBm.
  public var rssi: Double
  /// The advertising channel, 37 to 39; `nil` if it is unknown.
  public var channel: UInt8?
  /// The place where it was recorded; `nil` makes each distance a place.
  ///
  /// Readings of one place share their shadowing, and count as one in intervals.
  public var place: String?

  /// Creates a reading.
  public init(
    beacon: String = "", receiver: String = "", distance: Double, rssi: Double,
    channel: UInt8? = nil, place: String? = nil
  ) {
    self.beacon = beacon
    self.receiver = receiver
    self.distance = distance
    self.rssi = rssi
    self.channel = channel
    self.place = place
  }
}

extension PathLossFit {
  /// Fits the model to readings.
  ///
  /// ```swift
  /// let fit = try PathLossFit().fit([
  ///   DistanceReading(distance: 1, rssi: -59), DistanceReading(distance: 2, rssi: -66),
  ///   DistanceReading(distance: 4, rssi: -71), DistanceReading(distance: 8, rssi: -78),
  /// ])
  /// print(fit.measuredPower!, fit.exponent!)
  /// ```
  ///
  /// - Parameters:
  ///   - readings: The readings, in any order.
  ///   - key: The name of the result.
  /// - Returns: The constants with their uncertainty, or diagnostics that explain their absence.
  /// - Throws: `.usage` for a distance below ``nearest`` or a level that is not finite.
  /// - Complexity: Linear in the readings, apart from the fit itself, which works on counts.
  public func fit(
    _ readings: some Sequence<DistanceReading>, key: String = "pooled"
  ) throws(RSSIError) -> PathLossGroup {
    var tally = StationTally()
    var places: [String: UInt64] = [:]
    for reading in readings {
      guard reading.distance >= Station.nearest, reading.distance.isFinite, reading.rssi.isFinite
      else {
        throw RSSIError(
          .usage,
          "invalid reading: \(reading.rssi) dBm at \(reading.distance) m (distances are at least "
            + "\(Station.nearest) m)")
      }
      let place =
        reading.place ?? "\(reading.beacon)\u{0}\(reading.receiver)\u{0}\(reading.distance)"
      let number = places[place] ?? UInt64(places.count)
      places[place] = number
      let station = tally.number(
        of: Station(
          beacon: reading.beacon, receiver: reading.receiver, series: "", position: number,
          distance: reading.distance))
      let slot = tally.slot(station: station, channel: reading.channel ?? 255, isStay: true)
      let (level, slots): ([Float], [Int32]) = ([Float(reading.rssi)], [slot])
      tally.add(levels: level.span, variances: [Float]().span, slots: slots.span)
    }
    let stations = tally.heardStations()
    var fit = self
    fit.learnSensitivity(of: stations)
    return fit.group(key: key, stations)
  }

  /// Sets the sensitivity of each receiver to its weakest level, unless one is configured or a
  /// weaker one is known.
  package mutating func learnSensitivity(of stations: [Station]) {
    for station in stations {
      guard let weakest = station.levels.first?.level else { continue }
      let known = sensitivity[station.receiver] ?? weakest
      sensitivity[station.receiver] = configuration.sensitivity ?? min(known, weakest)
    }
  }
}
