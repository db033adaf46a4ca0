package import Capture
package import Support

/// What to listen to, and how.
package struct SourceRequest {
  package var name: SourceName
  package var scanning = ScanSettings()
  /// How many times as fast as it was recorded a recording is replayed; infinite = as fast as
  /// possible.
  package var speed = 1.0
  package var gateways = GatewayOptions()

  package init(_ name: SourceName) { self.name = name }

  /// Listens until the sink wants no more, or until the source ends.
  ///
  /// - Parameter clock: by which a recording is replayed.
  package func listen<Sink: CaptureSink & ~Copyable>(
    into sink: inout Sink, clock: MachineClock
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
    case .replay:
      var source = ReplaySource(files: try name.replayedFiles(), speed: speed, clock: clock)
      try source.run(into: &sink)
    case .mqtt(let url):
      var source = try MQTTSource(url: url, options: gateways)
      try source.run(into: &sink)
    }
  }
}
