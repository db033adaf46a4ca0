extension LevelFilter {
  /// Takes the level of one sighting and returns the level at its time; nil if it has none.
  ///
  /// - Parameter sighting: of the filter's link, not earlier than the one before.
  public mutating func update(_ sighting: NamedSighting) -> FilteredLevel? {
    sighting.rssi.map {
      update(time: sighting.time.nanoseconds, rssi: $0, channel: sighting.channel ?? 255)
    }
  }
}
