public import Capture
import Sightings
public import Support
public import TracePipelines

/// A requirement of recording or reporting, as found on this machine.
public struct MachineCheck: Equatable, Sendable {
  /// The outcome of a check.
  public enum State: String, CaseIterable, Sendable {
    /// The part works, works with a restriction, or does not work.
    case ok, warning, problem
    /// The state could not be determined.
    case unknown
  }

  /// The name of the part that was checked.
  public var name: String
  /// The outcome of the check.
  public var state: State
  /// The finding.
  public var finding: String
  /// The remedy; nil if none is needed.
  public var advice: String?

  /// Creates a check with its outcome.
  public init(_ name: String, _ state: State, _ finding: String, advice: String? = nil) {
    (self.name, self.state, self.finding, self.advice) = (name, state, finding, advice)
  }

  /// Creates a check of an error with which a stage would end.
  public init(
    _ name: String, _ error: RSSIError, state: State = .problem, advice: String? = nil
  ) {
    let subject = error.subject.map { "\($0): " } ?? ""
    self.init(name, state, subject + error.problem, advice: error.advice ?? advice)
  }
}

/// A request to check whether this machine can record, with advice if it cannot.
public struct DoctorRequest: Sendable {
  /// A broker to reach: `mqtt://[USER@]HOST[:PORT]`, or `mqtts://` for TLS.
  public var broker: String?
  /// The options of the connection to the broker.
  public var options = GatewayOptions()
  /// The longest time that the broker may take to answer, in seconds.
  public var patience = 5.0

  /// Creates a request without a broker.
  public init() {}
}

/// Checks all requirements of recording, in the order in which to meet them.
public struct DoctorStage: Stage {
  private let request: DoctorRequest

  public init(_ request: DoctorRequest) { self.request = request }

  /// Checks the machine and returns the outcomes in order.
  ///
  /// - Throws: `RSSIError` of kind `usage` for a broker that is not an address.
  public func perform(in probes: MachineProbes) throws(RSSIError) -> [MachineCheck] {
    // Before other programs are run, which would be found among them.
    let scanners = probes.otherPrograms
    var checks =
      [
        probes.adapter, probes.rfkill, probes.capabilities, probes.kernelCheck, probes.bluez,
        scanners, probes.clockCheck,
      ] + probes.pictures + [probes.libraryVersions, probes.diskSpace]
    if let broker = request.broker {
      checks.append(
        try brokerCheck(
          broker, request.options, patience: request.patience, clock: probes.clock))
    }
    return checks
  }
}

/// Checks that a broker takes a connection and a subscription.
///
/// - Throws: `RSSIError` of kind `usage` for text that is not a broker's address.
func brokerCheck(
  _ broker: String, _ options: GatewayOptions, patience: Double, clock: MachineClock
) throws(RSSIError) -> MachineCheck {
  let advice = "the address is mqtt://[USER@]HOST[:PORT], or mqtts:// for TLS"
  do throws(RSSIError) {
    var channel = try BrokerChannel(broker: broker, topics: ["rssi/doctor"], options: options)
    let deadline = clock.monotonic() + Int64(patience * 1e9)
    while clock.monotonic() < deadline {
      guard case .connected = try channel.step(within: 50) else { continue }
      channel.close()
      return MachineCheck("broker", .ok, "\(channel.name) answers")
    }
    return MachineCheck(
      "broker", .problem, "\(channel.name) does not answer within \(plain(patience)) s",
      advice: "check its name and port, and whether a firewall lets this machine reach it")
  } catch {
    guard error.kind != .usage else { throw error }
    return MachineCheck("broker", error, advice: advice)
  }
}
