package import Capture
package import Sightings
package import Support

/// What to listen to, and how.
package struct SourceRequest {
  package var name: SourceName
  package var scanning = ScanSettings()
  /// How many times as fast as it was recorded a recording is replayed; infinite = as fast as
  /// possible.
  package var speed = 1.0
  package var gateways = GatewayOptions()
  /// Where to begin in a stream of which no trace has anything; nil = with the first message, or
  /// with the messages to come where no place is kept.
  package var since: StreamStart?

  package init(_ name: SourceName) { self.name = name }

  /// Listens until the sink wants no more, or until the source ends.
  ///
  /// - Parameters:
  ///   - clock: by which a recording is replayed.
  ///   - positions: what traces have of streams; nil keeps no place in a stream.
  package func listen<Sink: CaptureSink & ~Copyable>(
    into sink: inout Sink, clock: MachineClock,
    positions: (() throws -> [(stream: StreamIdentity, position: StreamPosition)])? = nil
  ) throws {
    switch name {
    case .adapter(let index):
      var source = try hciSource(index: index, settings: scanning)
      try source.run(into: &sink)
    case .userChannel(let index):
      var source = try userChannelSource(index: index, settings: scanning)
      try source.run(into: &sink)
    case .monitor:
      var source = try MonitorSource(silence: scanning.silence)
      try source.run(into: &sink)
    case .h4(let address):
      var source = try h4Source(address, settings: scanning)
      try source.run(into: &sink)
    case .uBlox(let address):
      var source = try LineSource(address: address)
      try source.run(into: &sink)
    case .replay:
      var source = ReplaySource(files: try name.replayedFiles(), speed: speed, clock: clock)
      try source.run(into: &sink)
    case .mqtt(let url):
      var source = try MQTTSource(url: url, options: gateways)
      try source.run(into: &sink)
    case .nats(let url):
      var source = try NATSSource(
        url: url, options: gateways, since: since, positions: positions)
      try source.run(into: &sink)
    }
  }
}
