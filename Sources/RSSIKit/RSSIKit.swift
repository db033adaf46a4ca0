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
