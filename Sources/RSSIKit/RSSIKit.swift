/// The libraries of the package that other programs need, under one name.
///
/// `import RSSIKit` makes the public declarations of all of them visible; each can also be imported
/// by itself.
@_exported import Advertising
@_exported import Capture
@_exported import Evaluation
@_exported import Filtering
@_exported import Geometry
@_exported import LivePipelines
@_exported import NumericalMethods
@_exported import PathLoss
@_exported import Positioning
@_exported import Proximity
@_exported import Recordings
@_exported import Registries
@_exported import Rooms
@_exported import Sightings
@_exported import Simulation
@_exported import Sites
@_exported import Support
@_exported import TracePipelines
@_exported import TraceStore

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

extension FilterChain {
  /// Returns the levels of one link after a chain of filters and smoothers, in order of time.
  ///
  /// ```swift
  /// let levels = FilterChain.levels(
  ///   of: sightings, through: [try FilterSpecification("hampel"), try FilterSpecification("rts")])
  /// ```
  ///
  /// Noise that a filter leaves open is the most likely one for these levels, as in ``FilterStage``,
  /// or that of a person walking if there are too few. Linear in the number of sightings for most
  /// filters.
  ///
  /// - Parameters:
  ///   - sightings: the sightings of one link, in order of time; those without a level are left out.
  ///   - resetAfter: the time without a level after which the filters start again; nil = never.
  public static func levels(
    of sightings: [NamedSighting], through filters: [FilterSpecification],
    resetAfter: Duration? = nil
  ) -> [(time: Timestamp, level: FilteredLevel)] {
    let heard = sightings.filter { $0.rssi != nil }
    let link = NoiseEstimate.Link(
      times: heard.map(\.time.nanoseconds), levels: heard.map { Float($0.rssi ?? .nan) })
    let noise = filters.map { filter in
      filter.writtenNoise ?? filter.missingNoise.map { $0.noise(of: [link]) ?? $0.walking }
        ?? .walking
    }
    var chain = FilterChain(filters, resetAfter: resetAfter)
    let number = chain.addLink(LinkPlace(trace: 0, receiver: 0), noise: noise)
    var rows = LevelRows()
    for (row, sighting) in heard.enumerated() {
      rows.append(
        row: row, link: number, time: sighting.time.nanoseconds, rssi: sighting.rssi ?? .nan,
        channel: sighting.channel ?? 255)
    }
    var levels: [(time: Timestamp, level: FilteredLevel)] = []
    func take() {
      for index in 0..<rows.count {
        levels.append(
          (
            Timestamp(nanoseconds: rows.time[index]),
            FilteredLevel(rssi: rows.rssi[index], variance: rows.variance[index])
          ))
      }
    }
    chain.process(&rows)
    take()
    chain.finish(&rows)
    take()
    return levels
  }
}
