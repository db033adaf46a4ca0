import Sightings
import Support

extension ScanSource {
  /// Shows the sink what the receiver is, as far as it is known.
  mutating func describe<Sink: CaptureSink & ~Copyable>(to sink: inout Sink) throws {
    var radio = Radio()
    radio.adapter = session.name
    radio.controller = session.identity.description
    radio.scan = settings.isActive ? "active" : "passive"
    radio.interval = Float(ScanCommands.units(settings.interval)) * 0.000625
    radio.window = Float(ScanCommands.units(settings.window)) * 0.000625
    radio.phys = ScanSettings.PHY.allCases.filter { settings.phys.contains($0) }
      .map(\.rawValue).joined(separator: ",")
    radio.rssiKind = .raw
    radio.timeKind = session.transport.timeKind
    guard radio != described else { return }
    described = radio
    try sink.notice(.receiver(adapter: Self.adapter, name: session.name, radio: radio))
  }

  /// Brings a controller from whatever state it is in to scanning.
  mutating func setUp<Sink: CaptureSink & ~Copyable>(into sink: inout Sink) throws {
    if !session.transport.isManagedByKernel {
      try demand(.reset, into: &sink)
      isScanning = false
      try setEventMasks { host, time in try host.pump(within: time, into: &sink) }
    }
    try chooseCommands(into: &sink)
    try describe(to: &sink)
    if needsRandomAddress {
      try demand(.leSetRandomAddress(HCISession.staticRandomAddress()), into: &sink)
    }
    try startScanning(into: &sink)
  }

  /// A Boolean value that is true if scanning transmits and the controller has no address of its
  /// own to do it with.
  private var needsRandomAddress: Bool {
    settings.isActive && session.identity.address == 0 && !session.transport.isManagedByKernel
  }

  /// Finds the commands that the controller has for scanning as the settings ask.
  private mutating func chooseCommands<Sink: CaptureSink & ~Copyable>(
    into sink: inout Sink
  ) throws {
    let identity = try identify { host, time in try host.pump(within: time, into: &sink) }
    scanCommands = identity.scanCommands
    guard settings.phys.contains(.coded) else { return }
    guard scanCommands == .extended else {
      throw RSSIError(
        .usage,
        "\(session.name) has no extended scanning, so it cannot hear the coded physical layer; "
          + "listen to 1m, or take a controller of Bluetooth 5")
    }
    guard identity.hasCodedPHY else {
      throw RSSIError(
        .usage,
        "\(session.name) cannot receive the coded physical layer; listen to 1m, or take another "
          + "controller")
    }
  }

  /// Sets the scan and switches it on; takes it from another program if it has to.
  mutating func startScanning<Sink: CaptureSink & ~Copyable>(into sink: inout Sink) throws {
    let parameters = scanCommands.parameters(settings, hasRandomAddress: needsRandomAddress)
    if isScanning { _ = try ask(scanCommands.enable(false), into: &sink) }
    for attempt in 0..<3 {
      if attempt > 0 {
        if attempt == 1 {
          try sink.notice(
            .message(
              "\(session.name) was scanning already, for another program such as bluetoothd or "
                + "hcitool; its scan is replaced"))
        }
        _ = try ask(scanCommands.enable(false), into: &sink)
        // The commands of the other family are disallowed too where they were used before.
        if scanCommands == .extended { _ = try ask(ScanCommands.legacy.enable(false), into: &sink) }
      }
      var refused = try status(of: parameters, into: &sink)
      if refused == nil {
        // From now on it may scan: a sink that stops at the first report never sees the answer.
        isScanning = true
        refused = try status(of: scanCommands.enable(true), into: &sink)
        isScanning = refused == nil
      }
      if refused == nil {
        if isAway {
          try sink.notice(.message("\(session.name) is back"))
          (isAway, reopening) = (false, Self.reopening)
        }
        return
      }
    }
    throw RSSIError(
      .unavailable,
      "\(session.name) refuses to scan: \(HCIStatus.commandDisallowed); another program uses it, "
        + "such as bluetoothd or hcitool: stop that one, or reset the adapter")
  }

  /// Gives a command; nil where it succeeded, the status where someone else stands in the way.
  private mutating func status<Sink: CaptureSink & ~Copyable>(
    of command: HCICommand, into sink: inout Sink
  ) throws -> HCIStatus? {
    let reply = try ask(command, into: &sink)
    if reply.status == .success { return nil }
    guard reply.status == .commandDisallowed else {
      throw refusal(of: command.opcode, reply.status)
    }
    return reply.status
  }
}
