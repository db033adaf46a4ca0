import Capture

/// Listens to a source until its sink wants no more, or until it ends.
func listen<Sink: CaptureSink & ~Copyable>(
  to source: SourceName, _ settings: ScanSettings, speed: Double, _ gateways: MQTTOptions,
  into sink: inout Sink
) throws {
  switch source {
  case .adapter(let index):
    var source = try hciSource(index: index, settings: settings)
    try source.run(into: &sink)
  case .userChannel(let index):
    var source = try userChannelSource(index: index, settings: settings)
    try source.run(into: &sink)
  case .monitor:
    var source = try MonitorSource(silence: settings.silence)
    try source.run(into: &sink)
  case .h4(let address):
    var source = try h4Source(address, settings: settings)
    try source.run(into: &sink)
  case .replay(let file):
    var source = ReplaySource(file: file, speed: speed)
    try source.run(into: &sink)
  case .mqtt(let url):
    var source = try MQTTSource(url: url, options: gateways)
    try source.run(into: &sink)
  }
}
