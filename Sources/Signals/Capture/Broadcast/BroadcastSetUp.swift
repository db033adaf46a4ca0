import Advertising
import Support

extension Broadcaster {
  /// Brings a controller from any state to advertising.
  mutating func setUp<Delegate: BroadcastDelegate & ~Copyable>(for delegate: inout Delegate) throws
  {
    watch.remedyBegins()
    if !session.transport.isManagedByKernel {
      try demand(.reset, for: &delegate)
      (mayAdvertise, holdsSet) = (false, false)
      try setEventMasks { host, time in try host.pump(within: time, for: &delegate) }
    }
    try chooseCommands(for: &delegate)
    try begin(for: &delegate)
  }

  /// Chooses the command family that fits the controller and the settings.
  private mutating func chooseCommands<Delegate: BroadcastDelegate & ~Copyable>(
    for delegate: inout Delegate
  ) throws {
    let identity = try identify { host, time in try host.pump(within: time, for: &delegate) }
    if !identity.hasExtendedAdvertising {
      commands = .legacy
    } else if commands == .legacy {
      commands = .extended(handle: BroadcastCommands.handles[0])
    }
    if identity.address == 0, randomAddress == nil {
      randomAddress = HCISession.staticRandomAddress()
    }
    try checkAbilities()
  }

  /// - Throws: `.usage` if this controller cannot advertise with these settings.
  private func checkAbilities() throws(RSSIError) {
    func cannot(_ words: String) -> RSSIError {
      RSSIError(.usage, "\(session.name) \(words)")
    }
    guard commands == .legacy else {
      guard settings.phy == .le1M || session.identity.hasCodedPHY else {
        throw cannot(
          "cannot send on the coded PHY: advertise on LE 1M, or use another controller"
        )
      }
      return
    }
    guard !settings.isExtended else {
      throw cannot(
        "has no extended advertising: use legacy advertising on LE 1M, or a controller of "
          + "Bluetooth 5")
    }
    guard settings.txPower == nil else {
      throw cannot(
        "has no command that sets the transmit power: use its default, or a controller of "
          + "Bluetooth 5")
    }
    // Version 9 of HCI is Bluetooth 5.0, which lifted the limit.
    if let version = session.identity.version, version < 9, settings.interval < 0.1 {
      throw cannot(
        "is of a Bluetooth before 5.0, where undirected advertising that is not connectable has "
          + "an interval of at least 100 ms: use 100 ms or more")
    }
  }

  /// Sets the advertising data and starts advertising.
  mutating func begin<Delegate: BroadcastDelegate & ~Copyable>(for delegate: inout Delegate) throws
  {
    if mayAdvertise { _ = try ask(commands.enable(false), for: &delegate) }
    // A set takes its address after its parameters, a controller without sets before it advertises.
    if commands == .legacy, let randomAddress {
      try demand(commands.randomAddress(randomAddress), for: &delegate)
    }
    var txPower = try setParameters(for: &delegate)
    if commands != .legacy, let randomAddress {
      try demand(commands.randomAddress(randomAddress), for: &delegate)
    }
    try send(delegate.advertisingData(), for: &delegate)
    mayAdvertise = true
    try demand(commands.enable(true), for: &delegate)
    if commands == .legacy {
      let reply = try ask(HCICommand(opcode: .leReadAdvertisingTXPower), for: &delegate)
      txPower = reply.status == .success ? reply.parameters.first : nil
    }
    hasBegun = true
    let address = randomAddress.map { DeviceAddress(bits: $0, type: 1) }
    delegate.began(
      BroadcastRadio(
        adapter: session.name, controller: session.identity.description,
        address: address ?? DeviceAddress(bits: session.identity.address, type: 0),
        txPower: txPower.map(Int8.init(bitPattern:)).flatMap { $0 == 127 ? nil : $0 }))
  }

  /// Sets the parameters, in the first advertising set that no other program uses.
  ///
  /// - Returns: the transmit power that the controller chose, if it reports one.
  private mutating func setParameters<Delegate: BroadcastDelegate & ~Copyable>(
    for delegate: inout Delegate
  ) throws -> UInt8? {
    func parameters(_ commands: BroadcastCommands) -> HCICommand {
      commands.parameters(settings, hasRandomAddress: randomAddress != nil)
    }
    guard case .extended(let first) = commands else {
      try demand(parameters(commands), for: &delegate)
      return nil
    }
    for handle in BroadcastCommands.handles where handle <= first {
      commands = .extended(handle: handle)
      // Without an answer, it is unknown whether the set exists.
      holdsSet = true
      let reply = try ask(parameters(commands), for: &delegate)
      switch reply.status {
      case .success:
        if handle != BroadcastCommands.handles[0], !hasBegun {
          delegate.note(
            "\(session.name) advertises already, for another run of rssi or one that was killed: "
              + "this adds a second beacon until the controller is reset\(resetAdvice)")
        }
        return reply.parameters.first
      case .commandDisallowed:
        // The set belongs to another program, and remains its own.
        holdsSet = false
      case .memoryCapacityExceeded, .limitReached:
        holdsSet = false
        throw RSSIError(
          .unavailable,
          "\(session.name) has no advertising set left (\(reply.status)): end another program that "
            + "advertises, such as bluetoothd or another run of rssi")
      default:
        holdsSet = false
        throw refusal(of: .leSetExtendedAdvertisingParameters, reply.status)
      }
    }
    commands = .extended(handle: BroadcastCommands.handles[0])
    throw RSSIError(
      .unavailable,
      "\(session.name) disallows extended advertising: another program has given it commands of "
        + "Bluetooth 4, such as hcitool; switch it off and on\(resetAdvice)")
  }

  /// The command that resets the controller, as a suffix of a message; empty if there is none.
  private var resetAdvice: String {
    session.transport.isManagedByKernel ? " (`sudo hciconfig \(session.name) reset`)" : ""
  }

  /// Passes new advertising data to the controller.
  mutating func send<Delegate: BroadcastDelegate & ~Copyable>(
    _ wanted: [UInt8], for delegate: inout Delegate
  ) throws {
    try demand(commands.data(wanted), for: &delegate)
    data = wanted
  }
}
