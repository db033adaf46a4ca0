package import Advertising
package import Sightings
package import Support

/// A reader of the texts in which other programs print advertisements.
package enum LogReader {
  /// Reads a text into a trace builder, whose current trace and receiver are set.
  ///
  /// - Parameters:
  ///   - progress: A closure that receives the number of bytes read.
  ///   - note: A closure that receives a sentence for users, such as on its times.
  /// - Returns: The counts of its packets, which are its lines if it has no packets.
  package static func read<Sink: SightingSink & ~Copyable>(
    _ path: String, _ format: LogFormat, progress: any ActivityProgress = SilentLog(),
    note: (String) -> Void = { _ in }, into builder: inout TraceBuilder<Sink>
  ) throws -> DecodingCounts {
    var intake = LogIntake(try format.parser(of: path))
    if let arrays = format.arrays {
      for keys in arrays {
        var objects = try JSONObjects(path: path, within: keys, progress: progress)
        while try objects.next({ try intake.take($0, into: &builder) }) != nil {}
        if let cut = objects.cut { note("warning: \(path) ends \(cut): is it whole?") }
      }
    } else {
      var lines = try Lines(path: path, progress: progress)
      while try lines.next({ try intake.take($0, into: &builder) }) != nil {}
    }
    try intake.finish(into: &builder)
    if let sentence = intake.parser.timeNote { note("\(path): \(sentence)") }
    return intake.counts
  }
}

/// The way from lines to a trace builder.
private struct LogIntake {
  var parser: any LogParser
  private var batch = LogBatch()
  private var events = HCIEventDecoder()
  private var packets: LinkLayerDecoder?

  init(_ parser: any LogParser) { self.parser = parser }

  var counts: DecodingCounts {
    var counts = batch.counts
    counts.merge(events.counts)
    if let packets { counts.merge(packets.counts) }
    return counts
  }

  mutating func take<Sink: SightingSink & ~Copyable>(
    _ line: Span<UInt8>?, into builder: inout TraceBuilder<Sink>
  ) throws {
    batch.begin()
    if let line {
      parser.read(line, into: &batch)
    } else {
      batch.counts.rejectPacket(.oversizedRecord)
    }
    try pass(into: &builder)
  }

  mutating func finish<Sink: SightingSink & ~Copyable>(
    into builder: inout TraceBuilder<Sink>
  ) throws {
    batch.begin()
    parser.finish(into: &batch)
    try pass(into: &builder)
    try events.flush(into: &builder)
    try packets?.flush(into: &builder)
  }

  private mutating func pass<Sink: SightingSink & ~Copyable>(
    into builder: inout TraceBuilder<Sink>
  ) throws {
    // A local one, because the decoders are changed meanwhile.
    let batch = batch
    for item in batch.items {
      switch item {
      case .packet(nil, let time, let adapter, let range):
        try events.decode(
          batch.bytes.span.extracting(range), time: time, adapter: adapter, into: &builder)
      case .packet(let framing?, let time, _, let range):
        if packets == nil { packets = LinkLayerDecoder(framing: framing) }
        try packets?.decode(batch.bytes.span.extracting(range), time: time, into: &builder)
      case .report(let report, let range):
        try builder.receive(report, payload: batch.bytes.span.extracting(range))
      case .named(let report): try take(report, into: &builder)
      case .receiver(0, let name, _):
        if builder.receiverName == nil { builder.receiverName = name }
      case .receiver(let number, let name, let kind):
        var radio = Radio()
        radio.rssiKind = kind
        try builder.describe(adapter: number, name: name, radio: radio)
      case .anchor(let id, let name, let place):
        let node = try builder.add(id, role: .receiver)
        let floor = try builder.floor(named: place.floor)
        builder.update(.receiver, node) {
          ($0.x, $0.y, $0.z, $0.floor, $0.name) = (place.x, place.y, place.z, floor, name)
        }
      case .truth(let beacon, let place):
        let floor = try builder.floor(named: place.floor)
        let (role, node): (NodeRole, UInt32) =
          try beacon.map { name throws in (.beacon, try builder.add(name, role: .beacon)) }
          ?? (.receiver, UInt32(builder.receiver(adapter: 0)))
        builder.append(
          TruthPoint(
            time: place.time, role: role, node: node, trace: builder.currentTrace, floor: floor,
            x: place.x, y: place.y, z: place.z))
      }
    }
  }

  private func take<Sink: SightingSink & ~Copyable>(
    _ report: LogBatch.NamedReport, into builder: inout TraceBuilder<Sink>
  ) throws {
    guard builder.takes(report.time, ofTrace: builder.currentTrace) else { return }
    try builder.receive(
      beacon: report.beacon, measuredPower: report.measuredPower, adapter: report.adapter,
      time: report.time, rssi: report.rssi, channel: report.channel, angle: report.angle)
  }
}
